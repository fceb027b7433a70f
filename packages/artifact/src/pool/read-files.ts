import { hash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { contentStates, type FilesAnswer, type FilesJob, type JobControl } from "./reading-job.js";
import { hasContent } from "../disk/unsized-file.js";
import { artifactDigitsOf } from "../graph/artifact-digits.js";
import { Scratch } from "./scratch.js";

/** Larger files are left to a job of their own. */
const smallFileBytes = 64 * 1024;

const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
const noDigest = "0".repeat(64);
const plainText = /^[\u0001-\u007f]*$/u;
const scratch = new Scratch();

/** Opens and reads files as `openHostFile` does: no link is followed in the last segment, no pipe waited for. */
export function readFiles({ places }: FilesJob, control: JobControl): FilesAnswer | undefined {
  const facts = new Float64Array(places.reduce((sum, { names }) => sum + names.length, 0) * 4);
  let sha256 = "";
  let artifactDigits = "";
  let at = 0;
  scratch.clear();
  for (const { prefix, names } of places) {
    for (const name of names) {
      if (control.isCancelled()) return undefined;
      const found = readFile(prefix + name);
      facts[at] = found.state;
      facts[at + 1] = found.size;
      facts[at + 2] = found.mode;
      facts[at + 3] = scratch.filled;
      at += 4;
      sha256 += found.sha256;
      artifactDigits += found.sha256 === noDigest ? noDigest : artifactDigitsOf(found.sha256);
    }
  }
  control.passed(scratch.filled);
  return { kind: "files", contents: scratch.take(), facts, sha256, artifactDigits };
}

interface FoundFile {
  readonly state: number;
  readonly size: number;
  readonly mode: number;
  readonly sha256: string;
}

const failed: FoundFile = { state: contentStates.failed, size: 0, mode: 0, sha256: noDigest };

function readFile(path: string): FoundFile {
  let handle: number;
  try {
    handle = openSync(plainText.test(path) ? path : Buffer.from(path, "latin1"), flags);
  } catch {
    // Whoever needs the file opens it again and says what is wrong.
    return failed;
  }
  try {
    return readOpened(handle);
  } catch {
    return failed;
  } finally {
    closeSync(handle);
  }
}

function readOpened(handle: number): FoundFile {
  const stats = fstatSync(handle);
  if (!stats.isFile()) return failed;
  const { size, mode } = stats;
  if (size > smallFileBytes) return { state: contentStates.larger, size, mode, sha256: noDigest };
  // Whoever opens it again reads it to its end.
  if (size === 0 && hasContent(handle)) return failed;
  const content = scratch.room(size);
  for (let done = 0; done < size; ) {
    const count = readSync(handle, content, done, size - done, done);
    if (count === 0) return failed;
    done += count;
  }
  const state = isSame(stats, fstatSync(handle)) ? contentStates.read : contentStates.changed;
  scratch.keep(size);
  return { state, size, mode, sha256: hash("sha256", content, "hex") };
}

function isSame(before: Stats, after: Stats): boolean {
  return before.size === after.size && before.mtimeMs === after.mtimeMs && before.ctimeMs === after.ctimeMs && before.ino === after.ino && before.dev === after.dev;
}
