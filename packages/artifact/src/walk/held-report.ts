import type { ReaderReport } from "../format.js";

/** Keeps what a reader tells while it is ahead, to be told when the walk has come to the same place. */
export class HeldReport implements ReaderReport {
  readonly #to: ReaderReport;
  #held: (() => void)[] = [];

  constructor(to: ReaderReport) {
    this.#to = to;
  }

  /** What was told since the last time; undefined for nothing. */
  take(): readonly (() => void)[] | undefined {
    if (this.#held.length === 0) return undefined;
    const held = this.#held;
    this.#held = [];
    return held;
  }

  part(found: Parameters<ReaderReport["part"]>[0]): void {
    this.#held.push(() => this.#to.part(found));
  }

  anomaly(found: Parameters<ReaderReport["anomaly"]>[0]): void {
    this.#held.push(() => this.#to.anomaly(found));
  }

  omission(left: Parameters<ReaderReport["omission"]>[0]): void {
    this.#held.push(() => this.#to.omission(left));
  }

  manifest(found: Parameters<NonNullable<ReaderReport["manifest"]>>[0]): void {
    this.#held.push(() => this.#to.manifest?.(found));
  }

  signature(found: Parameters<NonNullable<ReaderReport["signature"]>>[0]): void {
    this.#held.push(() => this.#to.signature?.(found));
  }

  contradiction(found: Parameters<NonNullable<ReaderReport["contradiction"]>>[0]): void {
    this.#held.push(() => this.#to.contradiction?.(found));
  }
}
