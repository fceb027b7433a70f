import type { Measurement } from "./measure.js";

/** A plain table: label, median time, ratio to the first row, note. */
export function ratioTable(name: string, measurements: readonly Measurement[]): string {
  const rows = [
    ["", "median ms", "ratio", ""],
    ...measurements.map(({ label, medianMs, ratio, note }) => [label, number(medianMs, 1), number(ratio, 2), note]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(([label = "", ms = "", ratio = "", note = ""]) =>
    `  ${label.padEnd(widths[0] ?? 0)}  ${ms.padStart(widths[1] ?? 0)}  ${ratio.padStart(widths[2] ?? 0)}  ${note}`.trimEnd(),
  );
  return [name, ...lines].join("\n");
}

function number(value: number | null, digits: number): string {
  return value === null ? "–" : value.toFixed(digits);
}
