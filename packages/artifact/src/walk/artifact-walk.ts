import { contentFormat, detectFormat, isArchiveFormat } from "@rea/binary";
import { memorySource, omission, type ByteSource, type ProgressReporter, type SubjectFormat } from "@rea/core";
import { Spool } from "../disk/spool.js";
import { isUnavailable, type Entry, type EntryContent, type Format, type InnerDeclarations, type OpenedSource, type ReaderInput } from "../format.js";
import { leafHints, mayCarry } from "../hints/leaf-hints.js";
import type { ArtifactLimits } from "../limits.js";
import { SequentialReader } from "../reading/sequential-reader.js";
import { sourceStream } from "../reading/source-stream.js";
import { Budget } from "./budget.js";
import { ContainerDeclarations, type ContainerLevel } from "./container-declarations.js";
import { ContainerScope } from "./container-scope.js";
import { BoundReached, ContentMeter } from "./content-meter.js";
import type { ContentSink, MemberSink } from "./content-sink.js";
import { Findings } from "./findings.js";
import { inspectSource, wantsInspection, type SignatureInspection } from "./inspect-source.js";
import { closeContent, drain, tee } from "./pass-on.js";
import type { Place } from "./place.js";
import { readerInput } from "./reader-input.js";
import { Turns } from "./turns.js";

export interface WalkOptions {
  readonly formats: readonly Format[];
  readonly limits: ArtifactLimits;
  readonly integrityPolicy: "fail" | "record-and-continue";
  readonly signal: AbortSignal;
  readonly progress: ProgressReporter;
  /** A file beside the artifact itself; see `ReaderInput.openBeside`. */
  readonly openBeside: (containerPath: string, path: string) => OpenedSource | undefined;
  /** Shown each verified content while it passes; extraction writes it. */
  readonly sink?: ContentSink;
  /** Signatures of executables are read and verified too; costs a second look at each. */
  readonly signatures?: boolean;
}

const headBytes = 64 * 1024;
/** Disk images show themselves at their end only, and may start like anything; by name they are kept for a second look. */
const imageName = /\.(?:dmg|img|cdr|iso)!*$/iu;
const countedBeyond = 1_000_000;

/** One walk through a container and everything inside it, in file order. Yields each place when its content is known. */
export class ArtifactWalk {
  readonly found: Findings;
  /** Executables whose signatures were read. */
  readonly inspected: { readonly place: Place; readonly found: SignatureInspection }[] = [];
  readonly budget: Budget;
  readonly turns: Turns;
  readonly #options: WalkOptions;
  readonly #formats: ReadonlyMap<SubjectFormat, Format>;
  /** Members that the end of the walk left out; null once some could not be counted. */
  #left: number | null = 0;

