import { createHash } from "node:crypto";
import { join } from "node:path";
import { ReaError, throwIfAborted } from "@rea/core";
import type { Pack } from "tar-stream";
import { openHostFile } from "../disk/host-file.js";
import { sourceStream } from "../reading/source-stream.js";
import type { ExtractedFile, Extraction } from "./extract.js";

const operation = "pack_artifact";

/**
 * The files of an extraction as one tar archive (ustar, with pax records where a name or size needs them), piece by piece. The
 * same files make the same archive: in order of their paths, owner 0, mode 644, the start of 1970, no entries for directories.
 * Each file is hashed while it is packed. Throws `artifact_integrity_mismatch` for one that is not what was extracted any
 * more, what opening it throws, and `cancelled`; a consumer that got one has no whole archive.
 */
export async function* packTar({ output_root, artifacts }: Pick<Extraction, "output_root" | "artifacts">, { signal }: { readonly signal?: AbortSignal } = {}): AsyncGenerator<Uint8Array, void, undefined> {
  const { pack } = await import("tar-stream");
  const archive = pack();
  const writing = packAll(archive, output_root, artifacts, signal).then(
    () => archive.finalize(),
    (error: unknown) => archive.destroy(error instanceof Error ? error : null),
  );
  const pieces: AsyncIterable<unknown> = archive;
  try {
    for await (const piece of pieces) if (piece instanceof Uint8Array) yield piece;
  } finally {
    archive.destroy();
    await writing;
  }
}

async function packAll(archive: Pack, root: string, files: readonly ExtractedFile[], signal: AbortSignal | undefined): Promise<void> {
  for (const file of files) {
    if (signal !== undefined) throwIfAborted(signal, operation);
    await packFile(archive, join(root, file.relative_path), file);
  }
}

async function packFile(archive: Pack, path: string, file: ExtractedFile): Promise<void> {
  const source = openHostFile(path);
  try {
    if (source.size !== file.bytes_written) throw changed(file, undefined);
    await new Promise<void>((resolve, reject) => {
      const header = { name: file.relative_path, size: source.size, mode: 0o644, mtime: new Date(0), type: "file" as const, uid: 0, gid: 0 };
      const entry = archive.entry(header, (error) => (error === undefined || error === null ? resolve() : reject(error)));
      // The callback tells of it too; an error that nobody listens to would end the process.
      entry.on("error", reject);
      const write = async (): Promise<void> => {
        const digest = createHash("sha256");
        for await (const piece of sourceStream(source)) {
          digest.update(piece);
          if (!entry.write(piece)) await room(entry);
        }
        const calculated = digest.digest("hex");
        if (calculated !== file.sha256) throw changed(file, calculated);
        entry.end(null);
      };
      write().catch((error: unknown) => {
        reject(error);
      });
    });
  } finally {
    source.close();
  }
}

/** Waits until an entry takes more, or will never. */
function room(entry: ReturnType<Pack["entry"]>): Promise<void> {
  return new Promise((resolve) => {
    entry.once("drain", resolve);
    entry.once("close", resolve);
  });
}

function changed({ relative_path, sha256 }: ExtractedFile, calculated: string | undefined): ReaError {
  return new ReaError("artifact_integrity_mismatch", {
    message: "An extracted file changed before it was packed.",
    action: "Extract and pack again when nothing writes to the directory.",
    details: { logical_path: relative_path, declared_sha256: sha256, ...(calculated === undefined ? {} : { calculated_sha256: calculated }), unpacked: true },
  });
}
