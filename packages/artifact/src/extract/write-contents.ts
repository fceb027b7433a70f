import { ReaError, sha256Hex, throwIfAborted } from "@rea/core";
import { diskPath } from "./disk-path.js";
import { OutputTree } from "./output-tree.js";

/** Something to be written: a relative path with `/` between segments, and its bytes. */
export interface NamedContent {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface WrittenContents {
  readonly output_root: string;
  readonly files: readonly { readonly path: string; readonly relative_path: string; readonly sha256: string; readonly bytes_written: number }[];
  readonly skipped: readonly { readonly path: string; readonly reason: "unsafe_name" | "path_conflict" | "name_too_long" }[];
}

/**
 * Writes contents into a directory that does not exist yet, under the rules of extraction: private, every file created
 * exclusively below directories that are still ours, made durable, read back and hashed again. On failure or cancellation
 * everything is removed; `cleanup_incomplete` names what is left otherwise. Throws `artifact_operation_failed` for a directory
 * that exists or cannot be made.
 */
export async function writeContents(contents: Iterable<NamedContent>, directory: string, signal: AbortSignal): Promise<WrittenContents> {
  const tree = new OutputTree(directory);
  try {
    const files: WrittenContents["files"][number][] = [];
    const skipped: WrittenContents["skipped"][number][] = [];
    for (const content of contents) {
      throwIfAborted(signal, "extract_artifact");
      const written = await writeOne(tree, content);
      if ("reason" in written) skipped.push(written);
      else files.push(written);
    }
    return { output_root: tree.root, files, skipped };
  } catch (error) {
    const residue = await tree.remove();
    if (residue.length === 0) throw error;
    throw new ReaError("cleanup_incomplete", {
      message: "Writing failed, and a part of what was written could not be removed. Remove it by hand.",
      details: { operation: "extract_artifact", cleanup: "incomplete", resources: residue.map((detail) => ({ kind: "output_directory" as const, detail })) },
      cause: error,
    });
  }
}

async function writeOne(tree: OutputTree, { path, bytes }: NamedContent): Promise<WrittenContents["files"][number] | WrittenContents["skipped"][number]> {
  if (!isSafe(path)) return { path, reason: "unsafe_name" };
  const relative_path = diskPath(path, 0);
  const file = await tree.create(relative_path);
  if (typeof file === "string") return { path, reason: file };
  await file.write(bytes);
  const sha256 = await file.seal();
  if (sha256 === sha256Hex(bytes)) return { path, relative_path, sha256, bytes_written: bytes.byteLength };
  throw new ReaError("artifact_operation_failed", { message: "A file that was just written reads back otherwise. Check the disk.", details: { operation: "extract_artifact", reason: "io" } });
}

function isSafe(path: string): boolean {
  if (/[\\\0]/u.test(path) || path.startsWith("/") || /^[A-Za-z]:/u.test(path)) return false;
  return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}