  constructor(options: WalkOptions) {
    this.#options = options;
    this.budget = new Budget(options.limits);
    this.turns = new Turns(options.signal);
    this.#formats = new Map(options.formats.map((format) => [format.id, format]));
    this.found = new Findings({ ...options, budget: this.budget, isContainer: (format) => this.#formats.has(format) });
  }

  /** The members of a directory of the host, and everything inside them. */
  async *members(root: Place, entries: (input: ReaderInput) => AsyncIterable<Entry>): AsyncGenerator<Place, void, undefined> {
    yield* this.#container(root, entries, { depth: 0, countRest: true, contentState: "materialized" });
    if (this.budget.stopped !== undefined) this.found.omissions.push({ ...this.budget.stopped, count: this.#left });
  }

  /** Everything inside the artifact's own bytes. */
  async *insideRoot(root: Place, source: ByteSource): AsyncGenerator<Place, void, undefined> {
    yield* this.#contents(root, source, { depth: 0, inner: undefined });
    if (this.budget.stopped !== undefined) this.found.omissions.push({ ...this.budget.stopped, count: this.#left });
  }

  /** Everything inside a content that is a container and may be opened. */
  async *#contents(place: Place, source: ByteSource, { depth, inner }: { readonly depth: number; readonly inner: InnerDeclarations | undefined }): AsyncGenerator<Place, void, undefined> {
    await this.#inspect(place, source);
    this.found.hint(place, await leafHints(place.format, source, this.turns));
    const format = this.#formatOf(place, depth);
    if (format === undefined) return;
    if (format.access === "random") {
      yield* this.#container(place, (input) => format.entries(source, input), { depth, countRest: true, contentState: "embedded", format, inner });
      return;
    }
    const reader = new SequentialReader(sourceStream(source));
    try {
      yield* this.#container(place, (input) => format.entries(reader, input), { depth, countRest: false, contentState: "embedded", format, inner });
    } finally {
      await reader.close();
    }
  }

  async *#container(place: Place, entries: (input: ReaderInput) => AsyncIterable<Entry>, level: ContainerLevel): AsyncGenerator<Place, void, undefined> {
    const scope = this.#scope(place, level);
    const input = readerInput({ ...this.#options, findings: this.found, place, scope });
    const declarations = new ContainerDeclarations(level, input.report);
    let uncounted = 0;
    try {
      for await (const found of entries(input)) {
        const entry = declarations.entry(found);
        await this.turns.take();
        if (!this.budget.admitEntry()) {
          closeContent(entry);
          uncounted += 1;
          if (!level.countRest || uncounted > countedBeyond) break;
          continue;
        }
        yield* this.#member(scope, entry, level.depth);
      }
      // What was not listed to its end misses nothing.
      if (this.budget.stopped === undefined || level.countRest) await declarations.finish(place, this.found);
    } catch (error) {
      this.found.containerBroke(place, error);
    }
    if (this.budget.stopped !== undefined) this.#noteLeft(level.countRest && uncounted <= countedBeyond ? uncounted : null);
    scope.finish();
  }

  #noteLeft(count: number | null): void {
    this.#left = count === null || this.#left === null ? null : this.#left + count;
  }

  async *#member(scope: ContainerScope, entry: Entry, depth: number): AsyncGenerator<Place, void, undefined> {
    const place = scope.add(entry);
    try {
      if (place === undefined) return;
      if (entry.executable !== null) place.executable = entry.executable;
      if (entry.content === null) this.found.describe(place, new Uint8Array(0), "unknown");
      else if (isUnavailable(entry.content)) this.found.unavailable(place, entry.content);
      else yield* this.#read(place, { entry, content: entry.content, depth });
      this.#report();
      yield place;
    } finally {
      closeContent(entry);
    }
  }

  async *#read(place: Place, what: Reading): AsyncGenerator<Place, void, undefined> {
    if (!this.#mayRead(place, what.entry)) return;
    const meter = this.#meter(what);
    try {
      const whole = what.content.whole?.();
      const source = whole === undefined ? what.content.random?.() : memorySource(whole);
      const atHand = whole !== undefined || (source?.size ?? 0) <= headBytes;
      if (source !== undefined) yield* this.#readSource(place, { ...what, meter, source, atHand });
      else yield* this.#readStream(place, { ...what, meter });
    } catch (error) {
      if (error instanceof BoundReached && place.sha256 === undefined) this.found.cutByContainer(place);
      throw error;
    }
  }

  /** Bytes that can be read twice: proven first, opened then. */
  async *#readSource(place: Place, what: Measuring & { readonly source: ByteSource; readonly atHand: boolean }): AsyncGenerator<Place, void, undefined> {
    const { source, meter, content, depth, atHand } = what;
    const sink = this.#options.sink?.begin(place);
    const head = meter.head(source, atHand ? source.size : headBytes);
    if (!atHand) await drain(meter.through(content.stream()), meter, sink);
    else if (meter.whole(head)) await sink?.write(head);
    if (content.unchanged?.() === false) meter.noteChange();
    // Small contents are at hand whole, broken ones may break again; nothing of either is read twice.
    const { format } = detectFormat(atHand || meter.broken !== undefined ? memorySource(head) : source, place.segment);
    this.found.describe(place, head, format);
    const sha256 = this.found.settle(place, what);
    await sink?.end(sha256);
    if (this.#mayOpen(place)) yield* this.#contents(place, source, { depth: depth + 1, inner: what.entry.inner });
  }

  /** Bytes that pass once: opened while they pass, or kept for what needs them twice. */
  async *#readStream(place: Place, what: Measuring): AsyncGenerator<Place, void, undefined> {
    const { meter, entry, depth } = what;
    const sink = this.#options.sink?.begin(place);
    const reader = new SequentialReader(tee(meter.through(what.content.stream()), sink));
    try {
      const head = (await reader.head(headBytes)).slice();
      const { format } = detectFormat(memorySource(head), place.segment);
      this.found.describe(place, head, format);
      const container = this.#formats.get(format);
      const declared = entry.checks.some(({ kind }) => kind === "digest" || kind === "blocks" || kind === "part" || kind === "measured");
      if (container?.access === "sequential" && !declared && !imageName.test(place.segment)) {
        if (this.#formatOf(place, depth + 1) !== undefined) {
          const level = { depth: depth + 1, countRest: false, contentState: "embedded" as const, format: container, inner: entry.inner };
          yield* this.#container(place, (input) => container.entries(reader, input), level);
        }
        await drain(reader.rest(), meter);
        const sha256 = this.found.settle(place, what);
        await sink?.end(sha256);
        return;
      }
      yield* this.#readKept(place, { ...what, reader, sink, keep: container !== undefined || place.entryKind === "volume" || imageName.test(place.segment) || this.#inspects(place) || mayCarry(format, head) });
    } finally {
      await reader.close();
    }
  }

  async *#readKept(
    place: Place,
    what: Measuring & { readonly reader: SequentialReader; readonly sink: MemberSink | undefined; readonly keep: boolean },
  ): AsyncGenerator<Place, void, undefined> {
    const spool = what.keep ? new Spool() : undefined;
    try {
      await drain(what.reader.rest(), what.meter, spool);
      const sha256 = this.found.settle(place, what);
      await what.sink?.end(sha256);
      if (!this.#mayOpen(place)) return;
      if (spool === undefined) {
        // Says so when it is a container nobody reads.
        this.#formatOf(place, what.depth + 1);
        return;
      }
      const source = spool.source();
      // Some formats show themselves at their end only.
      const format = contentFormat(source);
      if (format !== undefined && format !== place.format) this.found.describe(place, source.read(0, Math.min(headBytes, source.size)), format);
      yield* this.#contents(place, source, { depth: what.depth + 1, inner: what.entry.inner });
    } finally {
      spool?.close();
    }
  }

  #meter({ entry, content }: Reading): ContentMeter {
    const { compressedBytes } = entry;
    return new ContentMeter({
      checks: entry.checks,
      lateChecks: content.lateChecks !== undefined,
      budget: this.budget,
      turns: this.turns,
      inputBytes: content.inputBytes ?? (compressedBytes === null ? undefined : () => compressedBytes),
      bounded: true,
    });
  }

  /** False when what the member declares of itself is beyond a bound already. */
  #mayRead(place: Place, { declaredBytes }: Entry): boolean {
    if (declaredBytes === null) return true;
    const { maxEntryBytes } = this.#options.limits;
    if (declaredBytes > maxEntryBytes) this.found.stop(place, "entry_bytes");
    else if (declaredBytes > this.budget.bytesLeft) this.found.stop(place, "total_bytes");
    else return true;
    this.found.describe(place, new Uint8Array(0), "unknown");
    return false;
  }

  #mayOpen(place: Place): boolean {
    return place.hashStatus === "verified" && place.trust === "verified" && this.budget.stopped === undefined;
  }

