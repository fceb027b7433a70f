import { entryName, type EntryChange, type Removal } from "./config-document.js";
import { applyEdits, lineBreakOf, type TextEdit } from "./config-text.js";
import { locateEntry, removePair, wholeLines, type EntryPlace } from "./toml-entry.js";
import { inlinePairs, tomlStatements, type TomlStatement } from "./toml-scan.js";
import { tomlKey, tomlValue } from "./toml-text.js";

/** Adds the entry in the manner in which the document holds its servers: a table at the end, unless it uses another. */
export function insertEntry(text: string, container: string, change: EntryChange): string {
  const lineBreak = lineBreakOf(text);
  const statements = tomlStatements(text);
  const pairs = changedPairs(change);
  const holder = statements.find(({ kind, path }) => kind === "pair" && path.length === 1 && path[0] === container);
  if (holder !== undefined) return applyEdits(text, intoInline(text, holder, `{ ${pairs.join(", ")} }`));
  const dotted = statements.filter(({ kind, table, path }) => kind === "pair" && table.length === 0 && path[0] === container).at(-1);
  if (dotted !== undefined) {
    const lines = pairs.map((pair) => `${lineBreak}${tomlKey(container)}.${entryName}.${pair}`);
    return applyEdits(text, [{ start: dotted.lineEnd, end: dotted.lineEnd, text: lines.join("") }]);
  }
  const block = [`[${tomlKey(container)}.${entryName}]`, ...pairs].join(lineBreak);
  if (text.trim() === "") return `${block}${lineBreak}`;
  // A file without a line break at its end keeps none.
  return text.endsWith("\n") ? `${text}${lineBreak}${block}${lineBreak}` : `${text}${lineBreak}${lineBreak}${block}`;
}

function changedPairs({ set, environment }: EntryChange): string[] {
  const { key, value } = environment;
  const all = value === null || value === undefined ? set : [...set, [key, value] as const];
  return all.map(([name, item]) => `${tomlKey(name)} = ${tomlValue(item)}`);
}

function intoInline(text: string, holder: TomlStatement, value: string): TextEdit[] {
  const table = inlinePairs(text, holder.valueStart);
  const last = table.pairs.at(-1);
  const at = last?.end ?? holder.valueStart + 1;
  const body = `${entryName} = ${value}`;
  return [{ start: at, end: at, text: last === undefined ? ` ${body} ` : `, ${body}` }];
}

/** The texts that may have been there before `insertEntry`. */
export function removeEntry(text: string, container: string): Removal[] {
  const place = locateEntry(text, container);
  if (place === null) return [{ text, container: true }];
  const remains = (removed: string): Removal => ({ text: removed, container: tomlStatements(removed).some(({ path }) => path[0] === container) });
  if (place.kind === "inline" && place.holder !== null) {
    const { pairs } = inlinePairs(text, place.holder.valueStart);
    const kept = applyEdits(text, removePair(text, pairs, place.pair));
    if (pairs.length > 1) return [remains(kept)];
    return [remains(kept), { text: applyEdits(text, [wholeLines(text, { start: place.holder.start, lineEnd: lineEndOf(text, place.holder.end) })]), container: false }];
  }
  if (place.kind === "inline") return [remains(applyEdits(text, [wholeLines(text, { start: place.start, lineEnd: lineEndOf(text, place.pair.end) })]))];
  if (place.kind === "dotted") return dottedRemovals(text, place).map(remains);
  return [remains(applyEdits(text, tables(text, place)))];
}

function lineEndOf(text: string, offset: number): number {
  const end = /\r?\n|$/g;
  end.lastIndex = offset;
  return end.exec(text)?.index ?? text.length;
}

/** Lines that were added behind a last line without a line break take the one before them with them. */
function dottedRemovals(text: string, { statements }: Extract<EntryPlace, { kind: "dotted" }>): string[] {
  const edits = statements.map((statement) => wholeLines(text, statement));
  const removed = applyEdits(text, edits);
  const last = statements.at(-1);
  return last !== undefined && last.lineEnd === text.length ? [removed.replace(/\r?\n$/, ""), removed] : [removed];
}

/** Each table of the entry with its pairs, and the blank line before it. */
function tables(text: string, { statements }: Extract<EntryPlace, { kind: "table" }>): TextEdit[] {
  const blocks: { start: number; lineEnd: number }[] = [];
  for (const statement of statements) {
    const current = blocks.at(-1);
    if (statement.kind === "header" || current === undefined) blocks.push({ start: statement.start, lineEnd: statement.lineEnd });
    else current.lineEnd = statement.lineEnd;
  }
  return merged(blocks.map((block) => withBlankLine(text, wholeLines(text, block), block.lineEnd === text.length)));
}

function withBlankLine(text: string, edit: TextEdit, toTheEnd: boolean): TextEdit {
  const before = text.slice(0, edit.start);
  const blank = /(?:^|\n)([ \t]*\r?\n)$/.exec(before)?.[1] ?? "";
  let start = edit.start - blank.length;
  if (toTheEnd) start -= /\r?\n$/.exec(text.slice(0, start))?.[0].length ?? 0;
  return { ...edit, start };
}

function merged(edits: readonly TextEdit[]): TextEdit[] {
  const result: TextEdit[] = [];
  for (const edit of edits) {
    const last = result.at(-1);
    if (last !== undefined && edit.start <= last.end) result[result.length - 1] = { ...last, end: Math.max(last.end, edit.end) };
    else result.push(edit);
  }
  return result;
}
