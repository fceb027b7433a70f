import type { Truth } from "../corpus/truth.js";
import { inside, joined, total, within, without } from "./address-ranges.js";
import type { Findings } from "./analyse-file.js";

/** Right of all, as two counts; nothing wanted is everything found. */
export interface Share {
  readonly right: number;
  readonly all: number;
}

export interface Score {
  /** Found starts that are functions, of all found. */
  readonly precision: Share;
  /** Functions whose start was found, of all. */
  readonly recall: Share;
  /** Bytes of functions that belong to instructions found, of all; fill is left out. */
  readonly codeFound: Share;
  /** Bytes found to be instructions that are in functions, of all; what is neither for nor against is left out. */
  readonly codeRight: Share;
  /** What relocations refer to that the instruction is known to refer to. */
  readonly relocations: Share | undefined;
  readonly callSites: Share | undefined;
  /** Words of data known to hold an address, of those that do or are taken to. */
  readonly pointers: Share | undefined;
  readonly switchTables: Share | undefined;
}

/** Compares what was found with what is certain. */
export function score(truth: Truth, findings: Findings): Score {
  const [low, high] = truth.text;
  const wanted = new Set(truth.functions.map(({ start }) => start));
  const neutral = new Set([...truth.cold_parts, ...truth.crt]);
  // Some linkers' stubs have function symbols, some have none.
  const found = [...findings.starts, ...findings.stubs.filter((start) => wanted.has(start))];
  const judged = found.filter((start) => start >= low && start < high && (wanted.has(start) || !neutral.has(start)));
  const right = judged.filter((start) => wanted.has(start)).length;
  const references = referenceIndex(findings.references);
  return {
    precision: { right, all: judged.length },
    recall: { right, all: wanted.size },
    ...codeBytes(truth, findings),
    relocations: truth.relocations && relocationShare(truth, truth.relocations, references),
    callSites: truth.call_sites && callSiteShare(truth.call_sites, references),
    pointers: truth.pointers && pointerShare(truth.pointers, findings.pointers),
    switchTables: truth.switch_tables === undefined ? undefined : { right: Math.min(findings.switches, truth.switch_tables), all: truth.switch_tables },
  };
}

/** Functions without a size reach to the next start of anything; the fill before it is taken away with all other fill. */
function functionRanges(truth: Truth): [number, number][] {
  const starts = [...truth.functions.map(({ start }) => start), ...truth.cold_parts, ...truth.crt, truth.text[1]].sort((a, b) => a - b);
  let next = 0;
  return joined(
    truth.functions.map(({ start, size }): [number, number] => {
      while ((starts[next] ?? Infinity) <= start) next += 1;
      return [start, size > 0 ? start + size : (starts[next] ?? truth.text[1])];
    }),
  );
}

function codeBytes(truth: Truth, findings: Findings): Pick<Score, "codeFound" | "codeRight"> {
  const functions = functionRanges(truth);
  const fill = truth.fill ?? [];
  const code = without(functions, fill);
  const neutral = [...truth.cold_parts, ...truth.crt].map((start): [number, number] => [
    start,
    functions.find(([first]) => first > start)?.[0] ?? truth.text[1],
  ]);
  const judged = without(inside(findings.ranges, [truth.text]), joined([...without(neutral, functions), ...fill]));
  return {
    codeFound: { right: total(inside(code, findings.ranges)), all: total(code) },
    codeRight: { right: total(inside(judged, functions)), all: total(judged) },
  };
}

/** Addresses referred to by instruction. */
function referenceIndex(flat: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const index = new Map<number, number[]>();
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const from = flat[at] ?? 0;
    const known = index.get(from);
    if (known === undefined) index.set(from, [flat[at + 1] ?? 0]);
    else known.push(flat[at + 1] ?? 0);
  }
  return index;
}

const longestInstruction = 15;
/** An immediate after the field moves what the field counts from. */
const immediateBytes = [0, 1, 2, 4];

function relocationShare(truth: Truth, relocations: NonNullable<Truth["relocations"]>, references: ReadonlyMap<number, readonly number[]>): Share {
  const fields = inside(joined(relocations.map(({ at }): [number, number] => [at, at + 1])), functionRanges(truth));
  const judged = relocations.filter(({ at }) => within(at, fields));
  const right = judged.filter(({ at, to }) => {
    for (let from = at; from > at - longestInstruction; from -= 1) {
      const targets = references.get(from);
      if (targets !== undefined && immediateBytes.some((bytes) => targets.includes(to + bytes))) return true;
    }
    return false;
  });
  return { right: right.length, all: judged.length };
}

/** Shortest and longest direct call. */
const [shortestCall, longestCall] = [2, 7];

function callSiteShare(sites: NonNullable<Truth["call_sites"]>, references: ReadonlyMap<number, readonly number[]>): Share {
  const right = sites.filter(({ after, to }) => {
    for (let from = after - shortestCall; from >= after - longestCall; from -= 1) {
      if (references.get(from)?.some((target) => to.includes(target)) === true) return true;
    }
    return false;
  });
  return { right: right.length, all: sites.length };
}

function pointerShare({ sections, cells }: NonNullable<Truth["pointers"]>, flat: readonly number[]): Share {
  const known = new Map<number, number>();
  for (let at = 0; at + 1 < flat.length; at += 2) if (within(flat[at] ?? 0, sections)) known.set(flat[at] ?? 0, flat[at + 1] ?? 0);
  const right = cells.filter(({ at, to }) => known.get(at) === to).length;
  return { right, all: cells.length + known.size - right };
}
