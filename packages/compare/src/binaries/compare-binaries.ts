import {
  canonicalDigestOfWhole,
  coverageOf,
  pageOf,
  type BinaryComparison,
  type FunctionPlace,
  type NativeFingerprint,
  type Omission,
} from "@rea/core";
import { functionChange } from "./changed-function.js";
import { comparedFiles, type FileFacts } from "./file-facts.js";
import { functionModels, hasBody, type FunctionModel } from "./function-model.js";
import { matchFunctions } from "./match-functions.js";
import type { FunctionMatch, Matching } from "./matching.js";
import { movedCode } from "./moved-code.js";

/** What is known of one of two programs. */
export interface BinarySide {
  readonly sha256: string;
  readonly bytes: number;
  readonly format: string;
  readonly architecture: string | null;
  readonly functions: readonly NativeFingerprint[];
  readonly facts: FileFacts;
  /** What is missing of the above. */
  readonly omissions: readonly Omission[];
}

export interface BinaryComparisonRequest {
  readonly offset: number;
  readonly limit: number;
  readonly names: boolean;
  /** Called now and then; throws to stop. */
  readonly checkpoint: () => void;
}

/** Items of lists that have no pages. */
const shown = 50;

export interface ComparedBinaries {
  readonly result: BinaryComparison;
  readonly whole: Whole;
}

type Whole = { readonly kind: "function-inventory"; readonly sha256: string; readonly bytes: number; readonly content: object };

/**
 * Compares two programs whole: functions matched and told apart, and what the files declare. A part of one side that was not
 * looked at makes `added` and `removed` possible, not certain, and equality unknown. Pure but for the time it takes.
 */
export function compareBinaries(left: BinarySide, right: BinarySide, request: BinaryComparisonRequest): ComparedBinaries {
  const matching = matchedSides(left, right, request);
  request.checkpoint();
  const matched = described(matching);
  const whole = inventoryOf(matched);
  const files = comparedFiles(left.facts, right.facts, shown);
  const [added, removed] = [matching.freeRight().filter(hasBody), matching.freeLeft().filter(hasBody)];
  const changed = matched.filter(({ change }) => change.parts.length > 0).sort((a, b) => b.change.weight - a.change.weight || a.match.left - b.match.left);
  const moved = movedCode(matching);
  const omissions = [...left.omissions, ...right.omissions];
  const page = <T, R>(items: readonly T[], map: (item: T) => R) => pageOf(items, request, map, omissions);
  const differs = changed.length + added.length + removed.length > 0 || files.differ;
  const result: BinaryComparison = {
    status: differs ? "changed" : omissions.length > 0 ? "unknown" : "unchanged",
    summary: {
      left: sideOf(left),
      right: sideOf(right),
      functions: {
        unchanged: matched.length - changed.length,
        changed: changed.length,
        added: added.length,
        removed: removed.length,
        split: moved.filter(({ kind }) => kind === "split_from").length,
        merged: moved.filter(({ kind }) => kind === "merged_into").length,
      },
      matched_by: basesOf(matched),
    },
    matches: page(matched, ({ left: a, right: b, match, change }) => ({ ...pairOf(a, b, match), status: change.parts.length > 0 ? "changed" : "unchanged" })),
    changed: page(changed, ({ left: a, right: b, match, change }) => ({
      ...pairOf(a, b, match),
      similarity_permille: change.similarityPermille,
      instructions: { left: a.print.instructions, right: b.print.instructions },
      blocks: { left: a.print.blocks, right: b.print.blocks },
      parts: [...change.parts],
    })),
    added: page(added, placeOf),
    removed: page(removed, placeOf),
    moved_code: bounded(moved, ({ kind, fn, other, likenessPermille }) => ({ kind, function: placeOf(fn), other: placeOf(other), likeness_permille: likenessPermille })),
    ...files.lists,
    inventory: { sha256: whole.sha256, bytes: whole.bytes },
    coverage: coverageOf(omissions),
    limitations: [
      "Which function is which is inferred where names do not tell; each match says from what, and how sure it is.",
      ...(omissions.length > 0 ? ["A side was not analysed whole, so a function without a partner may only not have been found on the other side."] : []),
    ],
  };
  return { result, whole };
}

/** The stages decide one after another, so their order of work is fixed: swapping the sides mirrors the result. */
function matchedSides(left: BinarySide, right: BinarySide, request: BinaryComparisonRequest): Matching {
  const [before, after] = [functionModels(left.functions), functionModels(right.functions)];
  if (left.sha256 <= right.sha256) return matchFunctions(before, after, request);
  return matchFunctions(after, before, request).mirrored();
}

interface Described {
  readonly match: FunctionMatch;
  readonly left: FunctionModel;
  readonly right: FunctionModel;
  readonly change: ReturnType<typeof functionChange>;
}

/** Pairs of functions with a body here, by the address on the left. */
function described(matching: Matching): Described[] {
  return matching.matches().flatMap((match) => {
    const [left, right] = [matching.left[match.left], matching.right[match.right]];
    if (left === undefined || right === undefined || !hasBody(left) || !hasBody(right)) return [];
    return [{ match, left, right, change: functionChange(matching, left, right) }];
  });
}

function inventoryOf(matched: readonly Described[]): Whole {
  const content = {
    matches: matched.map(({ match, left, right, change }) => ({
      left: left.print.address,
      right: right.print.address,
      basis: match.basis,
      confidence_permille: match.confidencePermille,
      parts: [...change.parts],
    })),
  };
  return { kind: "function-inventory", ...canonicalDigestOfWhole(content), content };
}

function basesOf(matched: readonly Described[]): BinaryComparison["summary"]["matched_by"] {
  const counts = new Map<FunctionMatch["basis"], number>();
  for (const { match } of matched) counts.set(match.basis, (counts.get(match.basis) ?? 0) + 1);
  return [...counts].map(([basis, count]) => ({ basis, count })).sort((a, b) => b.count - a.count || (a.basis < b.basis ? -1 : 1));
}

function pairOf(left: FunctionModel, right: FunctionModel, { basis, confidencePermille }: FunctionMatch) {
  return { left: placeOf(left), right: placeOf(right), basis, confidence_permille: confidencePermille };
}

function placeOf({ print: { address, name, demangled, size } }: FunctionModel): FunctionPlace {
  return { address, name, ...(demangled === undefined ? {} : { demangled }), size };
}

function sideOf({ sha256, bytes, format, architecture, functions }: BinarySide): BinaryComparison["summary"]["left"] {
  return { sha256, bytes, format, architecture, functions: functions.filter(({ external, instructions }) => !external && instructions > 0).length };
}

function bounded<T, R>(items: readonly T[], map: (item: T) => R) {
  const returned = items.slice(0, shown).map(map);
  return { items: returned, returned: returned.length, total: items.length, truncated: returned.length < items.length, next_offset: null };
}
