import { isArchiveFormat } from "@rea/binary";
import { omission, type ByteSource } from "@rea/core";
import { isUnavailable, type Entry, type FileRun, type Format, type InnerDeclarations, type ReaderInput } from "../format.js";
import { readerOf } from "../formats/format-table.js";
import { isOpened } from "../formats/format-titles.js";
import { leafHints } from "../hints/leaf-hints.js";
import { SequentialReader } from "../reading/sequential-reader.js";
import { Budget } from "./budget.js";
import { ContainerDeclarations, type ContainerLevel } from "./container-declarations.js";
import { ContainerScope } from "./container-scope.js";
import { fetchAhead } from "./fetch-ahead.js";
import { Findings } from "./findings.js";
import { HeldReport } from "./held-report.js";
import type { SignatureInspection } from "./inspect-source.js";
import { MemberReader } from "./member-reader.js";
import { closeContent } from "./pass-on.js";
import type { Place } from "./place.js";
import { PlainFiles } from "./plain-files.js";
import { readerInput } from "./reader-input.js";
import { Turns } from "./turns.js";
import type { WalkOptions, WalkState } from "./walk-state.js";
import { wantsInspection } from "./wants-inspection.js";

const countedBeyond = 1_000_000;
/** The same for a directory of the host, where each of them is opened. */
const countedFilesBeyond = 1_000;
/** Looked at without asking whether others wait for a turn. */
const filesAtOnce = 16;

interface RunPlace {
  readonly scope: ContainerScope;
  /** Members that a bound left out, and how many of them are counted. */
  readonly left: { uncounted: number; readonly most: number };
  readonly depth: number;
}

type Entries = (input: ReaderInput) => AsyncIterable<Entry>;

/** One walk through a container and everything inside it, in file order. */
export class ArtifactWalk implements WalkState {
  readonly options: WalkOptions;
  readonly found: Findings;
  readonly budget: Budget;
  readonly turns: Turns;
  /** Executables whose signatures were read. */
  readonly inspected: { readonly place: Place; readonly found: SignatureInspection }[] = [];
  readonly #members: MemberReader;
  readonly #files: PlainFiles;
  /** Members that the end of the walk left out; null once some could not be counted. */
  #left: number | null = 0;

