import type { Measurement } from "./measure.js";

/** A plain table: label, median time, ratio to the first row, the same of CPU time where it is known, note. */
export function ratioTable(name: string, measurements: readonly Measurement[]): string {
  const withCpu = measurements.some(({ cpu }) => cpu !== null);
  const columns = (cells: readonly string[], cpu: readonly string[]): readonly string[] => [...cells, ...(withCpu ? cpu : [])];
  const rows = [
    [...columns(["", "median ms", "ratio"], ["CPU ms", "ratio"]), ""],
    ...measurements.map(({ label, medianMs, ratio, cpu, note }) => [
      ...columns([label, number(medianMs, 1), number(ratio, 2)], [number(cpu?.medianMs ?? null, 0), number(cpu?.ratio ?? null, 2)]),
      note,
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => `  ${row.map((cell, column) => aligned(cell, column, widths)).join("  ")}`.trimEnd());
  return [name, ...lines].join("\n");
}

/** Numbers stand at the right of their column, the label and the note at the left. */
function aligned(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column] ?? 0;
  if (column === 0) return cell.padEnd(width);
  return column === widths.length - 1 ? cell : cell.padStart(width);
}

function number(value: number | null, digits: number): string {
  return value === null ? "–" : value.toFixed(digits);
}
