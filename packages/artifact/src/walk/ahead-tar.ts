import type { ByteSource } from "@rea/core";
import type { ReadingAnswer, TarAnswer } from "../pool/reading-job.js";
import type { ReadingPool } from "../pool/reading-pool.js";
import { streamTar } from "../pool/read-tar.js";
import { noDigests, type Fetched } from "../reading/fetched.js";
import { fileRunsOf } from "../reading/file-runs.js";
import { disagreement, type TarStretch } from "../reading/tar/tar-stretch.js";

/** Members are streamed together up to so many bytes, which may be read at once. */
const bytesTogether = 4 * 1024 * 1024;
/** What is held of a content whose ends are enough, generously. */
const endBytes = 16 * 1024;
/** Streaming a member costs about as much as so many bytes more. */
const memberCost = 16 * 1024;

/** What streaming members came to; called once for each. */
export interface StreamedMembers {
  /** The library reads the member as we do; this is its content. */
  agreed(index: number, fetched: Fetched): void;
  /** It does not, and how. */
  disagreed(index: number, how: string): void;
}

interface Waiting {
  readonly index: number;
  readonly stretch: TarStretch;
}

/** Ordinary members of tar archives that are taken together: those that touch are streamed as one. */
export class AheadTar {
  readonly #pool: ReadingPool;
  readonly #signal: AbortSignal;
  readonly #whole: boolean;
  readonly #runs: Waiting[][] = [];
  #bytes = 0;

  /** `streamed`: whole contents are wanted. */
  constructor({ pool, signal, streamed }: { readonly pool: ReadingPool; readonly signal: AbortSignal; readonly streamed: boolean }) {
    this.#pool = pool;
    this.#signal = signal;
    this.#whole = streamed;
  }

  /** Tells how many bytes will be held for it. */
  add(index: number, stretch: TarStretch): number {
    const run = this.#runs.at(-1);
    const length = stretch.end - stretch.start;
    const last = run?.at(-1)?.stretch;
    if (run !== undefined && last?.source === stretch.source && last?.end === stretch.start && this.#bytes + length <= bytesTogether) {
      run.push({ index, stretch });
      this.#bytes += length;
    } else {
      this.#runs.push([{ index, stretch }]);
      this.#bytes = length;
    }
    if (this.#whole && length <= bytesTogether) return length;
    return Math.min(length, endBytes);
  }

  /** Has everything streamed; what takes its time elsewhere comes back as promises. */
  start(found: StreamedMembers): readonly Promise<void>[] {
    return this.#runs.map(async (run) => {
      const answer = await this.#answer(run);
      if (answer?.kind === "tar") join(run, answer, found);
    });
  }

  async #answer(run: readonly Waiting[]): Promise<ReadingAnswer | undefined> {
    const [first] = run;
    if (first?.stretch.source === undefined) return undefined;
    const { source, start } = first.stretch;
    const members = Float64Array.from(run.flatMap(({ stretch }) => [stretch.end - stretch.start, stretch.dataStart - stretch.start, stretch.bytes]));
    const wanted = { offset: start, members, whole: this.#whole };
    const place = fileRunsOf(source, start, (run.at(-1)?.stretch.end ?? start) - start);
    const [only] = place?.runs ?? [];
    if (place === undefined || place.runs.length !== 1 || only === undefined || only.from < 0) return this.#here(wanted, source);
    const cost = this.#costOf(run);
    return this.#pool.run({ kind: "tar", handle: place.handle, ...wanted, offset: only.from }, cost);
  }

  #costOf(run: readonly Waiting[]): number {
    return run.reduce((sum, { stretch }) => sum + stretch.end - stretch.start + memberCost, 0);
  }

  async #here(wanted: Parameters<typeof streamTar>[0], source: ByteSource): Promise<TarAnswer | undefined> {
    const control = { isCancelled: () => this.#signal.aborted, passed: () => undefined };
    const answer = await streamTar(wanted, control, (offset, length) => ofItsOwn(source.read(offset, length)));
    return answer === "failed" ? undefined : answer;
  }
}

/** Brings together what the library saw and what we did, by order. */
function join(run: readonly Waiting[], { contents, facts, sha256, seen }: TarAnswer, found: StreamedMembers): void {
  for (const [at, { index, stretch }] of run.entries()) {
    const one = seen[at];
    if (one === undefined) continue;
    const how = disagreement(stretch.expected, one, facts[at * 4] === 1);
    if (how !== undefined) {
      found.disagreed(index, how);
      continue;
    }
    const [from = 0, headEnd = 0, tailEnd = 0] = facts.subarray(at * 4 + 1, at * 4 + 4);
    const head = contents.subarray(from, headEnd);
    const kept = head.byteLength === stretch.bytes ? { content: head, head } : { content: undefined, head, tail: contents.subarray(headEnd, tailEnd) };
    found.agreed(index, { bytes: stretch.bytes, sha256: sha256.slice(at * 64, at * 64 + 64), crc32: undefined, ...kept, digests: noDigests, blocks: noDigests });
  }
}

/** The same bytes as memory of one thread only. */
function ofItsOwn(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : Uint8Array.from(bytes);
}
