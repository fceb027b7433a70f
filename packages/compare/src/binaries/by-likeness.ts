import { decideBest, type Candidate } from "./candidates.js";
import { hasBody, likeness, sizeRatio, type FunctionModel } from "./function-model.js";
import type { Matching } from "./matching.js";

const lanesOfBand = 2;
const bands = 12;
/** A band that more functions share is that of idioms, not of a function. */
const mostInBand = 40;

/** Pairs functions that do much the same, when nothing else does so as much. */
export function matchByLikeness(matching: Matching, least: number): number {
  const right = banded(matching.freeRight());
  const pairs = new Map<string, Candidate>();
  for (const a of matching.freeLeft().filter((fn) => hasBody(fn) && fn.print.instructions >= 6)) {
    for (let band = 0; band < bands; band += 1) {
      for (const b of right.get(bandKey(a, band)) ?? []) {
        const key = `${String(a.position)} ${String(b.position)}`;
        if (!pairs.has(key)) pairs.set(key, { left: a.position, right: b.position, score: scoreOf(a, b) });
      }
    }
  }
  const worth = [...pairs.values()].filter(({ score }) => score >= least);
  return decideBest(matching, worth, { basis: "similarity", margin: 1.12, confidence: ({ score }) => Math.min(930, 350 + 550 * score) });
}

/** What functions have in common: operations, size, shape, and the share of strings and imports. */
function scoreOf(a: FunctionModel, b: FunctionModel): number {
  const shape = a.print.flow === b.print.flow ? 1 : Math.min(a.print.blocks, b.print.blocks) / Math.max(1, a.print.blocks, b.print.blocks);
  return 0.6 * likeness(a, b) + 0.15 * sizeRatio(a, b) + 0.1 * shape + 0.15 * commonUse(a, b);
}

function commonUse(a: FunctionModel, b: FunctionModel): number {
  const [left, right] = [new Set([...a.strings, ...a.imports, ...a.constants]), new Set([...b.strings, ...b.imports, ...b.constants])];
  const all = new Set([...left, ...right]).size;
  if (all === 0) return 0.5;
  return [...left].filter((one) => right.has(one)).length / all;
}

function banded(functions: readonly FunctionModel[]): ReadonlyMap<string, readonly FunctionModel[]> {
  const found = new Map<string, FunctionModel[]>();
  for (const fn of functions.filter((one) => hasBody(one) && one.print.instructions >= 6)) {
    for (let band = 0; band < bands; band += 1) {
      const key = bandKey(fn, band);
      const known = found.get(key);
      if (known === undefined) found.set(key, [fn]);
      else known.push(fn);
    }
  }
  for (const [key, list] of found) if (list.length > mostInBand) found.delete(key);
  return found;
}

function bandKey({ sketch }: FunctionModel, band: number): string {
  const from = band * lanesOfBand;
  return `${String(band)} ${String(sketch[from])} ${String(sketch[from + 1])}`;
}
