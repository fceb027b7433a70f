import type { JsonValue } from "@rea/core";
import { entryName, type EntryChange } from "./config-document.js";
import { applyEdits, lineBreakOf, type TextEdit } from "./config-text.js";
import { inlinePairs, tomlStatements, type TomlPair, type TomlStatement } from "./toml-scan.js";
import { tomlKey, tomlValue } from "./toml-text.js";

/** Where the entry stands: as a table of its own, as an inline table, or key by key with dots. */
export type EntryPlace =
  | { readonly kind: "table"; readonly start: number; readonly header: TomlStatement; readonly statements: readonly TomlStatement[] }
  | { readonly kind: "inline"; readonly start: number; readonly pair: TomlPair; /** The inline table it is a pair of; null for a statement. */ readonly holder: TomlPair | null }
  | { readonly kind: "dotted"; readonly start: number; readonly statements: readonly TomlStatement[] };

/** Finds the entry in a text that is known to be valid; null when there is none. */
export function locateEntry(text: string, container: string): EntryPlace | null {
  const statements = tomlStatements(text);
  const own = statements.filter(({ path }) => path[0] === container && path[1] === entryName);
  const header = own.find(({ kind, path }) => kind === "header" && path.length === 2);
  const [first] = own;
  if (header !== undefined) return { kind: "table", start: header.start, header, statements: own };
  if (first?.kind === "pair" && first.path.length === 2) return { kind: "inline", start: first.start, pair: first, holder: null };
  if (first !== undefined) return { kind: "dotted", start: first.start, statements: own };
  const holder = statements.find(({ kind, path }) => kind === "pair" && path.length === 1 && path[0] === container);
  const pair = holder === undefined ? undefined : inlinePairs(text, holder.valueStart).pairs.find(({ path }) => path[0] === entryName);
  return holder === undefined || pair === undefined ? null : { kind: "inline", start: pair.start, pair, holder };
}

/** Changes the entry key by key, so that what a user added to it stays as it is. */
export function changeEntry(text: string, container: string, { set, environment }: EntryChange): string {
  let changed = text;
  for (const [key, value] of set) changed = setKey(changed, container, key, value);
  if (environment.value !== undefined) changed = setKey(changed, container, environment.key, environment.value ?? undefined);
  return changed;
}

/** Undefined takes the key away. */
function setKey(text: string, container: string, key: string, value: JsonValue | undefined): string {
  const place = locateEntry(text, container);
  if (place === null) throw new Error("the entry is gone while it is changed");
  return applyEdits(text, place.kind === "inline" ? inlineEdits(text, place, key, value) : statementEdits(text, place, key, value));
}

function statementEdits(text: string, place: Exclude<EntryPlace, { kind: "inline" }>, key: string, value: JsonValue | undefined): TextEdit[] {
  const present = place.statements.filter(({ path }) => path[2] === key);
  const [only, second] = present;
  if (value !== undefined && only !== undefined && second === undefined && only.kind === "pair" && only.path.length === 3) {
    return [{ start: only.valueStart, end: only.end, text: tomlValue(value) }];
  }
  const gone = present.map((statement) => wholeLines(text, statement));
  if (value === undefined) return gone;
  const lineBreak = lineBreakOf(text);
  const siblings = place.statements.filter(({ kind, path, table }) => kind === "pair" && path[2] !== key && (place.kind === "dotted" || table.length === 2));
  const after = siblings.at(-1) ?? (place.kind === "table" ? place.header : undefined);
  if (after === undefined) throw new Error("an entry in dotted keys has lost its keys");
  const prefix = place.kind === "table" ? "" : dottedPrefix(text, after);
  return [...gone, { start: after.lineEnd, end: after.lineEnd, text: `${lineBreak}${prefix}${tomlKey(key)} = ${tomlValue(value)}` }];
}

/** The key of a dotted statement up to its last part, as it is written. */
function dottedPrefix(text: string, statement: TomlStatement): string {
  const depth = statement.path.length - statement.table.length;
  const parts = statement.path.slice(statement.table.length, 2 + Math.min(0, depth));
  return `${/^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", statement.start - 1) + 1, statement.start))?.[0] ?? ""}${parts.map(tomlKey).join(".")}.`;
}

/** A statement with its line, and the pairs of a sub-table with its header. */
export function wholeLines(text: string, { start, lineEnd }: { readonly start: number; readonly lineEnd: number }): TextEdit {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const end = text.startsWith("\r\n", lineEnd) ? lineEnd + 2 : text.startsWith("\n", lineEnd) ? lineEnd + 1 : lineEnd;
  return { start: lineStart, end, text: "" };
}

function inlineEdits(text: string, { pair }: Extract<EntryPlace, { kind: "inline" }>, key: string, value: JsonValue | undefined): TextEdit[] {
  if (text.charAt(pair.valueStart) !== "{") {
    return [{ start: pair.valueStart, end: pair.end, text: tomlValue(value === undefined ? {} : { [key]: value }) }];
  }
  const table = inlinePairs(text, pair.valueStart);
  const present = table.pairs.filter(({ path }) => path[0] === key);
  const [only, second] = present;
  if (value !== undefined && only !== undefined && second === undefined && only.path.length === 1) {
    return [{ start: only.valueStart, end: only.end, text: tomlValue(value) }];
  }
  const edits = present.flatMap((gone) => removePair(text, table.pairs, gone));
  return value === undefined ? edits : [...edits, ...appendPair(table, present, `${tomlKey(key)} = ${tomlValue(value)}`)];
}

function appendPair(table: ReturnType<typeof inlinePairs>, gone: readonly TomlPair[], pair: string): TextEdit[] {
  const last = table.pairs.filter((candidate) => !gone.includes(candidate)).at(-1);
  const at = last?.end ?? table.close;
  return [{ start: at, end: at, text: last === undefined ? ` ${pair} ` : `, ${pair}` }];
}

/** A pair of an inline table with the comma that goes with it. */
export function removePair(text: string, pairs: readonly TomlPair[], pair: TomlPair): TextEdit[] {
  const at = pairs.findIndex(({ start }) => start === pair.start);
  const previous = pairs[at - 1];
  const next = pairs[at + 1];
  if (previous !== undefined) return [{ start: previous.end, end: pair.end, text: "" }];
  if (next !== undefined) return [{ start: pair.start, end: next.start, text: "" }];
  const blanks = /[ \t]*$/.exec(text.slice(0, pair.start))?.[0].length ?? 0;
  const behind = /^[ \t]*/.exec(text.slice(pair.end))?.[0].length ?? 0;
  return [{ start: pair.start - blanks, end: pair.end + behind, text: "" }];
}
