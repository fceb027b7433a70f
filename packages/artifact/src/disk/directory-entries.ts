import type { Dirent } from "node:fs";
import { readlinkSync } from "node:fs";
import { isReaError, omission, ReaError, throwIfAborted } from "@rea/core";
import type { Entry, EntryContent, EntryName, ReaderInput, Unavailable } from "../format.js";
import { MemberDeclarations } from "../integrity/member-declarations.js";
import { utf8Name } from "../reading/entry-name.js";
import { sourceStream } from "../reading/source-stream.js";
import { system, type HostFile } from "./host-file.js";
import { levelManifests } from "./level-manifests.js";
import { openHostDirectory, type HostDirectory } from "./host-directory.js";

const slash = Buffer.from("/");
/** Each level holds one handle. */
const deepest = 200;

interface Level {
  readonly directory: HostDirectory;
  /** Path below the root, with a slash at its end; empty for the root. */
  readonly prefix: Buffer;
  readonly list: readonly Dirent<Buffer>[];
  readonly children: Iterator<Dirent<Buffer>>;
}

/** Members of a directory tree, each directory before what it holds, names in byte order; links are never followed. */
export async function* directoryEntries(path: string, input: ReaderInput): AsyncGenerator<Entry, void, undefined> {
  const stack: Level[] = [levelOf(openHostDirectory(path), Buffer.alloc(0))];
  const declarations = new MemberDeclarations(input.report);
  let entered = stack.at(-1);
  try {
    for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
      throwIfAborted(input.signal, "read_directory");
      if (entered !== undefined) declarations.add(await levelManifests(entered));
      entered = undefined;
      const next = level.children.next();
      if (next.done === true) {
        leave(level, input);
        declarations.leave(level.prefix.toString());
        stack.pop();
        continue;
      }
      yield await Promise.resolve(declarations.entry(entryOf(level, next.value)));
      if (next.value.isDirectory()) entered = enter(stack, level, next.value.name, input);
    }
    declarations.finish();
  } finally {
    for (const { directory } of stack) directory.close();
  }
}

function levelOf(directory: HostDirectory, prefix: Buffer): Level {
  try {
    const list = directory.list();
    return { directory, prefix, list, children: list[Symbol.iterator]() };
  } catch (error) {
    directory.close();
    throw error;
  }
}

function leave({ directory }: Level, { report }: ReaderInput): void {
  if (!directory.unchanged()) report.omission(changedWhileRead());
  directory.close();
}

function changedWhileRead() {
  return omission("A directory changed while it was read; members may be missing.", "unreadable", {
    how_to_continue: "Call again when nothing writes to the directory.",
  });
}

/** The level of a directory that was entered; undefined when it was not. */
function enter(stack: Level[], level: Level, name: Buffer, { report }: ReaderInput): Level | undefined {
  if (stack.length >= deepest) {
    report.omission(
      omission("Directories nested deeper than the bound were not entered.", "limit_depth", {
        limit: deepest,
        how_to_continue: "Inspect the deeper directory by its own path.",
      }),
    );
    return undefined;
  }
  const inside = attempt(() => levelOf(level.directory.openDirectory(name), Buffer.concat([level.prefix, name, slash])));
  if (inside === undefined) {
    report.omission(omission("A directory could not be read.", "unreadable", { how_to_continue: "Check its permissions and call again." }));
    return undefined;
  }
  stack.push(inside);
  return inside;
}

/** What the host refuses becomes an answer; everything else goes on up. */
function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (isReaError(error) && (error.code === "target_unavailable" || error.code === "artifact_operation_failed")) return undefined;
    throw error;
  }
}

const nothing = {
  declaredBytes: null,
  compressedBytes: null,
  location: null,
  encrypted: false,
  linkTarget: null,
  executable: null,
  checks: [],
  limitations: [],
  content: null,
} as const;

function entryOf({ directory, prefix }: Level, child: Dirent<Buffer>): Entry {
  const name = utf8Name(Buffer.concat([prefix, child.name]));
  if (child.isDirectory()) return { ...nothing, name, kind: "directory" };
  if (child.isSymbolicLink()) return { ...nothing, name, kind: "symlink", linkTarget: linkTarget(directory, child.name) };
  if (!child.isFile()) return { ...nothing, name, kind: "special" };
  return fileEntry(directory, child.name, name);
}

/** Null when the host refuses to tell, or when the link was replaced since the directory was listed. */
function linkTarget(directory: HostDirectory, name: Buffer): Buffer | null {
  const path = directory.pathOf(name);
  return attempt(() => system(path, () => readlinkSync(path, "buffer"))) ?? null;
}

function fileEntry(directory: HostDirectory, child: Buffer, name: EntryName): Entry {
  const file = attempt(() => directory.openFile(child));
  if (file === undefined) return { ...nothing, name, kind: "file", content: unreadable };
  return {
    ...nothing,
    name,
    kind: "file",
    declaredBytes: file.size,
    executable: file.executable,
    checks: [{ kind: "size", bytes: file.size }],
    content: contentOf(file),
  };
}

const unreadable: Unavailable = { reason: "unreadable", why: "The host refused to open the file." };

/** The file is open since its entry was made, so that what was listed is what is read. */
function contentOf(file: HostFile): EntryContent {
  return {
    random: () => file,
    unchanged: () => file.unchanged(),
    async *stream() {
      yield* sourceStream(file);
      if (!file.unchanged()) throw changedFile();
    },
    close: () => file.close(),
  };
}

function changedFile(): ReaError {
  return new ReaError("artifact_operation_failed", {
    message: "A file changed while it was read. Call again when nothing writes to it.",
    details: { operation: "read_file", reason: "io" },
  });
}
