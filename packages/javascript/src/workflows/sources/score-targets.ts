import { sourceSignalWeights, type SourceReferenceEntry, type SourceSignal, type SourceTarget } from "@rea/core";
import type { ApplicationUnit, ApplicationUnits } from "./application-units.js";
import { overlap, wordsFrom, type Words } from "./word-overlap.js";

export type SourceFile = Extract<SourceReferenceEntry, { kind: "file" }>;

/** A place of the application with what speaks for it. */
export interface ScoredTarget {
  readonly unit: ApplicationUnit;
  readonly target: SourceTarget;
  readonly signals: ReadonlyMap<SourceSignal, number>;
  /** Shares of the file's words that are in the unit, and the other way round, in per mille; null where too few can be compared. */
  readonly inUnit: number | null;
  readonly ofUnit: number | null;
}

const mostSharing = 24;
const fewestWords = 4;

/** Where a source may be in the application, the likeliest first. */
export function scoreTargets(file: SourceFile, units: ApplicationUnits): readonly ScoredTarget[] {
  const words = wordsOf(file);
  const candidates = new Set<ApplicationUnit>([
    ...units.withDigest(file.sha256),
    ...(file.unit === null ? [] : [...units.withCode(file.unit.code_sha256), ...units.withStructure(file.unit.structure_sha256)]),
    ...units.withPath(file.path),
    ...(words === undefined ? [] : units.sharing(words, mostSharing)),
  ]);
  return [...candidates]
    .map((unit) => scored({ file, words, unit, byPath: units.withPath(file.path) }))
    .filter(({ target }) => target.score > 0)
    .sort((a, b) => b.target.score - a.target.score || (a.target.node_id < b.target.node_id ? -1 : 1));
}

export function wordsOf({ unit }: SourceFile): Words | undefined {
  return unit === null ? undefined : wordsFrom(unit.words, unit.words_shift);
}

interface Scoring {
  readonly file: SourceFile;
  readonly words: Words | undefined;
  readonly unit: ApplicationUnit;
  readonly byPath: readonly ApplicationUnit[];
}

function scored({ file, words, unit, byPath }: Scoring): ScoredTarget {
  const signals = new Map<SourceSignal, number>();
  const add = (signal: SourceSignal, share = 1000): void => {
    const weight = Math.floor((sourceSignalWeights[signal] * share) / 1000);
    if (weight > 0) signals.set(signal, weight);
  };
  const isOriginal = unit.node.kind === "source-module";
  if (unit.sha256 === file.sha256) add(isOriginal ? "original-digest" : "content-digest");
  else if (file.unit !== null && unit.code === file.unit.code_sha256) add("code-digest");
  else if (file.unit !== null && unit.structure === file.unit.structure_sha256) add("structure-digest");
  if (byPath.includes(unit)) add(isOriginal ? "original-path" : "module-path");
  const shared = words === undefined || unit.words === undefined ? undefined : overlap(words, unit.words);
  const inUnit = shared === undefined || shared.left < fewestWords ? null : Math.floor((shared.shared * 1000) / shared.left);
  const ofUnit = shared === undefined || shared.right < fewestWords ? null : Math.floor((shared.shared * 1000) / shared.right);
  if (inUnit !== null) add("words", inUnit);
  const names = (file.unit?.exports ?? []).filter((name) => name !== "default" && name !== "module.exports");
  if (names.length > 0) add("exports", Math.floor((names.filter((name) => unit.exports.has(name)).length * 1000) / names.length));
  const list = [...signals].map(([signal, weight]) => ({ signal, weight }));
  const score = list.reduce((sum, { weight }) => sum + weight, 0);
  return { unit, signals, inUnit, ofUnit, target: { node_id: unit.node.node_id, kind: unit.node.kind, name: unit.node.name, score, signals: list } };
}
