import { readlinkSync } from "node:fs";
import { omission, ReaError, throwIfAborted } from "@rea/core";
import type { Entry, EntryContent, EntryName, FileRun, ReaderInput, Unavailable } from "../format.js";
import { MemberDeclarations } from "../integrity/member-declarations.js";
import { utf8Name } from "../reading/entry-name.js";
import { sourceStream } from "../reading/source-stream.js";
import { attempt, directorySteps, type Level, type Step } from "./directory-steps.js";
import { FileBatches, type BatchReader } from "./file-batch.js";
import { readEntry, ReadRun } from "./file-run.js";
import { openHostDirectory, type HostDirectory } from "./host-directory.js";
import { system, type HostFile } from "./host-file.js";
import { arePlain, nameBytes, nameText, type ListedChild } from "./host-listing.js";
import { levelManifests } from "./level-manifests.js";

/** Files and other members that are taken ahead, so that files are read while those in front of them are looked at. */
const weightAhead = 768;
const weightHere = 128;

/**
 * Members of a directory tree, each directory before what it holds, names in byte order; links are never followed. Small
 * files come in runs where nothing is said of them elsewhere. `read`: where small files may be read, several at a time.
 */
export async function* directoryEntries(path: string, input: ReaderInput, read?: BatchReader): AsyncGenerator<Entry, void, undefined> {
  const way = new Way(openHostDirectory(path), read);
  const plain = new PlainLevels(input.limits.maxPathBytes);
  const declarations = new MemberDeclarations(input.report);
  try {
    for (let step = way.next(); step !== undefined; step = way.next()) {
      throwIfAborted(input.signal, "read_directory");
      switch (step.kind) {
        case "enter":
          declarations.add(await levelManifests(step.level));
          break;
        case "leave":
          if (!step.level.directory.unchanged()) input.report.omission(changedWhileRead());
          way.close(step.level);
          declarations.leave(nameText(step.level.prefix));
          break;
        case "omission":
          input.report.omission(step.left);
          break;
        case "other":
          yield declarations.entry(otherEntry(step.level, step.child));
          break;
        case "files":
          if (step.batch?.done !== undefined) await step.batch.done;
          yield* declarations.isEmpty && plain.has(step.level) ? runsOf(step) : fileEntries(step, declarations);
          break;
      }
    }
    declarations.finish();
  } finally {
    await way.end();
  }
}

/** Steps some way ahead of whoever takes them, and the directories that are open for them. */
class Way {
  readonly #steps: Generator<Step, void, undefined>;
  readonly #batches: FileBatches | undefined;
  readonly #open = new Set<Level>();
  #ahead: Step[] = [];
  #at = 0;
  /** Of the steps that are ahead, the weight. */
  #weight = 0;
  #ended = false;

  constructor(root: HostDirectory, read: BatchReader | undefined) {
    this.#batches = read === undefined ? undefined : new FileBatches(read);
    this.#steps = directorySteps(root, this.#batches);
  }

  /** Where this thread reads itself, going far ahead keeps others from it. */
  get #reach(): number {
    return this.#batches?.readsHere === true ? weightHere : weightAhead;
  }

  next(): Step | undefined {
    if (!this.#ended && this.#weight <= this.#reach / 2) this.#fill();
    const step = this.#ahead[this.#at];
    if (step === undefined) return undefined;
    this.#at += 1;
    this.#weight -= weightOf(step);
    return step;
  }

  #fill(): void {
    this.#ahead = this.#ahead.slice(this.#at);
    this.#at = 0;
    while (!this.#ended && this.#weight < this.#reach) {
      const { done, value } = this.#steps.next();
      if (done === true) this.#ended = true;
      else this.#take(value);
    }
    this.#batches?.send();
  }

  #take(step: Step): void {
    if (step.kind === "enter") this.#open.add(step.level);
    this.#ahead.push(step);
    this.#weight += weightOf(step);
  }

  close(level: Level): void {
    level.directory.close();
    this.#open.delete(level);
  }

  /** Closes what is open when nobody reads there any more. */
  async end(): Promise<void> {
    await this.#batches?.settled();
    for (const level of this.#open) this.close(level);
  }
}

function weightOf(step: Step): number {
  return step.kind === "files" ? step.names.length : 1;
}

/** Directories whose children are known by the names they have, all the way from the root. */
class PlainLevels {
  readonly #maxPathBytes: number;
  readonly #known = new WeakMap<Level, boolean>();

  constructor(maxPathBytes: number) {
    this.#maxPathBytes = maxPathBytes;
  }

  has(level: Level): boolean {
    const known = this.#known.get(level);
    if (known !== undefined) return known;
    const { above, prefix, list } = level;
    // Members whose names are not safe are placed in a directory of this name.
    const isPlain = (above === undefined || this.has(above)) && !/^unsafe\//iu.test(prefix) && arePlain(list, this.#maxPathBytes - prefix.length);
    this.#known.set(level, isPlain);
    return isPlain;
  }
}

/** Files that were read as runs, the others as entries. */
function* runsOf(step: FilesStep): Generator<Entry, void, undefined> {
  const { level, names, batch, from } = step;
  const answer = batch?.answer;
  let start = 0;
  for (let at = 0; at <= names.length; at += 1) {
    if (at < names.length && batch?.fileAt(from + at) !== undefined) continue;
    if (answer !== undefined && at > start) yield runEntry(new ReadRun(level.prefix, names.slice(start, at), { answer, from: from + start }));
    start = at + 1;
    const name = names[at];
    if (name !== undefined) yield openedEntry(level, name);
  }
}

/** What is told of its name is never asked for. */
function runEntry(run: FileRun): Entry {
  return { ...nothing, name: { bytes: Buffer.alloc(0), text: run.directory }, kind: "file", run };
}

function* fileEntries({ level, names, batch, from }: FilesStep, declarations: MemberDeclarations): Generator<Entry, void, undefined> {
  for (const [at, name] of names.entries()) {
    const found = batch?.fileAt(from + at);
    yield declarations.entry(found === undefined ? openedEntry(level, name) : readEntry(found, nameOf(level, name)));
  }
}

type FilesStep = Extract<Step, { readonly kind: "files" }>;

function changedWhileRead() {
  return omission("A directory changed while it was read; members may be missing.", "unreadable", {
    how_to_continue: "Call again when nothing writes to the directory.",
  });
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

function nameOf({ prefix }: Level, child: string): EntryName {
  return utf8Name(nameBytes(prefix + child));
}

function otherEntry(level: Level, { name: child, kind }: ListedChild): Entry {
  const name = nameOf(level, child);
  if (kind === "directory") return { ...nothing, name, kind: "directory" };
  if (kind === "symlink") return { ...nothing, name, kind: "symlink", linkTarget: linkTarget(level.directory, nameBytes(child)) };
  return { ...nothing, name, kind: "special" };
}

/** Null when the host refuses to tell, or when the link was replaced since the directory was listed. */
function linkTarget(directory: HostDirectory, name: Buffer): Buffer | null {
  const path = directory.pathOf(name);
  return attempt(() => system(path, () => readlinkSync(path, "buffer"))) ?? null;
}

function openedEntry(level: Level, child: string): Entry {
  const name = nameOf(level, child);
  const file = attempt(() => level.directory.openFile(nameBytes(child)));
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
