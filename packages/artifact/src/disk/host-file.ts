import { closeSync, constants, fstatSync, openSync, readSync, type BigIntStats } from "node:fs";
import { checkRange, escapeUntrusted, ReaError, type TargetReason } from "@rea/core";
import type { OpenedSource } from "../format.js";
import { inFile } from "../reading/file-runs.js";
import { hasContent, readUnsized } from "./unsized-file.js";

/** What the operating system said of an open file. */
export interface HostIdentity {
  readonly device: bigint;
  readonly inode: bigint;
  readonly sizeBytes: number;
  readonly modifiedNs: bigint;
  readonly changedNs: bigint;
}

/** An open regular file, read in place: no part of it is kept in memory. */
export interface HostFile extends OpenedSource {
  readonly identity: HostIdentity;
  readonly executable: boolean;
  /** False when size or times of the open file differ from those at opening. */
  unchanged(): boolean;
  /**
   * True when the times of the file were older at opening than any clock's tick is long: a write since then shows in them.
   * False of a file that was just written, whose next write may bear the same time.
   */
  readonly isSettled: boolean;
}

/** Of file systems that keep times to two seconds, and as much again for clocks that differ. */
const longestTickNs = 4_000_000_000n;

/**
 * Opens a regular file without following a link in the last segment and without waiting for a pipe. Throws
 * `target_unavailable` with reason `missing`, `not_regular` or `unreadable`; the path is used as bytes where it is bytes.
 */
export function openHostFile(path: string | Buffer): HostFile {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const handle = system(path, () => openSync(path, flags));
  try {
    const stats = fstatSync(handle, { bigint: true });
    if (!stats.isFile()) throw unavailable(path, "not_regular");
    if (stats.size === 0n && system(path, () => hasContent(handle))) return madeUpFile(handle, { path, stats });
    return fileOf(handle, stats);
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

function fileOf(handle: number, stats: BigIntStats): HostFile {
  const identity = identityOf(stats);
  let open = true;
  const file: HostFile = {
    size: identity.sizeBytes,
    identity,
    executable: (stats.mode & 0o111n) !== 0n,
    isSettled: isSettled(identity),
    read(offset, length) {
      checkRange(offset, length, identity.sizeBytes);
      return readExactly(handle, offset, length);
    },
    unchanged() {
      return !open || isSameFile(handle, identity);
    },
    close() {
      if (open) closeSync(handle);
      open = false;
    },
  };
  return inFile(file, { handle, runs: [{ from: 0, length: identity.sizeBytes }] });
}

function isSettled({ modifiedNs, changedNs }: HostIdentity): boolean {
  const nowNs = BigInt(Date.now()) * 1_000_000n;
  return nowNs - modifiedNs > longestTickNs && nowNs - changedNs > longestTickNs;
}

function isSameFile(handle: number, identity: HostIdentity): boolean {
  try {
    return sameIdentity(identityOf(fstatSync(handle, { bigint: true })), identity);
  } catch {
    return false;
  }
}

/** A file that the system makes up when it is read: its content is taken once, as it may be another one the next time. */
function madeUpFile(handle: number, { path, stats }: { readonly path: string | Buffer; readonly stats: BigIntStats }): HostFile {
  const content = system(path, () => readUnsized(handle));
  if (content === undefined) throw unavailable(path, "unreadable");
  closeSync(handle);
  return {
    size: content.byteLength,
    identity: { ...identityOf(stats), sizeBytes: content.byteLength },
    executable: (stats.mode & 0o111n) !== 0n,
    read(offset, length) {
      checkRange(offset, length, content.byteLength);
      return content.subarray(offset, offset + length);
    },
    unchanged: () => true,
    isSettled: true,
    close: () => undefined,
  };
}

/** Throws `artifact_operation_failed` (reason `io`) when the file became shorter or the host cannot read it. */
export function readExactly(handle: number, offset: number, length: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const count = readSome(handle, bytes.subarray(done), offset + done);
    if (count === 0) throw shortened(offset + done);
    done += count;
  }
  return bytes;
}

function readSome(handle: number, into: Uint8Array, offset: number): number {
  try {
    return readSync(handle, into, 0, into.byteLength, offset);
  } catch (cause) {
    throw new ReaError("artifact_operation_failed", {
      message: "The host cannot read the file here. Check the disk and its permissions, then call again.",
      details: { operation: "read_file", reason: "io", offset },
      cause,
    });
  }
}

export function identityOf(stats: BigIntStats): HostIdentity {
  return {
    device: stats.dev,
    inode: stats.ino,
    sizeBytes: Number(stats.size),
    modifiedNs: stats.mtimeNs,
    changedNs: stats.ctimeNs,
  };
}

export function sameIdentity(a: HostIdentity, b: HostIdentity): boolean {
  return (
    a.device === b.device &&
    a.inode === b.inode &&
    a.sizeBytes === b.sizeBytes &&
    a.modifiedNs === b.modifiedNs &&
    a.changedNs === b.changedNs
  );
}

const reasons: { readonly [code: string]: TargetReason | undefined } = {
  ENOENT: "missing",
  ENOTDIR: "missing",
  ENXIO: "not_regular",
  EISDIR: "not_regular",
  ELOOP: "not_regular",
};

/** Runs one file-system call; its failure becomes `target_unavailable`. */
export function system<T>(path: string | Buffer, call: () => T): T {
  try {
    return call();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw unavailable(path, reasons[code] ?? "unreadable", error);
  }
}

const messages: { readonly [R in TargetReason]?: string } = {
  missing: "The file does not exist.",
  unreadable: "The file cannot be read.",
  not_regular: "The path names neither a regular file nor a directory, or is a symbolic link. Give the path it leads to.",
};

function unavailable(path: string | Buffer, reason: TargetReason, cause?: unknown): ReaError {
  return new ReaError("target_unavailable", {
    message: messages[reason] ?? "The file is not available.",
    details: { reason, path: escapeUntrusted(path.toString()) },
    cause,
  });
}

function shortened(offset: number): ReaError {
  return new ReaError("artifact_operation_failed", {
    message: "The file became shorter while it was read. Call again when nothing writes to it.",
    details: { operation: "read_file", reason: "io", offset },
  });
}
