/** One contender: something that can be done again and again. */
export interface Contender {
  readonly label: string;
  /** Why it cannot run here, or undefined. */
  readonly unavailable?: string;
  run(): Promise<void> | void;
}

/** Machines differ and are never quiet, so a benchmark states how much longer a contender takes than the reference. */
export interface Benchmark {
  readonly name: string;
  readonly reference: Contender;
  readonly contenders: readonly Contender[];
  /** Rounds measured after one that is thrown away; each round runs every contender once. Default 7. */
  readonly rounds?: number;
  /** True when each run is nothing but processes of its own, so that their CPU time tells something as well. */
  readonly processes?: boolean;
  /** Releases what the contenders share, after the last round. */
  readonly close?: () => Promise<unknown>;
}
