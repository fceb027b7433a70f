import { createHash } from "node:crypto";
import { constants, readSync, type BigIntStats } from "node:fs";
import { open, realpath, stat, type FileHandle } from "node:fs/promises";
import { checkRange, throwIfAborted, type ByteSource, type OperationContext } from "@rea/core";
import { fileError, targetUnavailable } from "./target-errors.js";

/** What tells whether a file is still the one that was read. */
export interface FileStamp {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

export interface OpenFile {
  readonly handle: FileHandle;
  readonly realPath: string;
  readonly size: number;
  readonly stamp: FileStamp;
  /** Bytes of the same handle, valid until it is closed. */
  readonly source: ByteSource;
}

/** Kind of what a path leads to, links followed. Throws `target_unavailable` (missing, unreadable, not_regular). */
export async function fileKind(path: string): Promise<"file" | "directory"> {
  const stats = await asTargetError(path, () => stat(path));
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  throw targetUnavailable(path, "not_regular");
}

/** The path without links. */
export function realPathOf(path: string, reportAs = path): Promise<string> {
  return asTargetError(reportAs, () => realpath(path));
}

/**
 * Opens a regular file once for everything that is learned about it. Never waits: a FIFO, device or socket that took the
 * file's place is refused. The caller closes the handle. Errors speak of `reportAs`, for paths that hold a name of a target.
 */
export async function openRegularFile(path: string, reportAs = path): Promise<OpenFile> {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const handle = await asTargetError(reportAs, () => open(path, flags));
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw targetUnavailable(reportAs, "not_regular");
    const realPath = await realPathOf(path, reportAs);
    const stamp = stampOf(stats);
    if (!sameStamp(stamp, await stampAt(realPath, reportAs))) throw targetUnavailable(reportAs, "target_changed");
    const size = Number(stats.size);
    return { handle, realPath, size, stamp, source: handleSource(handle.fd, size) };
  } catch (error) {
    await handle.close();
    throw fileError(reportAs, error);
  }
}

/** Stamp of what is at the path now. */
export async function stampAt(path: string, reportAs = path): Promise<FileStamp> {
  return stampOf(await asTargetError(reportAs, () => stat(path, { bigint: true })));
}

export function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;
}

const chunkBytes = 1 << 20;

/**
 * SHA-256 of an open file, read to its end. Yields between chunks of 1 MiB, reports bytes, stops when the signal aborts.
 * Throws `target_unavailable` (`target_changed`) when the file is not the same afterwards.
 */
export async function hashOpenFile(
  file: OpenFile,
  context: OperationContext,
  { operation, reportAs }: { readonly operation: string; readonly reportAs: string },
): Promise<string> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let position = 0; position < file.size; ) {
    throwIfAborted(context.signal, operation);
    const { bytesRead } = await asTargetError(reportAs, () => file.handle.read(buffer, 0, chunkBytes, position));
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
    context.progress.report({
      phase: "hash",
      completed: Math.min(position, file.size),
      total: file.size,
      message: "Hashing the target.",
    });
  }
  // A file that says nothing true about its size (as some file systems' do) has no identity to speak of.
  const beyond = await asTargetError(reportAs, () => file.handle.read(buffer, 0, 1, file.size));
  const [held, named] = await Promise.all([file.handle.stat({ bigint: true }), stampAt(file.realPath, reportAs)]);
  const same = sameStamp(stampOf(held), file.stamp) && sameStamp(named, file.stamp);
  if (!same || beyond.bytesRead > 0) throw targetUnavailable(reportAs, "target_changed");
  return hash.digest("hex");
}

function stampOf(stats: BigIntStats): FileStamp {
  return { dev: stats.dev, ino: stats.ino, size: stats.size, mtimeNs: stats.mtimeNs };
}

function handleSource(descriptor: number, size: number): ByteSource {
  return {
    size,
    read(offset, length) {
      checkRange(offset, length, size);
      const bytes = Buffer.alloc(length);
      let done = 0;
      while (done < length) {
        const count = readSync(descriptor, bytes, done, length - done, offset + done);
        if (count === 0) checkRange(offset, length, offset + done);
        done += count;
      }
      return bytes;
    },
  };
}

async function asTargetError<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileError(path, error);
  }
}
