import type { ByteSource } from "@rea/core";
import type { ReadingAnswer, TarAnswer } from "../pool/reading-job.js";
import type { ReadingPool } from "../pool/reading-pool.js";
import { streamTar } from "../pool/read-tar.js";
import { noDigests, type Fetched } from "../reading/fetched.js";
import { fileRunsOf } from "../reading/file-runs.js";
import { disagreement, type TarStretch } from "../reading/tar/tar-stretch.js";

/** Members are streamed together up to so many bytes, which may be read at once. */
const bytesTogether = 4 * 1024 * 1024;
const headBytes = 64 * 1024;
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
  readonly #wholeBytes: number;
  readonly #runs: Waiting[][] = [];
  #bytes = 0;

  constructor({ pool, signal }: { readonly pool: ReadingPool; readonly signal: AbortSignal }, wholeBytes: number) {
    this.#pool = pool;
    this.#signal = signal;
    this.#wholeBytes = wholeBytes;
  }

  add(index: number, stretch: TarStretch): void {
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
    const wanted = { offset: start, members, wholeBytes: this.#wholeBytes, headBytes };
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
    const answer = await streamTar(wanted, control, (offset, length) => source.read(offset, length));
    return answer === "failed" ? undefined : answer;
  }
}

/** Brings together what the library saw and what we did, by order. */
function join(run: readonly Waiting[], { contents, facts, sha256, seen }: TarAnswer, found: StreamedMembers): void {
  for (const [at, { index, stretch }] of run.entries()) {
    const one = seen[at];
    if (one === undefined) continue;
    const how = disagreement(stretch.expected, one, facts[at * 3] === 1);
    if (how !== undefined) {
      found.disagreed(index, how);
      continue;
    }
    const head = contents.subarray(at === 0 ? 0 : facts[at * 3 - 1], facts[at * 3 + 2]);
    const content = head.byteLength === stretch.bytes ? head : undefined;
    found.agreed(index, { bytes: stretch.bytes, sha256: sha256.slice(at * 64, at * 64 + 64), crc32: undefined, content, head, digests: noDigests, blocks: noDigests });
  }
}
