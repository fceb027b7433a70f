import { canonicalDigestOfWhole, canonicalJson, compareCodePoints, type JsonValue, type WebChange, type WebDimension, type WebDimensionFinding } from "@rea/core";

/** One thing of a capture in the form in which it is compared. */
export interface ComparedItem {
  /** What makes it the same thing on both sides; things with one key are told apart by their values. */
  readonly key: string;
  readonly value: { readonly [field: string]: JsonValue };
  /** Equal values mean that the things are equal; default true. */
  readonly proves?: boolean;
}

export interface ComparedSection {
  readonly state: "complete" | "partial" | "unavailable";
  readonly items: readonly ComparedItem[];
  /** The order of the items means something. */
  readonly ordered: boolean;
}

export interface SectionFinding {
  readonly stepId: string | null;
  readonly dimension: WebDimensionFinding;
  readonly changes: readonly WebChange[];
}

export interface SectionPair {
  readonly dimension: WebDimension;
  readonly stepId: string | null;
  /** Null where it was not captured. */
  readonly left: ComparedSection | null;
  readonly right: ComparedSection | null;
}

const excerptUnits = 160;
const nothing: ComparedSection = { state: "unavailable", items: [], ordered: false };

/**
 * Compares one dimension. What is partial proves no absence and no equality, a difference of what both sides have stands.
 * Mirrored sides give the mirrored finding.
 */
export function compareSections(pair: SectionPair): SectionFinding {
  const { left, right } = pair;
  const changes = left === null || right === null ? [] : changesOf({ ...pair, left, right });
  const count = (...kinds: WebChange["change"][]): number => changes.filter(({ change }) => kinds.includes(change)).length;
  const counted = { added: count("added"), removed: count("removed"), changed: count("changed", "reordered"), unknown: count("unknown") };
  const differs = counted.added + counted.removed + counted.changed > 0;
  const reason = differs ? null : unknownReason(pair, counted.unknown);
  return {
    stepId: pair.stepId,
    dimension: {
      dimension: pair.dimension,
      status: differs ? "changed" : reason === null ? "unchanged" : "unknown",
      reason,
      left_items: left?.items.length ?? 0,
      right_items: right?.items.length ?? 0,
      ...counted,
      left_sha256: digestOf(left ?? nothing),
      right_sha256: digestOf(right ?? nothing),
    },
    changes,
  };
}

function unknownReason({ left, right }: SectionPair, unknown: number): WebDimensionFinding["reason"] {
  if (left === null && right === null) return "not_captured";
  if (left === null || right === null) return "captured_on_one_side";
  if (left.state !== "complete" || right.state !== "complete") return "incomplete";
  return unknown > 0 ? "equality_not_proven" : null;
}

function digestOf({ items, ordered }: ComparedSection): string {
  const texts = items.map(textOf);
  return canonicalDigestOfWhole(ordered ? texts : texts.sort(compareCodePoints)).sha256;
}

function textOf({ key, value }: ComparedItem): string {
  return canonicalJson([key, value]);
}

function changesOf({ dimension, stepId, left, right }: SectionPair & { readonly left: ComparedSection; readonly right: ComparedSection }): WebChange[] {
  const base = { dimension, step_id: stepId };
  const groups = { left: byKey(left), right: byKey(right) };
  const keys = [...new Set([...groups.left.keys(), ...groups.right.keys()])].sort(compareCodePoints);
  const changes = keys.flatMap((key): WebChange[] => {
    const { only, other, unproved } = unequal(groups.left.get(key) ?? [], groups.right.get(key) ?? []);
    const pairs = Array.from({ length: Math.max(only.length, other.length) }, (_, index) => [only[index], other[index]] as const);
    const place = key.slice(0, 512);
    return [
      ...pairs.map(([before, after]): WebChange => {
        const [was, is] = [before === undefined ? null : excerpt(before), after === undefined ? null : excerpt(after)];
        if (before !== undefined && after !== undefined) return { ...base, change: "changed", place, fields: fieldsOf(before, after), left: was, right: is };
        // What one side lacks may lie in the part of it that was not seen.
        const deniable = (before === undefined ? left : right).state === "complete";
        return { ...base, change: !deniable ? "unknown" : before === undefined ? "added" : "removed", place, fields: [], left: was, right: is };
      }),
      ...unproved.map((item): WebChange => ({ ...base, change: "unknown", place, fields: [], left: excerpt(item), right: excerpt(item) })),
    ];
  });
  if (changes.length > 0 || !left.ordered || left.items.length !== right.items.length) return changes;
  const moved = left.items.findIndex((item, index) => right.items[index] === undefined || textOf(item) !== textOf(right.items[index]));
  if (moved < 0) return changes;
  const [before, after] = [left.items[moved], right.items[moved]];
  return [{ ...base, change: "reordered", place: `position ${String(moved)}`, fields: [], left: before?.key.slice(0, excerptUnits) ?? null, right: after?.key.slice(0, excerptUnits) ?? null }];
}

interface Worded {
  readonly item: ComparedItem;
  readonly text: string;
}

function byKey({ items }: ComparedSection): Map<string, Worded[]> {
  const groups = new Map<string, Worded[]>();
  for (const item of items) {
    const group = groups.get(item.key);
    const worded = { item, text: textOf(item) };
    if (group === undefined) groups.set(item.key, [worded]);
    else group.push(worded);
  }
  return groups;
}

interface Unequal {
  readonly only: readonly ComparedItem[];
  readonly other: readonly ComparedItem[];
  /** Equal on both sides as far as was seen, which is not all there is to them. */
  readonly unproved: readonly ComparedItem[];
}

/** Takes equal ones out of both lists, as often as they are on both sides; everything is in the order of its text. */
function unequal(left: readonly Worded[], right: readonly Worded[]): Unequal {
  const [here, there] = [inOrder(left), inOrder(right)];
  const only: ComparedItem[] = [];
  const other: ComparedItem[] = [];
  const unproved: ComparedItem[] = [];
  for (let at = 0, against = 0; at < here.length || against < there.length; ) {
    const [mine, theirs] = [here[at], there[against]];
    const order = mine === undefined ? 1 : theirs === undefined ? -1 : compareCodePoints(mine.text, theirs.text);
    if (order <= 0) at += 1;
    if (order >= 0) against += 1;
    if (order < 0 && mine !== undefined) only.push(mine.item);
    else if (order > 0 && theirs !== undefined) other.push(theirs.item);
    else if (mine !== undefined && (mine.item.proves === false || theirs?.item.proves === false)) unproved.push(mine.item);
  }
  return { only, other, unproved };
}

/** Equal ones that prove their equality first, so that they meet each other. */
function inOrder(items: readonly Worded[]): Worded[] {
  return [...items].sort((a, b) => compareCodePoints(a.text, b.text) || Number(a.item.proves === false) - Number(b.item.proves === false));
}

function fieldsOf(left: ComparedItem, right: ComparedItem): string[] {
  const names = new Set([...Object.keys(left.value), ...Object.keys(right.value)]);
  return [...names].filter((name) => canonicalJson(left.value[name] ?? null) !== canonicalJson(right.value[name] ?? null)).sort(compareCodePoints);
}

function excerpt({ value }: ComparedItem): string {
  const text = canonicalJson(value);
  const cut = text.slice(0, excerptUnits);
  return text.length <= excerptUnits ? text : `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
