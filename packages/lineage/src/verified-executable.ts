import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, open, realpath, stat, type FileHandle } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { ReaError, throwIfAborted, type TargetReason } from "@rea/core";
import { isRunnableHeader } from "./runnable-header.js";

/** A program as it was when its digest was taken. */
export interface VerifiedExecutable {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Real path of the program that a `#!` line names; null for programs that run by themselves. */
  readonly interpreter: string | null;
  /** Throws `target_unavailable`, reason `target_changed`, unless the path as it was named and the real one still hold the file whose digest was taken. */
  readonly revalidate: () => Promise<void>;
  /** Releases the open file; safe to call twice. */
  readonly close: () => Promise<void>;
}

const chunkBytes = 1024 * 1024;
const operation = "start_process";

/**
 * Opens a program, takes its digest from the open file and keeps the file open, so that neither its inode nor what it
 * holds can be replaced unseen. Throws `invalid_request` for a path that is not absolute, `target_unavailable` for what
 * cannot be run, and `cancelled`.
 */
export async function openExecutable(path: string, signal?: AbortSignal): Promise<VerifiedExecutable> {
  if (!isAbsolute(path)) throw notAbsolute();
  const real = await realpath(path).catch((error: unknown) => refuse(path, error));
  const file = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => refuse(path, error));
  try {
    const stamp = await stampOf(file);
    if (!stamp.isFile) throw unavailable(path, "not_regular", "is not a regular file");
    await access(real, constants.X_OK).catch(() => Promise.reject(unavailable(path, "unreadable", "may not be executed")));
    const interpreter = await interpreterOf(file, path);
    const sha256 = await digestOf(file, signal);
    const revalidate = (): Promise<void> => checkUnchanged({ path: real, shown: path, file, stamp: stamp.text });
    await revalidate();
    return { path: real, sha256, sizeBytes: stamp.size, interpreter, revalidate, close: () => file.close().catch(() => undefined) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Nothing is left to the C library, which hands a file that the system cannot run to a shell: what has neither a header
 * that the system runs nor a `#!` line naming an existing program is refused.
 */
async function interpreterOf(file: FileHandle, path: string): Promise<string | null> {
  const head = Buffer.alloc(512);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  const start = head.subarray(0, bytesRead);
  if (start.toString("latin1", 0, 2) !== "#!") {
    if (!isRunnableHeader(start)) throw unavailable(path, "not_regular", "is neither a program of this system nor a script that names its interpreter");
    return null;
  }
  const line = start.toString("utf8").split("\n")[0] ?? "";
  const program = /^#!\s*(\S+)/.exec(line)?.[1] ?? "";
  try {
    if (!isAbsolute(program)) throw new Error("relative");
    await access(program, constants.X_OK);
    return await realpath(program);
  } catch (error) {
    throw unavailable(path, "missing", "names an interpreter that is not there", error);
  }
}

async function digestOf(file: FileHandle, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash("sha256");
  const chunk = Buffer.alloc(chunkBytes);
  for (let position = 0; ; ) {
    throwIfAborted(signal, operation);
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, position);
    if (bytesRead === 0) return hash.digest("hex");
    hash.update(chunk.subarray(0, bytesRead));
    position += bytesRead;
  }
}

interface Pinned {
  readonly path: string;
  /** As the caller named it. */
  readonly shown: string;
  readonly file: FileHandle;
  readonly stamp: string;
}

async function checkUnchanged({ path, shown, file, stamp }: Pinned): Promise<void> {
  const held = await stampOf(file);
  const named = await Promise.all([path, shown].map((each) => stat(each, { bigint: true }).then(stampText, () => null)));
  if (held.text !== stamp || named.some((each) => each !== stamp)) throw unavailable(shown, "target_changed", "changed after its digest was taken");
}

async function stampOf(file: FileHandle): Promise<{ readonly text: string; readonly size: number; readonly isFile: boolean }> {
  const stats = await file.stat({ bigint: true });
  return { text: stampText(stats), size: Number(stats.size), isFile: stats.isFile() };
}

interface Stamped {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

function stampText({ dev, ino, size, mtimeNs, ctimeNs }: Stamped): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}

function notAbsolute(): ReaError {
  return new ReaError("invalid_request", {
    message: "A program is started by its absolute path only. Give the absolute path.",
    details: { operation, issues: [{ path: "executable", reason: "invalid_format", expected: "absolute path" }] },
  });
}

function refuse(path: string, error: unknown): never {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const missing = code === "ENOENT" || code === "ENOTDIR";
  throw unavailable(path, missing ? "missing" : "unreadable", missing ? "does not exist" : "cannot be read", error);
}

function unavailable(path: string, reason: TargetReason, problem: string, cause?: unknown): ReaError {
  return new ReaError("target_unavailable", {
    message: `The program to start ${problem}. Name a program that can be run.`,
    details: { path, reason },
    action: "Name an executable file by its absolute path.",
    cause,
  });
}
