import type { CaptureNormalization } from "@rea/core";
import { placesOf, processNumbers, type KnownValue } from "./known-values.js";
import { portNumbers } from "./ports.js";
import { isWholeToken, type TextRange } from "./tokens.js";

/** Finds the matches of one regular expression, in order and without overlap, in time linear in the text. */
export type PatternFinder = (text: string) => Iterable<TextRange>;

export interface NormalizerOptions {
  readonly rules: CaptureNormalization;
  /** Directories of the run and of its host; replaced where the rules ask for paths. */
  readonly paths: readonly KnownValue[];
  /** What the run itself made up, such as the token of a server's URL; always replaced. */
  readonly values: readonly KnownValue[];
  /** Words for process numbers; `processAliases` makes them. */
  readonly pids: ReadonlyMap<number, string>;
  /** Makes a finder of each of the rules' patterns; throws `invalid_request` for one that is none. */
  readonly compile: (pattern: string) => PatternFinder;
}

/** The view of a run in which two runs of one program are equal. */
export interface Normalizer {
  /** Replaces whole tokens only; equal texts give equal texts. */
  text(value: string): string;
  /** The start of the moment's bucket. */
  timeMs(value: number): number;
}

interface Replacement extends TextRange {
  readonly alias: string;
}

/**
 * Rules are applied to the text as it came: what one rule replaced no other rule sees, so that no replacement is replaced.
 * Patterns come first, then values of the run, paths (longer ones first), ports and process numbers.
 */
export function createNormalizer({ rules, paths, values, pids, compile }: NormalizerOptions): Normalizer {
  const patterns = rules.patterns.map(({ pattern, replacement }) => ({ find: compile(pattern), replacement }));
  const known = [...byLength(values), ...(rules.paths ? byLength(paths) : [])];
  const found = function* (text: string): Generator<Replacement> {
    for (const { find, replacement } of patterns) {
      for (const range of find(text)) if (isWholeToken(text, range)) yield { start: range.start, end: range.end, alias: replacement };
    }
    for (const { value, alias } of known) for (const range of placesOf(text, value)) yield { ...range, alias };
    if (rules.ports) for (const range of portNumbers(text)) yield { ...range, alias: "<port>" };
    if (rules.pids) yield* processNumbers(text, pids);
  };
  return {
    text: (value) => replaced(value, found(value)),
    timeMs: (value) => Math.floor(value / rules.time_bucket_ms) * rules.time_bucket_ms,
  };
}

/** Words for the processes of a run by order of first sight, so that equal trees have equal words. */
export function processAliases(pids: Iterable<number>): ReadonlyMap<number, string> {
  const aliases = new Map<number, string>();
  for (const pid of pids) if (!aliases.has(pid)) aliases.set(pid, `<pid:${String(aliases.size)}>`);
  return aliases;
}

function byLength(values: readonly KnownValue[]): KnownValue[] {
  return [...values].sort((a, b) => b.value.length - a.value.length);
}

/** The first to claim a place keeps it. */
function replaced(text: string, found: Iterable<Replacement>): string {
  const taken = new Uint8Array(text.length);
  const kept: Replacement[] = [];
  for (const each of found) {
    if (taken.subarray(each.start, each.end).includes(1)) continue;
    taken.fill(1, each.start, each.end);
    kept.push(each);
  }
  kept.sort((a, b) => a.start - b.start);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, alias } of kept) {
    parts.push(text.slice(at, start), alias);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}
