import type { Dirent } from "node:fs";
import { isReaError, omission, type Omission } from "@rea/core";
import { FileBatch, type BatchedFile, type BatchReader } from "./file-batch.js";
import type { HostDirectory } from "./host-directory.js";

const slash = Buffer.from("/");
/** Each level holds one handle. */
const deepest = 200;

export interface Level {
  readonly directory: HostDirectory;
  /** Path below the root, with a slash at its end; empty for the root. */
  readonly prefix: Buffer;
  readonly list: readonly Dirent<Buffer>[];
}

/** What comes next on the way through a tree. */
export type Step =
  | { readonly kind: "enter" | "leave"; readonly level: Level }
  | { readonly kind: "file"; readonly level: Level; readonly name: Buffer; readonly read: BatchedFile | undefined }
  | { readonly kind: "other"; readonly level: Level; readonly child: Dirent<Buffer> }
  | { readonly kind: "omission"; readonly left: Omission };

interface Open {
  readonly level: Level;
  next: number;
  batch: FileBatch | undefined;
}

/**
 * The way through a directory tree, each directory before what it holds, names in byte order; links are never followed.
 * Small files are read in batches on the way. A level is open from its `enter` until whoever is told of its `leave` closes it.
 */
export function* directorySteps(root: HostDirectory, read: BatchReader | undefined): Generator<Step, void, undefined> {
  const stack: Open[] = [];
  const enter = (level: Level): Step => {
    stack.push({ level, next: 0, batch: undefined });
    return { kind: "enter", level };
  };
  yield enter(levelOf(root, Buffer.alloc(0)));
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const { level } = top;
    const child = level.list[top.next];
    if (child === undefined) {
      stack.pop();
      yield { kind: "leave", level };
      continue;
    }
    if (child.isFile()) yield fileStep(top, child.name, read);
    else yield { kind: "other", level, child };
    top.next += 1;
    if (!child.isDirectory()) continue;
    const inside = stack.length >= deepest ? tooDeep : inner(level, child.name);
    yield "scope" in inside ? { kind: "omission", left: inside } : enter(inside);
  }
}

function fileStep(top: Open, name: Buffer, read: BatchReader | undefined): Step {
  const { level } = top;
  const { anchor } = level.directory;
  if (read === undefined || anchor === undefined) return { kind: "file", level, name, read: undefined };
  if (top.batch === undefined || top.batch.isUsedUp()) top.batch = new FileBatch(read, anchor, level.list, top.next);
  return { kind: "file", level, name, read: top.batch.next() };
}

const tooDeep = omission("Directories nested deeper than the bound were not entered.", "limit_depth", {
  limit: deepest,
  how_to_continue: "Inspect the deeper directory by its own path.",
});
const unreadable = omission("A directory could not be read.", "unreadable", { how_to_continue: "Check its permissions and call again." });

function inner({ directory, prefix }: Level, name: Buffer): Level | Omission {
  return attempt(() => levelOf(directory.openDirectory(name), Buffer.concat([prefix, name, slash]))) ?? unreadable;
}

function levelOf(directory: HostDirectory, prefix: Buffer): Level {
  try {
    return { directory, prefix, list: directory.list() };
  } catch (error) {
    directory.close();
    throw error;
  }
}

/** What the host refuses becomes an answer; everything else goes on up. */
export function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (isReaError(error) && (error.code === "target_unavailable" || error.code === "artifact_operation_failed")) return undefined;
    throw error;
  }
}
