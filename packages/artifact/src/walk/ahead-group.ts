import { throwIfAborted } from "@rea/core";
import { isUnavailable, type Entry, type EntryContent } from "../format.js";
import type { ReadingAnswer } from "../pool/reading-job.js";
import type { ReadingPool } from "../pool/reading-pool.js";
import type { Fetched } from "../reading/fetched.js";
import { fileRunsOf } from "../reading/file-runs.js";
import type { TarStretch } from "../reading/tar/tar-stretch.js";
import { AheadTar } from "./ahead-tar.js";
import { digestFetched, sliceFetched } from "./fetched-answers.js";
import type { HeldReport } from "./held-report.js";
import { closeContent } from "./pass-on.js";

/** Contents up to this size are read whole. */
const wholeBytes = 512 * 1024;
/** The same where nobody should have to read them, or inflate them, again. */
const wantedWholeBytes = 1024 * 1024;
/** Larger ones are inflated in pieces by whoever reads them. */
const mostInflatedBytes = 16 * 1024 * 1024;
const headBytes = 64 * 1024;
const entriesInGroup = 64;
const bytesInGroup = 2 * 1024 * 1024;
/** Reading a content costs about as much as so many bytes more. */
const contentCost = 4096;
/** The same of a file that was read together with others. */
const runFileCost = 16 * 1024;

export interface AheadOptions {
  readonly pool: ReadingPool;
  readonly signal: AbortSignal;
  /** What the reader of the entries tells. */
  readonly held: HeldReport;
  /** Whether so many bytes of one content may be read. */
  readonly mayRead: (bytes: number) => boolean;
  /** All bytes of contents are wanted, so that measuring large ones ahead is of no use. */
  readonly streamed: boolean;
}

interface Slice {
  readonly index: number;
  readonly offset: number;
  readonly length: number;
  readonly plainBytes: number;
  readonly wantsCrc: boolean;
}

interface Ahead {
  readonly entry: Entry;
  /** What the reader told before it gave the entry. */
  readonly told: readonly (() => void)[] | undefined;
  fetched: Fetched | undefined;
  /** How a library that streamed the member disagrees with its reader. */
  disagrees: string | undefined;
}

/** Entries that are taken together, and what is read for them. */
export class AheadGroup {
  readonly #options: AheadOptions;
  readonly #entries: Ahead[] = [];
  readonly #slices = new Map<number, Slice[]>();
  readonly #tar: AheadTar;
  readonly #jobs: Promise<void>[] = [];
  #bytes = 0;
  #next = 0;
  #toldLast: readonly (() => void)[] | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** Undefined when nothing is read elsewhere. */
  reading: Promise<unknown> | undefined;

  constructor(options: AheadOptions) {
    this.#options = options;
    this.#tar = new AheadTar(options);
  }

