import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { escapeUntrusted } from "@rea/core";

export interface VersionControlFacts {
  readonly system: "git";
  readonly branch: string | null;
  readonly commit: string | null;
}

const mostBytes = 4 * 1024 * 1024;
const commitForm = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u;

/** Branch and commit as the files of a repository say; nothing of git is run. Null where there is no plain `.git` directory. */
export function gitFacts(root: string): VersionControlFacts | null {
  const directory = join(root, ".git");
  if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
  const head = textOf(join(directory, "HEAD"))?.trim();
  if (head === undefined) return { system: "git", branch: null, commit: null };
  const [, reference] = /^ref: (refs\/[^\s]{1,200})$/u.exec(head) ?? [];
  if (reference === undefined) return { system: "git", branch: null, commit: commitForm.test(head) ? head : null };
  const isPlain = reference.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  const loose = isPlain ? textOf(join(directory, reference))?.trim() : undefined;
  const commit = loose !== undefined && commitForm.test(loose) ? loose : packedCommit(textOf(join(directory, "packed-refs")), reference);
  return { system: "git", branch: escapeUntrusted(reference.replace(/^refs\/heads\//u, "")), commit };
}

function packedCommit(packed: string | undefined, reference: string): string | null {
  const line = packed?.split("\n").find((one) => one.endsWith(` ${reference}`));
  const commit = line?.slice(0, line.indexOf(" "));
  return commit !== undefined && commitForm.test(commit) ? commit : null;
}

/** Undefined for what is no plain, small file. */
function textOf(path: string): string | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(handle);
    if (!stats.isFile() || stats.size > mostBytes) return undefined;
    const bytes = Buffer.alloc(stats.size);
    return bytes.toString("utf8", 0, readSync(handle, bytes, 0, stats.size, 0));
  } catch {
    // Not there, or not to be read: then it says nothing.
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
