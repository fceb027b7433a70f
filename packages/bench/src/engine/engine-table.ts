import type { Row } from "./engine-bench.js";
import { groupReports, ratio, type GroupReport } from "./group-report.js";
import type { Share } from "./score.js";

const columns = ["", "prec.", "recall", "code", "right", "relocs", "calls", "ptrs", "tables", "unres.", "KiB", "cold ms", "warm ms", "÷objdump", "peak MiB"];

/** One line a program, then one a group with its target and what is missed. */
export function engineTable(rows: readonly Row[]): string {
  return ["engine, program by program", ...align([columns, ...rows.map(cells)]), "", "engine, groups", ...groupLines(groupReports(rows))].join("\n");
}

function cells(row: Row): readonly string[] {
  if ("skipped" in row) return [row.name, `skipped: ${row.skipped}`];
  const { score } = row;
  return [
    row.name,
    share(score.precision),
    share(score.recall),
    share(score.codeFound),
    share(score.codeRight),
    share(score.relocations),
    share(score.callSites),
    share(score.pointers),
    score.switchTables === undefined ? String(row.switches) : `${String(row.switches)}/${String(score.switchTables.all)}`,
    String(row.unresolved),
    (row.codeBytes / 1024).toFixed(0),
    row.coldMs.toFixed(0),
    row.warmMs.toFixed(0),
    row.objdumpMs === null ? "–" : (row.warmMs / row.objdumpMs).toFixed(2),
    String(row.peakMiB),
  ];
}

const groupColumns = ["", "programs", "prec.", "recall", "code", "right", "relocs", "calls", "ptrs", "tables", "target", "verdict"];

function groupLines(reports: readonly GroupReport[]): readonly string[] {
  return align([
    groupColumns,
    ...reports.map((report) => [
      report.group,
      String(report.programs),
      share(report.precision),
      share(report.recall),
      share(report.codeFound),
      share(report.codeRight),
      share(report.relocations),
      share(report.callSites),
      share(report.pointers),
      share(report.switchTables),
      report.target === undefined ? "–" : `${String(report.target.precision)}/${String(report.target.recall)}`,
      report.target === undefined ? "no target" : report.missed.length === 0 ? "reached" : `missed: ${report.missed.join(", ")}`,
    ]),
  ]);
}

function share(value: Share | undefined): string {
  return value === undefined || value.all === 0 ? "–" : (Math.floor(ratio(value) * 10_000) / 10_000).toFixed(4);
}

/** Text to the left, figures to the right; the last cell of a short row may be as long as it likes. */
function align(rows: readonly (readonly string[])[]): readonly string[] {
  const full = rows[0]?.length ?? 0;
  const widths = Array.from({ length: full }, (_, column) =>
    Math.max(...rows.filter((row) => column < row.length - (row.length < full ? 1 : 0)).map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) => `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : column === full - 1 || row.length < full ? cell : cell.padStart(widths[column] ?? 0))).join("  ")}`.trimEnd());
}
