import type { Group } from "../corpus/variant.js";
import type { JudgedRow, Row } from "./engine-bench.js";
import type { Share } from "./score.js";

/** What a group of programs must reach together. */
export interface Target {
  readonly precision: number;
  readonly recall: number;
}

const targets: Readonly<Record<Group, Target | undefined>> = {
  unwind: { precision: 0.995, recall: 0.995 },
  "no unwind": { precision: 0.98, recall: 0.97 },
  PE: { precision: 0.98, recall: 0.97 },
  "Mach-O": { precision: 0.98, recall: 0.97 },
  Go: undefined,
  given: { precision: 0.995, recall: 0.995 },
  "given, no unwind": { precision: 0.98, recall: 0.97 },
};

/** Share of code bytes that must be found, and be code. */
const codeTarget = 0.995;

export interface GroupReport {
  readonly group: Group;
  readonly programs: number;
  readonly precision: Share;
  readonly recall: Share;
  readonly codeFound: Share;
  readonly codeRight: Share;
  readonly relocations: Share;
  readonly callSites: Share;
  readonly pointers: Share;
  readonly switchTables: Share;
  readonly target: Target | undefined;
  /** Names of the figures below their target; empty when all are reached. */
  readonly missed: readonly string[];
}

/** Figures of all programs of a group taken together, beside what they must reach. */
export function groupReports(rows: readonly Row[]): readonly GroupReport[] {
  const judged = rows.filter((row): row is JudgedRow => "score" in row);
  return [...new Set(judged.map(({ group }) => group))].map((group) => groupReport(group, judged.filter((row) => row.group === group)));
}

function groupReport(group: Group, rows: readonly JudgedRow[]): GroupReport {
  const pool = (pick: (row: JudgedRow) => Share | undefined): Share => {
    const shares = rows.flatMap((row) => pick(row) ?? []);
    return { right: sum(shares.map(({ right }) => right)), all: sum(shares.map(({ all }) => all)) };
  };
  const precision = pool(({ score }) => score.precision);
  const recall = pool(({ score }) => score.recall);
  const codeFound = pool(({ score }) => score.codeFound);
  const codeRight = pool(({ score }) => score.codeRight);
  const target = targets[group];
  const checks: readonly (readonly [string, Share, number])[] = [
    ["precision", precision, target?.precision ?? 0],
    ["recall", recall, target?.recall ?? 0],
    ["code found", codeFound, target === undefined ? 0 : codeTarget],
    ["code right", codeRight, target === undefined ? 0 : codeTarget],
  ];
  return {
    group,
    programs: rows.length,
    precision,
    recall,
    codeFound,
    codeRight,
    relocations: pool(({ score }) => score.relocations),
    callSites: pool(({ score }) => score.callSites),
    pointers: pool(({ score }) => score.pointers),
    switchTables: pool(({ score }) => score.switchTables),
    target,
    missed: checks.filter(([, share, least]) => ratio(share) < least).map(([name]) => name),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** One for nothing of nothing. */
export function ratio({ right, all }: Share): number {
  return all === 0 ? 1 : right / all;
}
