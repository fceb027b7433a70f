import type { Dirent } from "node:fs";
import { readlinkSync } from "node:fs";
import { omission, ReaError, throwIfAborted } from "@rea/core";
import type { Entry, EntryContent, EntryName, ReaderInput, Unavailable } from "../format.js";
import { MemberDeclarations } from "../integrity/member-declarations.js";
import { utf8Name } from "../reading/entry-name.js";
import type { Fetched } from "../reading/fetched.js";
import { sourceStream } from "../reading/source-stream.js";
import { attempt, directorySteps, type Level, type Step } from "./directory-steps.js";
import type { BatchReader, ReadFile } from "./file-batch.js";
import { openHostDirectory, type HostDirectory } from "./host-directory.js";
import { system, type HostFile } from "./host-file.js";
import { levelManifests } from "./level-manifests.js";

/** Steps that are taken ahead, so that files are read while those in front of them are looked at. */
const stepsAhead = 256;

/**
 * Members of a directory tree, each directory before what it holds, names in byte order; links are never followed.
 * `read`: where small files may be read, several at a time.
 */
export async function* directoryEntries(path: string, input: ReaderInput, read?: BatchReader): AsyncGenerator<Entry, void, undefined> {
  const way = new Way(directorySteps(openHostDirectory(path), read));
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
          declarations.leave(step.level.prefix.toString());
          break;
        case "omission":
          input.report.omission(step.left);
          break;
        case "other":
          yield declarations.entry(otherEntry(step.level, step.child));
          break;
        case "file":
          if (step.read?.batch.done !== undefined) await step.read.batch.done;
          yield declarations.entry(fileStepEntry(step));
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
  readonly #open = new Set<Level>();
  #ahead: Step[] = [];
  #at = 0;
  #ended = false;

  constructor(steps: Generator<Step, void, undefined>) {
    this.#steps = steps;
  }

  next(): Step | undefined {
    if (this.#at >= this.#ahead.length / 2) this.#fill();
    const step = this.#ahead[this.#at];
    this.#at += 1;
    return step;
  }

  #fill(): void {
    this.#ahead = this.#ahead.slice(this.#at);
    this.#at = 0;
    while (!this.#ended && this.#ahead.length < stepsAhead) {
      const { done, value } = this.#steps.next();
      if (done === true) this.#ended = true;
      else this.#take(value);
    }
  }

  #take(step: Step): void {
    if (step.kind === "enter") this.#open.add(step.level);
    this.#ahead.push(step);
  }

  close(level: Level): void {
    level.directory.close();
    this.#open.delete(level);
  }

  /** Closes what is open when nobody reads there any more. */
  async end(): Promise<void> {
    const batches = new Set(this.#ahead.flatMap((step) => (step.kind === "file" && step.read !== undefined ? [step.read.batch] : [])));
    for (const { done } of batches) await done;
    for (const level of this.#open) this.close(level);
  }
}

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

function nameOf({ prefix }: Level, child: Buffer): EntryName {
  return utf8Name(Buffer.concat([prefix, child]));
}

function otherEntry(level: Level, child: Dirent<Buffer>): Entry {
  const name = nameOf(level, child.name);
  if (child.isDirectory()) return { ...nothing, name, kind: "directory" };
  if (child.isSymbolicLink()) return { ...nothing, name, kind: "symlink", linkTarget: linkTarget(level.directory, child.name) };
  return { ...nothing, name, kind: "special" };
}

/** Null when the host refuses to tell, or when the link was replaced since the directory was listed. */
function linkTarget(directory: HostDirectory, name: Buffer): Buffer | null {
  const path = directory.pathOf(name);
  return attempt(() => system(path, () => readlinkSync(path, "buffer"))) ?? null;
}

function fileStepEntry({ level, name, read }: Extract<Step, { readonly kind: "file" }>): Entry {
  const found = read?.batch.fileAt(read.index);
  const full = nameOf(level, name);
  return found === undefined ? openedEntry(level.directory, name, full) : readEntry(found, full);
}

/** Written out: there are many of these. */
function readEntry({ fetched, executable, unchanged }: ReadFile, name: EntryName): Entry {
  const { bytes } = fetched;
  return {
    name,
    kind: "file",
    declaredBytes: bytes,
    compressedBytes: null,
    location: null,
    encrypted: false,
    linkTarget: null,
    executable,
    checks: [{ kind: "size", bytes }],
    limitations: none,
    content: unchanged ? { fetched, stream: () => piece(fetched) } : { fetched, stream: () => piece(fetched), unchanged: () => false },
  };
}

const none: readonly never[] = [];

async function* piece({ content, head }: Fetched): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(content ?? head);
}

function openedEntry(directory: HostDirectory, child: Buffer, name: EntryName): Entry {
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
