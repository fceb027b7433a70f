/** A Markdown table; cells may hold Markdown, but no line breaks or bare pipes, which are escaped here. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function yesNo(value: boolean): string {
  return value ? "yes" : "no";
}
