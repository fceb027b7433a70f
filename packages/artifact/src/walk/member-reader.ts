import { contentFormat, detectFormat, isArchiveFormat } from "@rea/binary";
import { memorySource, type ByteSource, type SubjectFormat } from "@rea/core";
import { Spool } from "../disk/spool.js";
import type { Entry, EntryContent, InnerDeclarations, OpenedSource, ReaderInput } from "../format.js";
import { readerOf } from "../formats/format-table.js";
import { isOpened } from "../formats/format-titles.js";
import { mayCarry } from "../hints/leaf-hints.js";
import { endsSource } from "../reading/ends-source.js";
import type { Fetched } from "../reading/fetched.js";
import { SequentialReader } from "../reading/sequential-reader.js";
import type { ContainerLevel } from "./container-declarations.js";
import { isProgram } from "./classify.js";
import { BoundReached, ContentMeter } from "./content-meter.js";
import type { MemberSink } from "./content-sink.js";
import { drain, tee } from "./pass-on.js";
import type { Place } from "./place.js";
import type { WalkState } from "./walk-state.js";

const headBytes = 64 * 1024;
const nothing = new Uint8Array(0);
/** Disk images show themselves at their end only, and may start like anything; by name they are kept for a second look. */
const imageName = /\.(?:dmg|img|cdr|iso)!*$/iu;

/** What goes on inside of a content. */
export interface InnerWalk {
  /** Whether a content is a container that is opened; says so when it is none of ours or too deep. */
  mayOpen(place: Place, depth: number): boolean;
  container(place: Place, entries: (input: ReaderInput) => AsyncIterable<Entry>, level: ContainerLevel): Promise<void>;
  contents(place: Place, source: ByteSource, what: { readonly depth: number; readonly inner: InnerDeclarations | undefined }): Promise<void>;
  inspects(place: Place): boolean;
}

interface Reading {
  readonly entry: Entry;
  readonly content: EntryContent;
  readonly depth: number;
}

interface Measuring extends Reading {
  readonly meter: ContentMeter;
}

/** Reads the content of one member after another, and has opened what may be opened. */
export class MemberReader {
  readonly #state: WalkState;
  readonly #inner: InnerWalk;

  constructor(state: WalkState, inner: InnerWalk) {
    this.#state = state;
    this.#inner = inner;
  }

  /** Undefined when it is done already: most members of most containers are small and are no containers. */
  read(place: Place, what: Reading): Promise<void> | undefined {
    if (!this.#mayRead(place, what.entry)) return undefined;
    const meter = this.#meter(what);
    const { fetched } = what.content;
    const small = fetched?.content;
    if (fetched === undefined || small === undefined || this.#state.options.sink !== undefined) return this.#readGuarded(place, { ...what, meter });
    meter.whole(small, fetched);
    if (what.content.unchanged?.() === false) meter.noteChange();
    this.#describe(place, memorySource(small), small);
    this.#state.found.settle(place, { ...what, meter });
    return this.#opens(place, small) ? this.#open(place, memorySource(small), what) : undefined;
  }

  async #readGuarded(place: Place, what: Measuring): Promise<void> {
    try {
      await this.#readHow(place, what);
    } catch (error) {
      if (error instanceof BoundReached && place.sha256 === undefined) this.#state.found.cutByContainer(place);
      throw error;
    }
  }

  #readHow(place: Place, what: Measuring): Promise<void> {
    const { content } = what;
    const whole = content.fetched?.content ?? content.whole?.();
    if (whole !== undefined) return this.#readSource(place, { ...what, source: memorySource(whole), atHand: true });
    const source = content.random?.();
    if (source !== undefined && content.fetched?.tail !== undefined && this.#state.options.sink === undefined && what.meter.adopt(content.fetched)) return this.#readEnds(place, what, source);
    if (source !== undefined) return this.#readSource(place, { ...what, source, atHand: source.size <= headBytes });
    return content.fetched === undefined ? this.#readStream(place, what) : this.#readFetched(place, what, content.fetched);
  }

  /** Bytes that can be read twice: proven first, opened then. */
  async #readSource(place: Place, what: Measuring & { readonly source: ByteSource; readonly atHand: boolean }): Promise<void> {
    const { source, meter, content, atHand } = what;
    const sink = this.#state.options.sink?.begin(place);
    const head = meter.head(source, atHand ? source.size : headBytes);
    if (atHand) {
      if (meter.whole(head, content.fetched)) await give(sink, head);
    } else if (sink !== undefined || content.fetched === undefined || !meter.adopt(content.fetched)) {
      await drain(meter.through(content.stream()), meter, sink);
    }
    if (content.unchanged?.() === false) meter.noteChange();
    // Small contents are at hand whole, broken ones may break again; nothing of either is read twice.
    this.#describe(place, atHand || meter.broken !== undefined ? memorySource(head) : source, head);
    const sha256 = this.#state.found.settle(place, what);
    await sink?.end(sha256);
    if (this.#opens(place, head)) await this.#open(place, source, what);
  }

  /** A content that was measured ahead and of which both ends were kept; read again only where they do not tell all. */
  async #readEnds(place: Place, what: Measuring, source: OpenedSource): Promise<void> {
    const { head = nothing, tail = nothing } = what.content.fetched ?? {};
    if (what.content.unchanged?.() === false) what.meter.noteChange();
    const { format } = detectFormat(endsSource(source, head, tail), place.segment);
    this.#state.found.describe(place, isProgram(format) ? what.meter.head(source, headBytes) : head, format);
    this.#state.found.settle(place, what);
    if (this.#opens(place, head)) await this.#open(place, source, what);
  }

  /** A content that passes once and was measured ahead; read only if there is more to see in it. */
  async #readFetched(place: Place, what: Measuring, fetched: Fetched): Promise<void> {
    const format = detectFormat(memorySource(fetched.head), place.segment).format;
    this.#state.found.describe(place, fetched.head, format);
    const isDone = this.#state.options.sink === undefined && !isOpened(format) && !this.#keeps(place, format, fetched.head) && what.meter.adopt(fetched);
    if (!isDone) return this.#readStream(place, what);
    this.#state.found.settle(place, what);
    // Says so when it is a container nobody reads.
    if (this.#mayOpen(place)) this.#inner.mayOpen(place, what.depth + 1);
  }

  /** Bytes that pass once: opened while they pass, or kept for what needs them twice. */
  async #readStream(place: Place, what: Measuring): Promise<void> {
    const { meter, entry, depth } = what;
    const sink = this.#state.options.sink?.begin(place);
    const reader = new SequentialReader(tee(meter.through(what.content.stream()), sink));
    try {
      const head = (await reader.head(headBytes)).slice();
      const { format } = detectFormat(memorySource(head), place.segment);
      this.#state.found.describe(place, head, format);
      const container = await readerOf(format);
      const declared = entry.checks.some(({ kind }) => kind === "digest" || kind === "blocks" || kind === "part" || kind === "measured");
      if (container?.access === "sequential" && !declared && !imageName.test(place.segment)) {
        if (this.#inner.mayOpen(place, depth + 1)) {
          const level = { depth: depth + 1, countRest: false, contentState: "embedded" as const, format: container, inner: entry.inner };
          await this.#inner.container(place, (input) => container.entries(reader, input), level);
        }
        await drain(reader.rest(), meter);
        const sha256 = this.#state.found.settle(place, what);
        await sink?.end(sha256);
        return;
      }
      await this.#readKept(place, { ...what, reader, sink, keep: container !== undefined || this.#keeps(place, format, head) });
    } finally {
      await reader.close();
    }
  }

