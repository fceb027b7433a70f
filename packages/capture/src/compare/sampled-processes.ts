import { canonicalJson, compareCodePoints, type JsonObject, type SampledProcess } from "@rea/core";
import { normalizedFields, type CaptureView } from "./capture-view.js";
import { comparedItem, itemDifference, type ComparedItem, type FoundDifference } from "./compared-items.js";

/** A process of one run, as sampling saw it in the end. */
export interface SeenProcess {
  /** File names of the programs from the root on. */
  readonly lineage: string;
  readonly item: ComparedItem;
  /** It was seen for so long, or is the program itself, that the other run would show it had it been there. */
  readonly certain: boolean;
}

const surelySeenMs = 1000;
const deepest = 32;

interface Life extends Pick<SampledProcess, "process" | "parent" | "program" | "arguments"> {
  readonly fromMs: number;
  readonly order: number | null;
}

/** In the order of their lineage and arguments, the certain ones of equal ones first. */
export function seenProcesses(view: CaptureView): SeenProcess[] {
  const { process_samples: samples, exit } = view.capture;
  const lives = livesOf(view);
  const ends = new Map(samples.flatMap(({ ended, at_ms }) => ended.map((process) => [process, at_ms] as const)));
  const lastMs = Math.max(exit.at_ms, samples.at(-1)?.at_ms ?? 0);
  return [...lives.values()]
    .map((life) => ({
      lineage: lineageOf(life, lives),
      item: comparedItem(viewOf(life, view), life.order),
      certain: life.process === 0 || (ends.get(life.process) ?? lastMs) - life.fromMs >= surelySeenMs,
    }))
    .sort((a, b) => compareCodePoints(a.lineage, b.lineage) || compareCodePoints(a.item.text, b.item.text) || Number(b.certain) - Number(a.certain));
}

/**
 * Equal processes pair first; of what is left those of one lineage pair when there are equally many. What was seen shortly
 * on one side only proves nothing about the other.
 */
export function compareSeen(left: readonly SeenProcess[], right: readonly SeenProcess[]): FoundDifference[] {
  const [onlyLeft, onlyRight] = [withoutEqual(left, right), withoutEqual(right, left)];
  const lineages = [...new Set([...onlyLeft, ...onlyRight].map(({ lineage }) => lineage))].sort(compareCodePoints);
  return lineages.flatMap((lineage) => {
    const [a, b] = [onlyLeft.filter((one) => one.lineage === lineage), onlyRight.filter((one) => one.lineage === lineage)];
    if (a.length === b.length) return a.flatMap((one, index) => difference(lineage, one, b[index]));
    return [...a.flatMap((one) => difference(lineage, one, undefined)), ...b.flatMap((one) => difference(lineage, undefined, one))];
  });
}

function difference(place: string, left: SeenProcess | undefined, right: SeenProcess | undefined): FoundDifference[] {
  const found = itemDifference(left?.item, right?.item, { collection: "process_samples", place });
  if (found === undefined) return [];
  const certain = [left, right].every((one) => one === undefined || one.certain);
  return [certain ? found : { ...found, state: "unknown" }];
}

/** Those that have no equal on the other side; of equal ones those seen longest pair first. */
function withoutEqual(own: readonly SeenProcess[], other: readonly SeenProcess[]): SeenProcess[] {
  const key = ({ lineage, item }: SeenProcess): string => canonicalJson([lineage, item.text]);
  const remaining = new Map<string, number>();
  for (const one of other) remaining.set(key(one), (remaining.get(key(one)) ?? 0) + 1);
  return own.filter((one) => {
    const count = remaining.get(key(one)) ?? 0;
    if (count > 0) remaining.set(key(one), count - 1);
    return count === 0;
  });
}

function livesOf(view: CaptureView): ReadonlyMap<number, Life> {
  const lives = new Map<number, Life>();
  for (const [index, sample] of view.capture.process_samples.entries()) {
    const order = view.orderOf("process_samples", index);
    for (const { process, parent, program, arguments: given } of sample.appeared) lives.set(process, { process, parent, program, arguments: given, fromMs: sample.at_ms, order });
    for (const { process, program, arguments: given } of sample.became) {
      const known = lives.get(process);
      if (known !== undefined) lives.set(process, { ...known, program, arguments: given });
    }
  }
  return lives;
}

function viewOf({ program, arguments: given }: Life, { normalized }: CaptureView): JsonObject {
  return normalizedFields({ program, arguments: given }, normalized);
}

function lineageOf(life: Life, lives: ReadonlyMap<number, Life>): string {
  const names: string[] = [];
  let at: Life | undefined = life;
  while (at !== undefined && names.length < deepest) {
    names.unshift(at.program?.split(/[\\/]/).at(-1) ?? "?");
    at = at.parent === null ? undefined : lives.get(at.parent);
  }
  return names.join(" > ");
}
