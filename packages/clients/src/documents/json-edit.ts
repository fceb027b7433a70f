import type { JsonValue } from "@rea/core";
import { lineBreakOf, type TextEdit } from "./config-text.js";
import type { JsonMember, JsonObjectText } from "./json-members.js";

/** How the text is laid out. */
export interface JsonLayout {
  readonly lineBreak: "\n" | "\r\n";
  /** One step of indentation. */
  readonly step: string;
}

/** The layout of a text that is known to be valid. */
export function layoutOf(text: string, root: JsonObjectText): JsonLayout {
  const lineBreak = lineBreakOf(text);
  const [first] = root.members;
  const own = first === undefined ? "" : indentBefore(text, first.start);
  const outer = indentBefore(text, root.start) ?? "";
  const step = own?.startsWith(outer) === true ? own.slice(outer.length) : "";
  return { lineBreak, step: step === "" ? "  " : step };
}

/** The blanks before an offset when nothing else stands before it on its line; null otherwise. */
function indentBefore(text: string, offset: number): string | null {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  return /^[ \t]*$/.test(before) && (lineStart > 0 || before !== "") ? before : offset === 0 ? "" : null;
}

/** A value as it is laid out behind its name on a line with this indentation. */
export function jsonText(value: JsonValue, layout: JsonLayout, indent: string): string {
  const lines = JSON.stringify(value, null, layout.step).split("\n");
  return lines.join(`${layout.lineBreak}${indent}`);
}

/** Puts a member behind the last one, in the manner of the object. */
export function insertMember(text: string, object: JsonObjectText, member: { readonly name: string; readonly value: JsonValue }, layout: JsonLayout): TextEdit[] {
  const last = object.members.at(-1);
  if (last === undefined) return [intoEmpty(text, object, member, layout)];
  const indent = indentBefore(text, last.start);
  if (indent === null && !text.slice(object.start, last.start).includes("\n")) return inline(text, object, last, member);
  const used = indent ?? `${lineIndent(text, object.start)}${layout.step}`;
  const body = `${layout.lineBreak}${used}${JSON.stringify(member.name)}: ${jsonText(member.value, layout, used)}`;
  if (last.comma !== -1) return [insertion(endOfLineComments(text, object, last.comma + 1), `${body},`)];
  return [insertion(last.end, ","), insertion(endOfLineComments(text, object, last.end), body)];
}

function insertion(at: number, text: string): TextEdit {
  return { start: at, end: at, text };
}

function lineIndent(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? "";
}

/** Behind the comments that belong to what ends at the offset: those on its line. */
function endOfLineComments(text: string, object: JsonObjectText, offset: number): number {
  let end = offset;
  for (const [start, close] of object.comments) {
    if (start >= end && /^[ \t]*$/.test(text.slice(end, start))) end = close;
  }
  return end;
}

function intoEmpty(text: string, object: JsonObjectText, member: { readonly name: string; readonly value: JsonValue }, layout: JsonLayout): TextEdit {
  const at = object.comments.at(-1)?.[1] ?? object.start + 1;
  const outer = lineIndent(text, object.start);
  const rest = text.slice(at, object.close);
  if (isOneLine(text, object)) {
    const compact = compactMember(text, member);
    return insertion(at, compact);
  }
  const indent = `${outer}${layout.step}`;
  const body = `${layout.lineBreak}${indent}${JSON.stringify(member.name)}: ${jsonText(member.value, layout, indent)}`;
  return insertion(at, rest.includes("\n") ? body : `${body}${layout.lineBreak}${outer}`);
}

/** Nothing around the object is on lines of its own, and the object is not all there is. */
function isOneLine(text: string, object: JsonObjectText): boolean {
  const before = text.slice(0, object.start);
  return !before.includes("\n") && before.trim() !== "";
}

function inline(text: string, object: JsonObjectText, last: JsonMember, member: { readonly name: string; readonly value: JsonValue }): TextEdit[] {
  const [first] = object.members;
  const second = object.members[1];
  const comma = first === undefined || first.comma === -1 ? undefined : text.slice(first.comma + 1, second?.start ?? first.comma + 1);
  const gap = comma ?? (/:\s/.test(text.slice(last.start, last.end)) || text.charAt(object.start + 1) === " " ? " " : "");
  const body = compactMember(text, member, gap !== "");
  return last.comma === -1 ? [insertion(last.end, `,${gap}${body}`)] : [insertion(last.comma + 1, `${gap}${body},`)];
}

function compactMember(text: string, { name, value }: { readonly name: string; readonly value: JsonValue }, spaced = /:[ ]/.test(text)): string {
  const body = JSON.stringify({ [name]: value }).slice(1, -1);
  return spaced ? spacedOut(body) : body;
}

/** One blank behind each colon and comma that stands outside of quotes. */
function spacedOut(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|[:,]/g, (token) => (token === ":" || token === "," ? `${token} ` : token));
}

/** Takes a member out, with its comma and its line; the inverse of `insertMember`. */
export function removeMember(text: string, object: JsonObjectText, member: JsonMember): TextEdit[] {
  const at = object.members.indexOf(member);
  const previous = object.members[at - 1];
  const next = object.members[at + 1];
  const ownLine = indentBefore(text, member.start) !== null;
  const end = member.comma === -1 ? member.end : member.comma + 1;
  if (!ownLine && next !== undefined && /^\s*$/.test(text.slice(end, next.start))) {
    return [{ start: member.start, end: next.start, text: "" }];
  }
  const from = ownLine ? lineBreakBefore(text, member.start) : blanksBefore(text, member.start);
  const edits: TextEdit[] = [{ start: from, end, text: "" }];
  if (member.comma === -1 && previous !== undefined) {
    if (previous.comma >= from) return [{ start: Math.min(from, previous.comma), end, text: "" }];
    edits.push({ start: previous.comma, end: previous.comma + 1, text: "" });
  }
  return edits;
}

function lineBreakBefore(text: string, offset: number): number {
  const feed = text.lastIndexOf("\n", offset - 1);
  if (feed === -1) return blanksBefore(text, offset);
  return text.charAt(feed - 1) === "\r" ? feed - 1 : feed;
}

function blanksBefore(text: string, offset: number): number {
  return offset - (/[ \t]*$/.exec(text.slice(0, offset))?.[0].length ?? 0);
}
