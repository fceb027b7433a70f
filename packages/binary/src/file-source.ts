import { closeSync, constants, fstatSync, openSync, readSync, statSync, type BigIntStats } from "node:fs";
import { checkRange, escapeUntrusted, memorySource, ReaError, type ByteSource, type TargetReason } from "@rea/core";
import { ChunkCache } from "./chunk-cache.js";

/** The file behind a source, as the operating system identified it when it was opened. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
  readonly sizeBytes: number;
  readonly modifiedNs: bigint;
}

/** An open regular file. `close` releases the handle and may be called twice. */
export interface FileSource extends ByteSource {
  readonly identity: FileIdentity;
  /** False when size or modification time of the open file differ from those at opening. */
  unchanged(): boolean;
  close(): void;
}

const wholeFileBytes = 1024 * 1024 * 1024;

/**
 * Opens a regular file for random access: up to 1 GiB is read at once, larger files through a bounded cache. Opening
 * never waits, so a named pipe is refused instead of blocking. Throws `target_unavailable` with reason `missing`,
 * `not_regular`, `unreadable` or `target_changed`.
 */
export function openFileSource(path: string): FileSource {
  // Before opening: the mere opening of some devices has effects.
  if (!system(path, () => statSync(path, { bigint: true })).isFile()) throw unavailable(path, "not_regular");
  const handle = system(path, () => openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
  try {
    return sourceOf(path, handle);
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

function sourceOf(path: string, handle: number): FileSource {
  const stats = fstatSync(handle, { bigint: true });
  if (!stats.isFile()) throw unavailable(path, "not_regular");
  const identity = identityOf(stats);
  const bytes = identity.sizeBytes <= wholeFileBytes ? wholeFile(path, handle, identity.sizeBytes) : cached(path, handle, identity);
  let open = true;
  return {
    size: bytes.size,
    read: (offset, length) => bytes.read(offset, length),
    identity,
    unchanged() {
      if (!open) return true;
      const now = identityOf(fstatSync(handle, { bigint: true }));
      return now.sizeBytes === identity.sizeBytes && now.modifiedNs === identity.modifiedNs;
    },
    close() {
      if (open) closeSync(handle);
      open = false;
    },
  };
}

function identityOf(stats: BigIntStats): FileIdentity {
  return { device: stats.dev, inode: stats.ino, sizeBytes: Number(stats.size), modifiedNs: stats.mtimeNs };
}

function wholeFile(path: string, handle: number, size: number): ByteSource {
  const bytes = Buffer.allocUnsafeSlow(size);
  fill(path, handle, bytes, 0);
  return memorySource(bytes);
}

/** Reads until the buffer is full; a file that became shorter is a changed one. */
function fill(path: string, handle: number, into: Buffer, from: number): void {
  let done = 0;
  while (done < into.length) {
    const count = system(path, () => readSync(handle, into, done, into.length - done, from + done));
    if (count === 0) throw unavailable(path, "target_changed");
    done += count;
  }
}

function cached(path: string, handle: number, identity: FileIdentity): ByteSource {
  const { sizeBytes } = identity;
  const cache = new ChunkCache(sizeBytes, (offset, length) => {
    const chunk = Buffer.allocUnsafeSlow(length);
    fill(path, handle, chunk, offset);
    return chunk;
  });
  return {
    size: sizeBytes,
    read(offset, length) {
      checkRange(offset, length, sizeBytes);
      // One read of more than this would be a structure no format has.
      if (length > wholeFileBytes) checkRange(offset, Number.POSITIVE_INFINITY, sizeBytes);
      return cache.read(offset, length);
    },
  };
}

const reasons: { readonly [code: string]: TargetReason | undefined } = {
  ENOENT: "missing",
  ENOTDIR: "missing",
  ENXIO: "not_regular",
  EISDIR: "not_regular",
};

/** Runs one file-system call; its failure becomes `target_unavailable`. */
function system<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw unavailable(path, reasons[code] ?? "unreadable", error);
  }
}

const messages: { readonly [reason in TargetReason]?: string } = {
  missing: "The file does not exist.",
  unreadable: "The file cannot be read.",
  not_regular: "The path does not name a regular file. Give the path of a file.",
  target_changed: "The file became shorter while it was read.",
};

function unavailable(path: string, reason: TargetReason, cause?: unknown): ReaError {
  return new ReaError("target_unavailable", {
    message: messages[reason] ?? "The file is not available.",
    details: { reason, path: escapeUntrusted(path) },
    cause,
  });
}