  constructor(options: WalkOptions) {
    this.options = options;
    this.budget = new Budget(options.limits);
    this.turns = new Turns(options.signal);
    this.found = new Findings({ ...options, budget: this.budget, isContainer: isOpened });
    this.#files = new PlainFiles(this);
    this.#members = new MemberReader(this, {
      mayOpen: (place, depth) => this.#mayOpen(place, depth),
      container: (place, entries, level) => this.#container(place, entries, level),
      contents: (place, source, what) => this.#contents(place, source, what),
      inspects: (place) => this.#inspects(place),
    });
  }

  /** The members of a directory of the host, and everything inside them. */
  async members(root: Place, entries: Entries): Promise<void> {
    await this.#container(root, (input) => this.#ahead(entries, input), { depth: 0, countRest: true, contentState: "materialized" });
    this.#tellEnd();
  }

  /** Everything inside the artifact's own bytes. */
  async insideRoot(root: Place, source: ByteSource): Promise<void> {
    await this.#contents(root, source, { depth: 0, inner: undefined });
    this.#tellEnd();
  }

  #tellEnd(): void {
    if (this.budget.stopped !== undefined) this.found.omissions.push({ ...this.budget.stopped, count: this.#left });
  }

  /** Everything inside a content that is a container and may be opened. */
  async #contents(place: Place, source: ByteSource, { depth, inner }: { readonly depth: number; readonly inner: InnerDeclarations | undefined }): Promise<void> {
    await this.#inspect(place, source);
    this.found.hint(place, await leafHints(place.format, source, this.turns));
    const format = this.#mayOpen(place, depth) ? await readerOf(place.format) : undefined;
    if (format === undefined) return;
    const level = { depth, countRest: format.access === "random", contentState: "embedded" as const, format, inner };
    const ahead = (entries: Entries) => (format.readsAhead === true ? (input: ReaderInput) => this.#ahead(entries, input) : entries);
    if (format.access === "random") return this.#container(place, ahead((input) => format.entries(source, input)), level);
    const reader = SequentialReader.over(source);
    try {
      await this.#container(place, ahead((input) => format.entries(reader, input)), level);
    } finally {
      await reader.close();
    }
  }

  #ahead(entries: Entries, input: ReaderInput): AsyncIterable<Entry> {
    const { pool, signal, sink } = this.options;
    const { limits } = this.budget;
    const held = new HeldReport(input.report);
    const mayRead = (bytes: number): boolean => bytes <= limits.maxEntryBytes && bytes <= this.budget.bytesLeft;
    return fetchAhead(entries({ ...input, report: held }), { pool, signal, held, streamed: sink !== undefined, mayRead });
  }

  async #container(place: Place, entries: Entries, level: ContainerLevel): Promise<void> {
    const scope = this.#scope(place, level);
    const input = readerInput({ ...this.options, findings: this.found, place, scope });
    const declarations = new ContainerDeclarations(level, input.report);
    const mostCounted = level.contentState === "materialized" ? countedFilesBeyond : countedBeyond;
    const left = { uncounted: 0, most: level.countRest ? mostCounted : 0 };
    try {
      for await (const found of entries(input)) {
        const entry = declarations.entry(found);
        if (this.turns.due()) await this.turns.take();
        if (entry.run !== undefined) {
          await this.#run(entry.run, { scope, left, depth: level.depth });
          if (left.uncounted > left.most) break;
          continue;
        }
        if (!this.budget.admitEntry()) {
          closeContent(entry);
          left.uncounted += 1;
          if (left.uncounted > left.most) break;
          continue;
        }
        const going = this.#member(scope, entry, level.depth);
        if (going !== undefined) await going;
      }
      // What was not listed to its end misses nothing.
      if (this.budget.stopped === undefined || level.countRest) await declarations.finish(place, this.found);
    } catch (error) {
      this.found.containerBroke(place, error);
    }
    if (this.budget.stopped !== undefined) this.#noteLeft(level.countRest && left.uncounted <= left.most ? left.uncounted : null);
    await scope.finish(this.turns);
  }

  /** Small files of a directory, which were read together. */
  async #run(run: FileRun, { scope, left, depth }: RunPlace): Promise<void> {
    // Contents that somebody waits for are given to him one by one.
    const directory = this.options.sink === undefined ? scope.plainDirectory(run.directory) : undefined;
    for (const [at, name] of run.names.entries()) {
      if (at % filesAtOnce === 0 && this.turns.due()) await this.turns.take();
      if (!this.budget.admitEntry()) {
        left.uncounted += 1;
        if (left.uncounted > left.most) return;
        continue;
      }
      const place = directory === undefined ? undefined : this.#files.place(directory, name, run.fileAt(at));
      const going = place === undefined ? this.#member(scope, run.entryAt(at), depth) : this.options.onPlace?.(place);
      if (going !== undefined) await going;
    }
    this.#report();
  }

  #noteLeft(count: number | null): void {
    this.#left = count === null || this.#left === null ? null : this.#left + count;
  }

  /** Undefined when the member is done already. */
  #member(scope: ContainerScope, entry: Entry, depth: number): Promise<void> | undefined {
    let going: Promise<void> | undefined;
    let place: Place | undefined;
    try {
      place = scope.add(entry);
      if (place !== undefined) going = this.#look(place, entry, depth);
    } finally {
      if (going === undefined) closeContent(entry);
    }
    if (place === undefined) return undefined;
    return going === undefined ? this.#tell(place) : this.#afterwards(going, entry, place);
  }

  #look(place: Place, entry: Entry, depth: number): Promise<void> | undefined {
    const { content, executable } = entry;
    if (executable !== null) place.executable = executable;
    if (content !== null && !isUnavailable(content)) return this.#members.read(place, { entry, content, depth });
    if (content === null) this.found.describe(place, new Uint8Array(0), "unknown");
    else this.found.unavailable(place, content);
    return undefined;
  }

  async #afterwards(going: Promise<void>, entry: Entry, place: Place): Promise<void> {
    try {
      await going;
      await this.#tell(place);
    } finally {
      closeContent(entry);
    }
  }

  #tell(place: Place): Promise<void> | undefined {
    this.#report();
    return this.options.onPlace?.(place);
  }

  #report(): void {
    this.options.progress.report({ phase: "reading", completed: this.budget.passedBytes, message: "Reading members" });
  }

  /** Whether a content is a container that is opened; says so when it is none of ours or too deep. */
  #mayOpen(place: Place, depth: number): boolean {
    if (!isOpened(place.format)) {
      if (!isArchiveFormat(place.format)) return false;
      place.unexplored = "unsupported_format";
      this.found.omissions.push(omission(`Contents of ${place.format} containers.`, "unsupported_format", { count: 1 }));
      return false;
    }
    if (depth <= this.budget.limits.maxDepth) return true;
    place.unexplored = "limit";
    this.found.omissions.push(
      omission("Containers nested deeper than the bound were not opened.", "limit_depth", {
        limit: this.budget.limits.maxDepth,
        how_to_continue: "Call again with a greater limits.max_depth, or inspect the inner container by itself.",
      }),
    );
    return false;
  }

  #scope(container: Place, { contentState, format }: { readonly contentState: "materialized" | "embedded"; readonly format?: Format }): ContainerScope {
    return new ContainerScope({
      container,
      relation: format?.relation ?? "contains",
      contentState,
      maxPathBytes: this.budget.limits.maxPathBytes,
      anomaly: ({ path, ...found }) => this.found.anomalies.push({ ...found, logical_path: path }),
      admitImplied: () => this.budget.admitEntry(),
    });
  }

  #inspects(place: Place): boolean {
    return this.options.signatures === true && wantsInspection(place.format);
  }

  /** Reads the signatures of an executable, where they are asked for. */
  async #inspect(place: Place, source: ByteSource): Promise<void> {
    if (!this.#inspects(place)) return;
    const { inspectSource } = await import("./inspect-source.js");
    const found = await inspectSource(source, this.turns);
    if (found !== undefined) this.inspected.push({ place, found });
  }
}
