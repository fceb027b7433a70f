import {
  chmodSync, closeSync, fsyncSync, linkSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, unlinkSync, writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** What the replacement of a file is made of, in order; told before each. */
export type FileStep = "clean" | "backup_write" | "backup_link" | "write" | "sync" | "compare" | "rename" | "sync_directory" | "read_back" | "restore";

export type FailedStage = "path" | "readback" | "backup" | "write";

export type Replaced = { readonly ok: true } | { readonly ok: false; readonly stage: FailedStage; readonly why: string };

export interface Replacement {
  /** Behind all links. */
  readonly place: string;
  /** What stood there when the change was planned; null: nothing did. */
  readonly before: Uint8Array | null;
  /** Null removes the file. */
  readonly after: Uint8Array | null;
  /** Of the file that is written; 0600 for a new one. */
  readonly mode: number;
  /** Gets the first version ever replaced; never overwritten. Null: none is kept. */
  readonly backup: string | null;
  /** Told before each step. */
  readonly onStep?: (step: FileStep) => void;
}

/**
 * Replaces a file by a synced sibling and a rename, so that at any moment the old or the new version stands there whole.
 * When another program changed the file meanwhile, nothing is written. What was written is read back and, on a difference,
 * the old version restored. Errors of the system become the failed stage.
 */
export function replaceFile(request: Replacement): Replaced {
  const step = request.onStep ?? (() => undefined);
  const { place, before, after, mode, backup } = request;
  let stage: FailedStage = "path";
  try {
    step("clean");
    if (after !== null) mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    removeLeftovers(place);
    if (!standsThere(place, before)) return changedMeanwhile;
    stage = "backup";
    if (backup !== null && before !== null) keepBackup(backup, before, { mode, step });
    stage = "write";
    if (after === null) {
      step("compare");
      if (!standsThere(place, before)) return changedMeanwhile;
      step("rename");
      unlinkSync(place);
    } else if (!publish({ place, before, after, mode }, step)) {
      return changedMeanwhile;
    }
    stage = "readback";
    step("read_back");
    if (standsThere(place, after)) return { ok: true };
    step("restore");
    if (before !== null) publish({ place, before: undefined, after: before, mode }, () => undefined);
    return { ok: false, stage, why: "What was read back is not what was written; the old version stands again. Check the disk and run the command again." };
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    return { ok: false, stage, why: `${systemReason(String(error.code))} The file is unchanged.` };
  }
}

const changedMeanwhile: Replaced = {
  ok: false,
  stage: "path",
  why: "Another program changed the file meanwhile; it is as that program wrote it. Close the client and run the command again.",
};

function systemReason(code: string): string {
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") return "The disk is full. Free some space and run the command again.";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "The directory may not be written to. Correct its permissions and run the command again.";
  return `The system refused to write (${code}). Correct the cause and run the command again.`;
}

function standsThere(place: string, bytes: Uint8Array | null): boolean {
  const now = readIfThere(place);
  return bytes === null ? now === null : now !== null && now.equals(bytes);
}

function readIfThere(place: string): Buffer | null {
  try {
    return readFileSync(place);
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    throw error;
  }
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** The first backup stays: a link to a complete file is made, which fails when there is one. */
function keepBackup(path: string, bytes: Uint8Array, { mode, step }: { readonly mode: number; readonly step: (step: FileStep) => void }): void {
  removeLeftovers(path);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return;
  step("backup_write");
  const temporary = writeSibling(path, bytes, mode, () => undefined);
  try {
    step("backup_link");
    moveExclusively(temporary, path);
  } finally {
    unlinkIfThere(temporary);
  }
}

/** False when something else stands there than what the change was made for. `before` undefined: whatever stands there. */
function publish(
  { place, before, after, mode }: { readonly place: string; readonly before: Uint8Array | null | undefined; readonly after: Uint8Array; readonly mode: number },
  step: (step: FileStep) => void,
): boolean {
  step("write");
  const temporary = writeSibling(place, after, mode, step);
  try {
    step("compare");
    if (before !== undefined && !standsThere(place, before)) return false;
    step("rename");
    if (before !== null) renameSync(temporary, place);
    else if (!moveExclusively(temporary, place)) return false;
    step("sync_directory");
    syncDirectory(dirname(place));
    return true;
  } finally {
    unlinkIfThere(temporary);
  }
}

/** Never over a file that appeared meanwhile; false then. Where there are no hard links, a rename must do. */
function moveExclusively(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    if (!isCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK")) throw error;
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false;
    renameSync(from, to);
    return true;
  }
}

/** A complete, synced file beside another, named by this process. */
function writeSibling(place: string, bytes: Uint8Array, mode: number, step: (step: FileStep) => void): string {
  const path = join(dirname(place), `.${basename(place)}.rea-${String(process.pid)}.tmp`);
  unlinkIfThere(path);
  const file = openSync(path, "wx", 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    chmodSync(path, mode);
    step("sync");
    fsyncSync(file);
  } catch (error) {
    closeSync(file);
    unlinkIfThere(path);
    throw error;
  }
  closeSync(file);
  return path;
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
  }
}

/** Removes what a run that was killed left beside the file; that of a run that lives is its own. */
function removeLeftovers(place: string): void {
  const directory = dirname(place);
  const prefix = `.${basename(place)}.`;
  for (const name of readdirIfThere(directory)) {
    if (!name.startsWith(prefix)) continue;
    const pid = /^rea-([0-9]{1,10})\.tmp$/.exec(name.slice(prefix.length))?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) unlinkIfThere(join(directory, name));
  }
}

function readdirIfThere(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isCode(error, "ENOENT")) return [];
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isCode(error, "ESRCH");
  }
}

/** Makes the rename last; where directories cannot be opened, the system sees to it. */
function syncDirectory(path: string): void {
  if (process.platform === "win32") return;
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } catch (error) {
    // Some file systems do not sync directories.
    if (!isCode(error, "EINVAL", "ENOTSUP")) throw error;
  } finally {
    closeSync(directory);
  }
}
