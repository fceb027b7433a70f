import { createHash, randomUUID } from "node:crypto";
import { link, open, rename, rm } from "node:fs/promises";
import { escapeUntrusted, ReaError, throwIfAborted } from "@rea/core";
import { requireLocalPath } from "./target/local-path.js";
import { systemCode } from "./target/target-errors.js";

export interface Publication {
  readonly path: string;
  /** Input field that holds the path, for messages. */
  readonly field: string;
  readonly overwrite: boolean;
  /** Text, or bytes. */
  readonly chunks: Iterable<string> | AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  readonly operation: string;
}

/**
 * Writes a file complete or not at all: a sibling temporary file (mode 0600), fsync, then one step under its name. A
 * file that is there stays unless `overwrite` is set. Until that step a cancellation leaves nothing behind.
 *
 * Throws `invalid_request` (path form, existing file), `access_denied`, `artifact_operation_failed`, `cancelled`.
 */
export async function publishFile(file: Publication): Promise<{ readonly bytes: number; readonly sha256: string }> {
  requireLocalPath(file.path, file.field, file.operation);
  const temporary = `${file.path}.${randomUUID()}.tmp`;
  try {
    const written = await writeTemporary(temporary, file);
    await nextTurn();
    throwIfAborted(file.signal, file.operation);
    if (file.overwrite) await rename(temporary, file.path);
    else await renameNew(temporary, file);
    return written;
  } catch (error) {
    throw publishError(file, error);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeTemporary(temporary: string, file: Publication): Promise<{ bytes: number; sha256: string }> {
  const handle = await open(temporary, "wx", 0o600);
  try {
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const batch of Symbol.asyncIterator in file.chunks ? file.chunks : batches(file.chunks)) {
      throwIfAborted(file.signal, file.operation);
      hash.update(batch);
      bytes += batch.byteLength;
      await handle.writeFile(batch);
    }
    await handle.sync();
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    await handle.close();
  }
}

const batchCharacters = 1 << 18;

function* batches(chunks: Iterable<string>): Generator<Buffer> {
  let pending: string[] = [];
  let characters = 0;
  for (const chunk of chunks) {
    pending.push(chunk);
    characters += chunk.length;
    if (characters < batchCharacters) continue;
    yield Buffer.from(pending.join(""));
    pending = [];
    characters = 0;
  }
  if (characters > 0) yield Buffer.from(pending.join(""));
}

/** A hard link fails when the name is taken, so nobody's file is replaced between a check and a rename. */
async function renameNew(temporary: string, file: Publication): Promise<void> {
  try {
    await link(temporary, file.path);
  } catch (error) {
    if (!unlinkable.has(systemCode(error) ?? "")) throw error;
    // The file system has no hard links: claim the name, then replace the empty file that is ours.
    await (await open(file.path, "wx", 0o600)).close();
    await rename(temporary, file.path);
  }
}

const unlinkable: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

function publishError(file: Publication, error: unknown): unknown {
  const path = escapeUntrusted(file.path);
  switch (systemCode(error)) {
    case "EEXIST":
      return new ReaError("invalid_request", {
        message: `${path} exists. Set overwrite to true to replace it, or name another file.`,
        details: {
          operation: file.operation,
          issues: [{ path: "overwrite", reason: "invalid_value", expected: "true, because the file exists" }],
        },
        cause: error,
      });
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new ReaError("access_denied", {
        message: `${path} cannot be written by this process. Choose a writable place.`,
        details: { resource: path },
        cause: error,
      });
    case undefined:
      return error;
    default:
      return new ReaError("artifact_operation_failed", {
        message: `${path} could not be written. Check that its directory exists and has room.`,
        details: { operation: file.operation, reason: isPathProblem(error) ? "path" : "io" },
        cause: error,
      });
  }
}

function isPathProblem(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "EISDIR", "ENAMETOOLONG", "ELOOP"].includes(systemCode(error) ?? "");
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
