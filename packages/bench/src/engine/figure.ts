/** One measured figure beside what it must not exceed. */
export interface Figure {
  readonly name: string;
  readonly value: number | null;
  readonly unit: string;
  readonly most: number | null;
  readonly verdict: "reached" | "missed" | "no target" | `skipped: ${string}`;
}

/** A figure with its verdict; without a limit it is only told. */
export function figure(name: string, value: number, unit: string, most: number | null): Figure {
  return { name, value, unit, most, verdict: most === null ? "no target" : value <= most ? "reached" : "missed" };
}

/** A figure that cannot be measured here. */
export function skipped(name: string, reason: string): Figure {
  return { name, value: null, unit: "", most: null, verdict: `skipped: ${reason}` };
}

/** One line a figure. */
export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, most, verdict }) => [name, value === null ? "–" : `${shown(value)} ${unit}`, most === null ? "–" : `≤ ${shown(most)}`, verdict]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd());
  return ["engine, time and memory", ...lines].join("\n");
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
