import type { Seeds } from "./seeds.js";

/** Where compilers that optimise for speed start functions on most machines. */
export const usualAlignment = 16;

/** True when nearly all functions known so far start at multiples of 16. */
export function alignsFunctions({ sources, stubs }: Pick<Seeds, "sources" | "stubs">): boolean {
  let all = 0;
  let aligned = 0;
  sources.forEachStart((start) => {
    if (stubs.has(start)) return;
    all += 1;
    if (start % usualAlignment === 0) aligned += 1;
  });
  return aligned >= all * 0.9;
}