  /** Takes entries until there are enough, and has them read; true when the reader has no more. */
  async fill(reader: AsyncIterator<Entry>): Promise<boolean> {
    let ended = false;
    try {
      while (!ended && this.#entries.length < entriesInGroup && this.#bytes < bytesInGroup) {
        const step = await reader.next();
        if (step.done === true) ended = true;
        else this.#add(step.value);
      }
    } catch (error) {
      this.#failure = { error };
      ended = true;
    }
    this.#toldLast = this.#options.held.take();
    for (const [handle, slices] of this.#slices) this.#readSlices(handle, slices);
    this.#jobs.push(
      ...this.#tar.start({
        agreed: (index, fetched) => this.#give(index, fetched),
        disagreed: (index, how) => void this.#entries.slice(index, index + 1).forEach((ahead) => (ahead.disagrees = how)),
      }),
    );
    if (this.#jobs.length > 0) this.reading = Promise.all(this.#jobs);
    return ended;
  }

  /** The next entry with what was fetched of it. */
  next(): Entry | undefined {
    const ahead = this.#entries[this.#next];
    if (ahead === undefined) return undefined;
    throwIfAborted(this.#options.signal, "read_artifact");
    this.#tellHeld();
    for (const tell of ahead.told ?? []) tell();
    this.#next += 1;
    const { entry, fetched, disagrees } = ahead;
    ahead.fetched = undefined;
    const content = entry.content === null || isUnavailable(entry.content) ? undefined : entry.content;
    if (disagrees !== undefined) {
      entry.stretch?.disagrees(disagrees);
      this.#tellHeld();
      const alone = entry.stretch?.alone;
      return content === undefined || alone === undefined ? entry : { ...entry, content: { ...content, stream: alone } };
    }
    return fetched === undefined || content === undefined ? entry : { ...entry, content: { ...content, fetched } };
  }

  /** What was told while the contents of entries were read: the reader told nothing since the group was filled. */
  #tellHeld(): void {
    for (const tell of this.#options.held.take() ?? []) tell();
  }

  /** After the last entry: what the reader told behind it, and how it failed. */
  finish(): void {
    this.#tellHeld();
    for (const tell of this.#toldLast ?? []) tell();
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Lets go of entries that were not passed on, when nobody reads in them any more. */
  async discard(): Promise<void> {
    await Promise.all(this.#jobs);
    for (const { entry } of this.#entries.slice(this.#next)) closeContent(entry);
  }

  #add(entry: Entry): void {
    const ahead: Ahead = { entry, told: this.#options.held.take(), fetched: undefined, disagrees: undefined };
    const index = this.#entries.push(ahead) - 1;
    const { content, stretch, run } = entry;
    if (run !== undefined) this.#bytes += run.names.length * runFileCost;
    if (stretch !== undefined) return this.#addStretch(index, entry, stretch);
    if (content === null || isUnavailable(content) || content.fetched !== undefined || !isPlain(entry, content)) return;
    if (content.deflated !== undefined) this.#addDeflated(index, entry, content.deflated);
    else if (content.random !== undefined) this.#addStored(index, entry, content.random);
  }

  /** What is not streamed ahead is streamed when it is read. */
  #addStretch(index: number, entry: Entry, stretch: TarStretch): void {
    const { content } = entry;
    const { bytes } = stretch;
    if (content !== null && (isUnavailable(content) || !isPlain(entry, content) || !this.#options.mayRead(bytes))) return;
    if (this.#options.streamed && bytes > wantedWholeBytes) return;
    this.#bytes += this.#tar.add(index, stretch);
  }

  #addDeflated(index: number, { checks }: Entry, { source, offset, length, plainBytes }: NonNullable<EntryContent["deflated"]>): void {
    if (plainBytes > mostInflatedBytes || length > mostInflatedBytes || !this.#options.mayRead(plainBytes)) return;
    const place = fileRunsOf(source, offset, length);
    const [run] = place?.runs ?? [];
    if (place === undefined || place.runs.length !== 1 || run === undefined || run.from < 0) return;
    const slice = { index, offset: run.from, length, plainBytes, wantsCrc: wantsCrc(checks) };
    if (plainBytes <= wantedWholeBytes) this.#addSlice(place.handle, slice, plainBytes + length);
    else this.#digest(index, checks, { handle: place.handle, runs: Float64Array.of(run.from, length), plainBytes, bytes: plainBytes });
  }

  #addStored(index: number, { checks }: Entry, random: NonNullable<EntryContent["random"]>): void {
    const source = random();
    if (!this.#options.mayRead(source.size)) return;
    const place = fileRunsOf(source);
    if (place === undefined) return;
    const [run] = place.runs;
    const most = this.#options.streamed ? wantedWholeBytes : wholeBytes;
    const isWhole = source.size <= most && place.runs.length === 1 && run !== undefined && run.from >= 0;
    if (isWhole) {
      this.#addSlice(place.handle, { index, offset: run.from, length: run.length, plainBytes: -1, wantsCrc: wantsCrc(checks) }, source.size);
    } else if (source.size > most) {
      const runs = Float64Array.from(place.runs.flatMap(({ from, length }) => [from, length]));
      this.#digest(index, checks, { handle: place.handle, runs, plainBytes: -1, bytes: source.size });
    }
  }

  #addSlice(handle: number, slice: Slice, bytes: number): void {
    const slices = this.#slices.get(handle);
    if (slices === undefined) this.#slices.set(handle, [slice]);
    else slices.push(slice);
    this.#bytes += bytes;
  }

  #digest(index: number, checks: Entry["checks"], what: { readonly handle: number; readonly runs: Float64Array<ArrayBuffer>; readonly plainBytes: number; readonly bytes: number }): void {
    // What is large counts little: nothing but its first bytes is kept.
    this.#bytes += headBytes;
    if (this.#options.streamed) return;
    const { bytes, ...where } = what;
    const blocks = checks.flatMap((check) => (check.kind === "blocks" ? [check] : []));
    const algorithms = [...new Set(checks.flatMap((check) => (check.kind === "digest" && check.algorithm !== "sha256" ? [check.algorithm] : [])))];
    const job = { kind: "digest" as const, ...where, crc32: wantsCrc(checks), algorithms, blocks, headBytes: Math.min(headBytes, bytes) };
    this.#take(this.#options.pool.run(job, bytes), (answer) => {
      if (answer.kind === "digest") this.#give(index, digestFetched(answer, blocks));
    });
  }

  #readSlices(handle: number, slices: readonly Slice[]): void {
    const numbers = Float64Array.from(slices.flatMap(({ offset, length, plainBytes }) => [offset, length, plainBytes]));
    const cost = slices.reduce((sum, { length, plainBytes }) => sum + length + Math.max(0, plainBytes) + contentCost, 0);
    const job = { kind: "slices" as const, handle, slices: numbers, crc32: slices.some((slice) => slice.wantsCrc) };
    this.#take(this.#options.pool.run(job, cost), (answer) => {
      if (answer.kind === "slices") for (const [at, { index }] of slices.entries()) this.#give(index, sliceFetched(answer, at, job.crc32));
    });
  }

  #give(index: number, fetched: Fetched | undefined): void {
    const ahead = this.#entries[index];
    if (ahead !== undefined) ahead.fetched = fetched;
  }

  #take(answer: ReturnType<ReadingPool["run"]>, use: (answer: ReadingAnswer) => void): void {
    if (answer instanceof Promise) this.#jobs.push(answer.then(use));
    else if (answer !== undefined) use(answer);
  }
}

/** What is declared of the content is all that has to be measured. */
function isPlain({ checks }: Entry, { lateChecks }: EntryContent): boolean {
  return lateChecks === undefined && checks.every(({ kind }) => kind === "size" || kind === "crc32" || kind === "digest" || kind === "blocks");
}

function wantsCrc(checks: Entry["checks"]): boolean {
  return checks.some(({ kind }) => kind === "crc32");
}
