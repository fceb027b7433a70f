import { isReaError, omission, type Omission } from "@rea/core";
import type { FileBatch, FileBatches } from "./file-batch.js";
import type { HostDirectory } from "./host-directory.js";
import { nameBytes, type ListedChild } from "./host-listing.js";

/** Each level holds one handle. */
const deepest = 200;

export interface Level {
  readonly directory: HostDirectory;
  /** Path below the root as bytes, one character each, with a slash at its end; empty for the root. */
  readonly prefix: string;
  readonly list: readonly ListedChild[];
  readonly above: Level | undefined;
}

/** What comes next on the way through a tree. */
export type Step =
  | { readonly kind: "enter" | "leave"; readonly level: Level }
  | { readonly kind: "files"; readonly level: Level; readonly names: readonly string[]; readonly batch: FileBatch | undefined; readonly from: number }
  | { readonly kind: "other"; readonly level: Level; readonly child: ListedChild }
  | { readonly kind: "omission"; readonly left: Omission };

interface Open {
  readonly level: Level;
  next: number;
}

/**
 * The way through a directory tree, each directory before what it holds, names in byte order; links are never followed.
 * Small files are put into batches on the way. A level is open from its `enter` until whoever is told of its `leave` closes it.
 */
export function* directorySteps(root: HostDirectory, batches: FileBatches | undefined): Generator<Step, void, undefined> {
  const stack: Open[] = [];
  const enter = (level: Level): Step => {
    stack.push({ level, next: 0 });
    return { kind: "enter", level };
  };
  yield enter(levelOf(root, { prefix: "", above: undefined }));
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const { level } = top;
    const child = level.list[top.next];
    if (child === undefined) {
      stack.pop();
      yield { kind: "leave", level };
      continue;
    }
    if (child.kind === "file") {
      yield filesStep(top, batches);
      continue;
    }
    yield { kind: "other", level, child };
    top.next += 1;
    if (child.kind !== "directory") continue;
    const inside = stack.length >= deepest ? tooDeep : inner(level, child.name);
    yield "scope" in inside ? { kind: "omission", left: inside } : enter(inside);
  }
}

/** The next files of a level, as far as there is no directory in between and they fit into one batch. */
function filesStep(top: Open, batches: FileBatches | undefined): Step {
  const { level } = top;
  const { anchor } = level.directory;
  const most = batches === undefined || anchor === undefined ? 1 : batches.room;
  const names: string[] = [];
  for (let child = level.list[top.next]; child?.kind === "file" && names.length < most; child = level.list[top.next]) {
    names.push(child.name);
    top.next += 1;
  }
  if (batches === undefined || anchor === undefined) return { kind: "files", level, names, batch: undefined, from: 0 };
  return { kind: "files", level, names, ...batches.add({ prefix: anchor, names }) };
}

const tooDeep = omission("Directories nested deeper than the bound were not entered.", "limit_depth", {
  limit: deepest,
  how_to_continue: "Inspect the deeper directory by its own path.",
});
const unreadable = omission("A directory could not be read.", "unreadable", { how_to_continue: "Check its permissions and call again." });

function inner(above: Level, name: string): Level | Omission {
  return attempt(() => levelOf(above.directory.openDirectory(nameBytes(name)), { prefix: `${above.prefix}${name}/`, above })) ?? unreadable;
}

function levelOf(directory: HostDirectory, place: Pick<Level, "prefix" | "above">): Level {
  try {
    return { ...place, directory, list: directory.list() };
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