  /** The reader for a container; says so when it is none of ours or too deep. */
  #formatOf(place: Place, depth: number): Format | undefined {
    const format = this.#formats.get(place.format);
    if (format === undefined) {
      if (!isArchiveFormat(place.format)) return undefined;
      place.unexplored = "unsupported_format";
      this.found.omissions.push(omission(`Contents of ${place.format} containers.`, "unsupported_format", { count: 1 }));
      return undefined;
    }
    if (depth <= this.#options.limits.maxDepth) return format;
    place.unexplored = "limit";
    this.found.omissions.push(
      omission("Containers nested deeper than the bound were not opened.", "limit_depth", {
        limit: this.#options.limits.maxDepth,
        how_to_continue: "Call again with a greater limits.max_depth, or inspect the inner container by itself.",
      }),
    );
    return undefined;
  }

  #scope(container: Place, { contentState, format }: { readonly contentState: "materialized" | "embedded"; readonly format?: Format }): ContainerScope {
    return new ContainerScope({
      container,
      relation: format?.relation ?? "contains",
      contentState,
      maxPathBytes: this.#options.limits.maxPathBytes,
      anomaly: ({ path, ...found }) => this.found.anomalies.push({ ...found, logical_path: path }),
      admitImplied: () => this.budget.admitEntry(),
    });
  }

  #inspects(place: Place): boolean {
    return this.#options.signatures === true && wantsInspection(place.format);
  }

  /** Reads the signatures of an executable, where they are asked for. */
  async #inspect(place: Place, source: ByteSource): Promise<void> {
    if (!this.#inspects(place)) return;
    const found = await inspectSource(source, this.turns);
    if (found !== undefined) this.inspected.push({ place, found });
  }

  #report(): void {
    this.#options.progress.report({ phase: "reading", completed: this.budget.bytesRead, message: "Reading members" });
  }
}

interface Reading {
  readonly entry: Entry;
  readonly content: EntryContent;
  readonly depth: number;
}

interface Measuring extends Reading {
  readonly meter: ContentMeter;
}
