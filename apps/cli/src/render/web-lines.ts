import type { WebCompleteness } from "@rea/core";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";

/** A heading with its lines; nothing for no lines. */
export function section(title: string, lines: readonly string[], style: Style): string {
  return lines.length === 0 ? "" : [style.heading(title), ...lines].map((line) => `${line}\n`).join("");
}

/** The lines of a list, and how many more there are. */
export function listLines<T>(items: readonly T[], total: number, line: (item: T) => string, style: Style): string[] {
  const more = total - items.length;
  return [...items.map(line), ...(more > 0 ? [style.dim(`  … and ${grouped(more)} more`)] : [])];
}

/** What was left out, in words. */
export function leftOutLines(given: { readonly coverage: { readonly omissions: readonly { readonly scope: string; readonly reason: string; readonly count: number | null; readonly how_to_continue: string | null }[] }; readonly limitations: readonly string[] }, style: Style): string[] {
  const omitted = given.coverage.omissions.map(({ scope, reason, count, how_to_continue }) => {
    const many = count === null ? "" : ` (${grouped(count)})`;
    return style.warn(`  left out: ${scope}: ${reason}${many}${how_to_continue === null ? "" : `. ${how_to_continue}`}`);
  });
  return [...omitted, ...given.limitations.map((text) => style.dim(`  ${text}`))];
}

export function excludedText({ excluded }: WebCompleteness): string {
  return excluded.map(({ section: name, count }) => `${name} ${grouped(count)}`).join(", ");
}

export function shortened(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
