import type { Evidence } from "@rea/core";
import { escapeHtml } from "./html.js";

/** A table of the page under a heading; cells are HTML. */
export interface PageTable {
  readonly heading: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Headings are text, contents are HTML. */
export function section(heading: string, content: string): string {
  return `<section><h2>${escapeHtml(heading)}</h2>${content}</section>`;
}

export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = columns.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join("");
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("");
  // A table that is wider than a phone is scrolled, also by keyboard.
  return `<div class="wide" tabindex="0" role="group" aria-label="${escapeHtml(columns.join(", "))}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** The table with the id of the record that it rests on; nothing for a table without rows. */
export function tableSection({ heading, columns, rows }: PageTable, record: Evidence | undefined): string {
  return rows.length === 0 ? "" : section(heading, table(columns, rows) + (record === undefined ? "" : cite(record)));
}

export function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

export function cite({ evidence_id: id }: Evidence): string {
  return `<p class="cite">${code(id)}</p>`;
}

export function count(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/gu, ",");
}

const meanings: { readonly [word: string]: "good" | "bad" | "open" | undefined } = {
  enabled: "good",
  full: "good",
  unchanged: "good",
  pass: "good",
  equivalent: "good",
  verified: "good",
  holds: "good",
  proven: "good",
  incomplete: "bad",
  unproven: "open",
  disabled: "bad",
  fail: "bad",
  contradiction: "bad",
  contradicted: "bad",
  different: "bad",
  nonconforming: "bad",
  broken: "bad",
  unknown: "open",
  truncated: "open",
  partial: "open",
};

/** A verdict; the colour only repeats what the word says. */
export function verdict(word: string): string {
  const meaning = meanings[word];
  return meaning === undefined ? escapeHtml(word) : `<span class="${meaning}">${escapeHtml(word)}</span>`;
}
