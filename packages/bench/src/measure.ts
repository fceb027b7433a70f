import { performance } from "node:perf_hooks";
import { childrenCpuMs } from "./children-cpu.js";
import type { Benchmark, Contender } from "./benchmark.js";

export interface Measurement {
  readonly label: string;
  /** Median wall time of one run; null when it could not run. */
  readonly medianMs: number | null;
  /** Median over the rounds of (own time ÷ the reference's time in the same round). */
  readonly ratio: number | null;
  /** The same of CPU time, where every run is a process of its own and the host tells. */
  readonly cpu: { readonly medianMs: number; readonly ratio: number | null } | null;
  readonly note: string;
}

/**
 * Runs reference and contenders in turn, round after round, so that a busy moment of the machine meets all of them.
 * The first round warms caches and compilers and is not counted.
 */
export async function measure(benchmark: Benchmark): Promise<readonly Measurement[]> {
  const all = [benchmark.reference, ...benchmark.contenders];
  const times = new Map<Contender, number[]>(all.map((contender) => [contender, []]));
  const cpuTimes = new Map<Contender, number[]>(all.map((contender) => [contender, []]));
  const rounds = benchmark.rounds ?? 7;
  for (let round = 0; round <= rounds; round += 1) {
    for (const contender of all.filter((one) => one.unavailable === undefined)) {
      const cpuBefore = childrenCpuMs();
      const start = performance.now();
      await contender.run();
      if (round === 0) continue;
      times.get(contender)?.push(performance.now() - start);
      const cpuAfter = childrenCpuMs();
      if (cpuBefore !== undefined && cpuAfter !== undefined) cpuTimes.get(contender)?.push(cpuAfter - cpuBefore);
    }
  }
  const reference = times.get(benchmark.reference) ?? [];
  const cpuReference = cpuTimes.get(benchmark.reference) ?? [];
  return all.map((contender) => ({
    ...summarize(contender, times.get(contender) ?? [], reference),
    cpu: benchmark.processes === true ? cpuOf(cpuTimes.get(contender) ?? [], cpuReference) : null,
  }));
}

function cpuOf(own: readonly number[], reference: readonly number[]): Measurement["cpu"] {
  const medianMs = median(own);
  return medianMs === null ? null : { medianMs, ratio: median(ratiosOf(own, reference)) };
}

function summarize(contender: Contender, own: readonly number[], reference: readonly number[]): Omit<Measurement, "cpu"> {
  return {
    label: contender.label,
    medianMs: median(own),
    ratio: median(ratiosOf(own, reference)),
    note: contender.unavailable === undefined ? "" : `skipped: ${contender.unavailable}`,
  };
}

function ratiosOf(own: readonly number[], reference: readonly number[]): readonly number[] {
  return own.flatMap((value, round) => {
    const base = reference[round];
    return base === undefined || base === 0 ? [] : [value / base];
  });
}

/** Null for an empty list. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle];
  if (high === undefined) return null;
  const low = sorted[middle - 1];
  return sorted.length % 2 === 1 || low === undefined ? high : (low + high) / 2;
}