  async #readKept(place: Place, what: Measuring & { readonly reader: SequentialReader; readonly sink: MemberSink | undefined; readonly keep: boolean }): Promise<void> {
    const spool = what.keep ? new Spool() : undefined;
    try {
      await drain(what.reader.rest(), what.meter, spool);
      const sha256 = this.#state.found.settle(place, what);
      await what.sink?.end(sha256);
      if (!this.#mayOpen(place)) return;
      if (spool === undefined) {
        // Says so when it is a container nobody reads.
        this.#inner.mayOpen(place, what.depth + 1);
        return;
      }
      const source = spool.source();
      // Some formats show themselves at their end only.
      const format = contentFormat(source);
      if (format !== undefined && format !== place.format) this.#state.found.describe(place, source.read(0, Math.min(headBytes, source.size)), format);
      await this.#open(place, source, what);
    } finally {
      spool?.close();
    }
  }

  #open(place: Place, source: ByteSource, { depth, entry }: Reading): Promise<void> {
    return this.#inner.contents(place, source, { depth: depth + 1, inner: entry.inner });
  }

  #describe(place: Place, source: ByteSource, head: Uint8Array): void {
    this.#state.found.describe(place, head, detectFormat(source, place.segment).format);
  }

  /** Contents that are looked at a second time although they are no containers by their first bytes. */
  #keeps(place: Place, format: SubjectFormat, head: Uint8Array): boolean {
    return place.entryKind === "volume" || imageName.test(place.segment) || this.#inner.inspects(place) || mayCarry(format, head);
  }

  #meter({ entry, content }: Reading): ContentMeter {
    const { compressedBytes } = entry;
    const { budget, turns } = this.#state;
    return new ContentMeter({
      checks: entry.checks,
      lateChecks: content.lateChecks !== undefined,
      budget,
      turns,
      inputBytes: content.inputBytes ?? (compressedBytes === null ? undefined : () => compressedBytes),
      bounded: true,
    });
  }

  /** False when what the member declares of itself is beyond a bound already. */
  #mayRead(place: Place, { declaredBytes }: Entry): boolean {
    if (declaredBytes === null) return true;
    const { found, budget } = this.#state;
    if (declaredBytes > budget.limits.maxEntryBytes) found.stop(place, "entry_bytes");
    else if (declaredBytes > budget.bytesLeft) found.stop(place, "total_bytes");
    else return true;
    found.describe(place, new Uint8Array(0), "unknown");
    return false;
  }

  #mayOpen(place: Place): boolean {
    return place.hashStatus === "verified" && place.trust === "verified" && this.#state.budget.stopped === undefined;
  }

  /** Whether there is anything to see inside. */
  #opens(place: Place, head: Uint8Array): boolean {
    const { format } = place;
    return this.#mayOpen(place) && (isArchiveFormat(format) || isOpened(format) || mayCarry(format, head) || this.#inner.inspects(place));
  }
}

function give(sink: MemberSink | undefined, content: Uint8Array): void | Promise<void> {
  return sink?.whole === undefined ? sink?.write(content) : sink.whole(content);
}
