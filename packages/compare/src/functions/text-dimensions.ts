import type { DimensionFinding } from "./dimension-finding.js";
import { unknownDimension } from "./dimension-finding.js";
import { foreignTexts, type FunctionDossier, type FunctionSide } from "./function-side.js";
import { withoutGeneratedNames } from "./generated-name.js";
import { lineDifference, type ComparedLine, type LineDifference } from "./line-comparison.js";
import { listedInstructions, type ListedInstruction } from "./listing.js";

type TextFacet = FunctionDossier["pseudocode"];
type Change = DimensionFinding["changes"][number];

/** Compares pseudocode line by line; names that say only an address are left out and counted. */
export function comparePseudocode(left: FunctionSide, right: FunctionSide): DimensionFinding {
  const texts = comparableTexts(left, right, "pseudocode");
  if ("unknown" in texts) return texts.unknown;
  const before = maskedLines(texts.left.text);
  const after = maskedLines(texts.right.text);
  const seen = seenParts(before.lines, after.lines, texts);
  const difference = lineDifference(seen.left, seen.right);
  const masked = before.masked + after.masked;
  return textFinding({ difference, seen, meanings: [], unsure: 0, limitations: [...cutLimitation(texts), ...maskLimitation(masked)] });
}

/** Compares mnemonics and operands; places outside the function compare by what both dossiers know of them. */
export function compareAssembly(left: FunctionSide, right: FunctionSide): DimensionFinding {
  const texts = comparableTexts(left, right, "assembly");
  if ("unknown" in texts) return texts.unknown;
  const before = listedInstructions(left, texts.left.text);
  const after = listedInstructions(right, texts.right.text);
  const seen = seenParts(before, after, texts);
  const difference = lineDifference(seen.left, seen.right);
  const { changes, masked } = meaningChanges(seen.left, seen.right, difference);
  const unsure = doubtfulEdits(difference, [...before, ...after]);
  return textFinding({ difference, seen, meanings: changes, unsure, limitations: [...cutLimitation(texts), ...maskLimitation(masked)] });
}

interface Texts {
  readonly left: { readonly text: string; readonly whole: boolean };
  readonly right: { readonly text: string; readonly whole: boolean };
}

function comparableTexts(left: FunctionSide, right: FunctionSide, facet: "pseudocode" | "assembly"): Texts | { readonly unknown: DimensionFinding } {
  const foreign = foreignTexts(left, right);
  if (foreign !== undefined) return { unknown: unknownDimension(foreign) };
  const [before, after] = [textOf(left.dossier[facet]), textOf(right.dossier[facet])];
  const reasons = [before, after].flatMap((side) => ("reason" in side ? [side.reason] : []));
  if ("reason" in before || "reason" in after) return { unknown: unknownDimension(...new Set(reasons)) };
  return { left: before, right: after };
}

function textOf(facet: TextFacet): { readonly text: string; readonly whole: boolean } | { readonly reason: string } {
  if (facet.state === "unavailable") return { reason: facet.reason };
  const { text, offset, truncated } = facet.value;
  if (offset > 0) return { reason: "The text does not begin at its start; ask for the dossier from offset 0." };
  return { text, whole: !truncated };
}

interface Seen<L> {
  readonly left: readonly L[];
  readonly right: readonly L[];
  readonly whole: boolean;
}

/** Where a text is cut, only the lines that both sides show can be compared. The last line of a cut text may be half a line. */
function seenParts<L extends ComparedLine>(left: readonly L[], right: readonly L[], texts: Texts): Seen<L> {
  const before = texts.left.whole ? left : left.slice(0, -1);
  const after = texts.right.whole ? right : right.slice(0, -1);
  if (texts.left.whole && texts.right.whole) return { left, right, whole: true };
  const most = Math.min(texts.left.whole ? Infinity : before.length, texts.right.whole ? Infinity : after.length);
  return { left: before.slice(0, most), right: after.slice(0, most), whole: false };
}

interface TextEvidence<L extends ComparedLine> {
  readonly difference: LineDifference;
  readonly seen: Seen<L>;
  readonly meanings: readonly Change[];
  /** Edits that may be nothing but other addresses. */
  readonly unsure: number;
  readonly limitations: readonly string[];
}

function textFinding<L extends ComparedLine>({ difference, seen, meanings, unsure, limitations }: TextEvidence<L>): DimensionFinding {
  const { added, removed, delta } = difference;
  const edits = added.length + removed.length;
  const changed = edits > unsure || meanings.length > 0;
  const status = changed ? "changed" : seen.whole && unsure === 0 ? "unchanged" : "unknown";
  return {
    status,
    left: seen.left.map(({ key }) => key),
    right: seen.right.map(({ key }) => key),
    textDelta: delta,
    changes: changed
      ? [
          ...removed.map(({ shown }) => ({ kind: "removed" as const, left: shown, right: null })),
          ...added.map(({ shown }) => ({ kind: "added" as const, left: null, right: shown })),
          ...meanings,
        ]
      : [],
    limitations: [...limitations, ...(unsure > 0 ? ["Lines differ in numbers that may be addresses; ask for all outgoing references to tell."] : [])],
  };
}

/** Lines that are equal but for what a place in them means. */
function meaningChanges(
  left: readonly ListedInstruction[],
  right: readonly ListedInstruction[],
  { paired }: LineDifference,
): { readonly changes: Change[]; readonly masked: number } {
  const [ofLeft, ofRight] = [new Map<ComparedLine, ListedInstruction>(left.map((one) => [one, one])), new Map<ComparedLine, ListedInstruction>(right.map((one) => [one, one]))];
  const changes: Change[] = [];
  let masked = 0;
  for (const pair of paired) {
    const before = ofLeft.get(pair.left)?.meanings ?? [];
    const after = ofRight.get(pair.right)?.meanings ?? [];
    const known = before.map((meaning, index) => meaning !== null && (after[index] ?? null) !== null);
    masked += known.filter((both) => !both).length;
    if (before.some((meaning, index) => known[index] === true && meaning !== after[index])) {
      changes.push({ kind: "changed", left: pair.left.shown, right: pair.right.shown });
    }
  }
  return { changes, masked };
}

/** Removed and added lines that may be the same line with another address, as many as can be told. */
function doubtfulEdits({ added, removed }: LineDifference, listed: readonly ListedInstruction[]): number {
  const doubtful = new Set<ComparedLine>(listed.filter((one) => one.doubtful));
  const edits = [...added, ...removed];
  const shape = (one: ComparedLine): string => one.key.replace(/0x[0-9a-f]+/gu, "‹number›");
  const shapes = (lines: readonly ComparedLine[]): string => lines.map(shape).sort().join("\n");
  const all = edits.every((one) => doubtful.has(one)) && shapes(added) === shapes(removed);
  return all ? edits.length : 0;
}

function maskedLines(text: string): { readonly lines: readonly ComparedLine[]; readonly masked: number } {
  let count = 0;
  const lines = text.split("\n").map((shown) => {
    const { text: key, masked } = withoutGeneratedNames(shown);
    count += masked;
    return { key, shown };
  });
  return { lines, masked: count };
}

function cutLimitation({ left, right }: Texts): string[] {
  return left.whole && right.whole ? [] : ["A text is cut; only the lines that both sides show were compared."];
}

function maskLimitation(masked: number): string[] {
  return masked === 0 ? [] : [`${String(masked)} places of which not both sides know what lies there were not compared.`];
}
