export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
}

/**
 * Columns padded to their widest cell; the last one is cut to fit `width`. Cells hold no control characters: they come
 * escaped from the tools.
 */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width: number, indent = "  "): string {
  const widths = columns.map((column, index) => widest([column.title, ...rows.map((row) => row[index] ?? "")]));
  const lines = [columns.map((column) => column.title), ...rows].map((row) => {
    const cells = columns.map((column, index) => pad(oneLine(row[index] ?? ""), widths[index] ?? 0, column.align ?? "left"));
    return cut(`${indent}${cells.join("  ")}`.trimEnd(), width);
  });
  return `${lines.join("\n")}\n`;
}

function widest(cells: readonly string[]): number {
  return cells.reduce((most, cell) => Math.max(most, Math.min(oneLine(cell).length, 48)), 0);
}

function pad(cell: string, width: number, align: "left" | "right"): string {
  return align === "right" ? cell.padStart(width) : cell.padEnd(width);
}

function oneLine(cell: string): string {
  return cell.replaceAll("\n", "⏎").replaceAll("\t", " ");
}

/** Cut on a code-point boundary, with an ellipsis. */
export function cut(line: string, width: number): string {
  if (line.length <= width) return line;
  return `${[...line].slice(0, Math.max(1, width - 1)).join("")}…`;
}
