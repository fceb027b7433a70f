import type { ComparedSource, SourceComparisonState } from "@rea/core";
import type { ApplicationUnit, ApplicationUnits } from "./application-units.js";
import { wordsOf, type ScoredTarget, type SourceFile } from "./score-targets.js";
import type { Words } from "./word-overlap.js";

export interface Judgement {
  readonly status: SourceComparisonState;
  readonly confidence: ComparedSource["confidence"];
  readonly reason: string | null;
}

export interface JudgedWith {
  readonly units: ApplicationUnits;
  /** How many files of the reference have this content. */
  sameContent(sha256: string): number;
  /** How many files of the reference have most of their words in a unit. */
  inside(unit: ApplicationUnit): number;
  readonly isComplete: boolean;
  readonly isMapped: boolean;
}

const most = 600;
const some = 200;
/** A target that is so much of the best one's score is as good. */
const rival = 800;
const fewestWords = 4;

/** What became of a source. */
export function judgeSource(file: SourceFile, targets: readonly ScoredTarget[], by: JudgedWith): Judgement {
  const exact = targets.filter(({ signals }) => signals.has("content-digest") || signals.has("original-digest") || signals.has("code-digest"));
  if (exact.length > 0) return whereExact(file, exact, by);
  const originals = targets.filter(({ signals }) => signals.has("original-path"));
  if (originals.length > 0) return byOriginal(originals);
  const alike = targets.filter(({ signals }) => signals.has("structure-digest"));
  if (alike.length === 1) return { status: "modified", confidence: "high", reason: "Its structure is the same, its literals are not." };
  return byWords(file, targets, by);
}

/** The content is there: once, several times, or in parts. */
function whereExact(file: SourceFile, exact: readonly ScoredTarget[], { units, sameContent }: JudgedWith): Judgement {
  const isCode = exact.every(({ signals }) => !signals.has("content-digest") && !signals.has("original-digest"));
  const confidence = isCode ? "medium" : "high";
  const [only, ...more] = exact.filter(({ signals }) => signals.has("original-digest"));
  if (only !== undefined && more.length === 0) {
    const shares = units.side.to(only.unit.node.node_id).filter(({ relation }) => relation === "maps_to").map(({ properties }) => (typeof properties["segments"] === "number" ? properties["segments"] : 0));
    const largest = Math.max(...shares, 0);
    const large = shares.filter((share) => share * 2 >= largest).length;
    if (shares.length > 1 && large > 1) return { status: "duplicated", confidence: "medium", reason: "Several pieces of code come from it in like amounts." };
    if (shares.length > 1) return { status: "split", confidence: "medium", reason: "Its code is spread over several pieces." };
  }
  const places = new Set(exact.flatMap(({ unit }) => units.placesOf(unit).map(({ node_id }) => node_id)));
  const isSeveral = places.size > 1 && sameContent(file.sha256) < places.size;
  if (isSeveral) return { status: "duplicated", confidence, reason: null };
  return { status: "unchanged", confidence, reason: isCode ? "Local names and layout are not compared." : null };
}

function byOriginal(originals: readonly ScoredTarget[]): Judgement {
  const [best, second] = originals;
  if (second !== undefined && best !== undefined && second.target.score * 1000 >= best.target.score * rival) return { status: "unknown", confidence: "unknown", reason: "Several originals have a path like it." };
  if (best?.unit.sha256 === undefined) return { status: "unknown", confidence: "unknown", reason: "A source map names it without its text." };
  return { status: "modified", confidence: "high", reason: null };
}

function byWords(file: SourceFile, targets: readonly ScoredTarget[], by: JudgedWith): Judgement {
  const [best, second] = targets;
  const words = wordsOf(file);
  if (best === undefined) return absent(words, by);
  const isAlone = second === undefined || second.target.score * 1000 < best.target.score * rival;
  const holds = best.inUnit !== null && best.inUnit >= most;
  const isLike = holds && best.ofUnit !== null && best.ofUnit >= most;
  const isNamed = best.signals.has("module-path") || best.signals.has("exports");
  if (isLike && isAlone) return { status: "modified", confidence: isNamed ? "medium" : "low", reason: null };
  const parts = targets.filter(({ inUnit, ofUnit }) => inUnit !== null && inUnit >= some && ofUnit !== null && ofUnit >= most);
  if (parts.length > 1 && !holds && covered(words, parts) >= most) return { status: "split", confidence: "low", reason: "Several pieces hold parts of its words." };
  if (holds && isAlone && by.inside(best.unit) > 1) return { status: "merged", confidence: "low", reason: "Its words are in a larger piece, together with those of other files." };
  if (best.signals.has("module-path") && isAlone) return { status: "modified", confidence: "low", reason: "Only its path speaks for it." };
  const isFaint = targets.every(({ inUnit, signals }) => (inUnit ?? 0) < some && !signals.has("exports"));
  if (isFaint) return absent(words, by);
  return { status: "unknown", confidence: "unknown", reason: isAlone ? "Too little of it was recognised." : "Several pieces are like it." };
}

/** Per mille of the words that at least one of the parts has. */
function covered(words: Words | undefined, parts: readonly ScoredTarget[]): number {
  if (words === undefined || words.hashes.size === 0) return 0;
  const found = [...words.hashes].filter((hash) => parts.some(({ unit }) => unit.words?.hashes.has(hash) === true)).length;
  return Math.floor((found * 1000) / words.hashes.size);
}

/** Nothing speaks for it: removed only when it would have been seen. */
function absent(words: Words | undefined, { units, isComplete, isMapped }: JudgedWith): Judgement {
  if (!isComplete) return { status: "unknown", confidence: "unknown", reason: "The application was not read whole." };
  if (isMapped) return { status: "removed", confidence: "high", reason: "Source maps tell of all code, and none names it." };
  if (words === undefined || words.hashes.size < 2 * fewestWords) return { status: "unknown", confidence: "unknown", reason: "It is too small to be recognised." };
  const isBlind = units.shifts.some((coarser) => couldHide(words, coarser));
  if (isBlind) return { status: "unknown", confidence: "unknown", reason: "A piece of the application is too large to tell what is not in it." };
  return { status: "removed", confidence: "medium", reason: "Its words are in no code of the application." };
}

/** Whether too few of the words could be seen in a sample of that shift. */
function couldHide({ hashes, shift }: Words, coarser: number): boolean {
  if (coarser <= shift) return false;
  const bound = 2 ** (32 - coarser);
  return [...hashes].filter((hash) => hash < bound).length < fewestWords;
}
