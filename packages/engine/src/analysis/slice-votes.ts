import type { StringRuns } from "./string-runs.js";

/** What speaks for a slice, from weak to strong; votes for the same slice add up. */
export const sliceWeight = {
  /** Address and number stand side by side in code, in registers that say nothing. */
  neighbours: 1,
  /** They stand where a pair is passed, returned or stored. */
  pair: 2,
  /** A pointer and a length one behind the other in data. */
  header: 3,
} as const;

/** Pairs of an address inside text and a length, with how much speaks for each. */
export class SliceVotes {
  /** Rust: a constant message is passed as its address and twice its length plus one (newer `core::fmt::Arguments`). */
  readonly tagged: boolean;
  readonly #runs: StringRuns;
  readonly #votes = new Map<number, Map<number, number>>();

  constructor(runs: StringRuns, tagged: boolean) {
    this.#runs = runs;
    this.tagged = tagged;
  }

  /** True where a slice may start: inside text. */
  isText(rva: number): boolean {
    return this.#runs.indexAt(rva) >= 0;
  }

  /** Ignored unless the slice lies inside one run of text. */
  add(start: number, number: number, weight: number): void {
    const run = this.#runs.indexAt(start);
    if (run < 0 || number < 1) return;
    const left = this.#runs.endOf(run) - start;
    const length = this.tagged && number > left && number % 2 === 1 ? (number - 1) / 2 : number;
    if (length < 1 || length > left) return;
    const lengths = this.#votes.get(start);
    if (lengths === undefined) this.#votes.set(start, new Map([[length, weight]]));
    else lengths.set(length, (lengths.get(length) ?? 0) + weight);
  }

  /** Addresses that some vote starts at, sorted. */
  starts(): readonly number[] {
    return [...this.#votes.keys()].sort((a, b) => a - b);
  }

  lengthsAt(start: number): ReadonlyMap<number, number> {
    return this.#votes.get(start) ?? none;
  }
}

const none: ReadonlyMap<number, number> = new Map();
