import type { ListText } from "./list-text.js";
import type { PlistFindings } from "./property-list.js";

export interface XmlTag {
  readonly kind: "tag";
  readonly name: string;
  readonly closing: boolean;
  readonly empty: boolean;
  readonly start: number;
}

export interface XmlRun {
  readonly kind: "text";
  readonly start: number;
  readonly end: number;
  /** A CDATA section: entities mean nothing in it. */
  readonly literal: boolean;
}

/** Tags and the text between them, in order; comments, declarations and instructions are left out. Linear in the text. */
export function* xmlTokens(text: ListText, findings: PlistFindings): Generator<XmlTag | XmlRun> {
  const { units } = text;
  for (let at = 0; at < units.length; ) {
    const open = units.indexOf("<", at);
    const end = open < 0 ? units.length : open;
    if (end > at) yield { kind: "text", start: at, end, literal: false };
    if (open < 0) return;
    const next = units.charCodeAt(open + 1);
    const report = (problem: "truncated" | "entity_declaration"): void => findings.add(problem, text.offsetOf(open));
    const after = next === exclamation || next === question ? markupEnd(units, open, report) : tagEnd(units, open + 1, report);
    if (isTagStart(next)) yield tagAt(units, open, after);
    else if (units.startsWith("<![CDATA[", open)) yield { kind: "text", start: open + 9, end: Math.max(open + 9, after - 3), literal: true };
    at = after;
  }
}

/** Position behind the markup that starts at `open`; the end of the text where it does not end. */
function markupEnd(units: string, open: number, report: (problem: "truncated" | "entity_declaration") => void): number {
  const behind = (end: string, from: number): number => {
    const found = units.indexOf(end, from);
    if (found < 0) report("truncated");
    return found < 0 ? units.length : found + end.length;
  };
  if (units.startsWith("<!--", open)) return behind("-->", open + 4);
  if (units.startsWith("<![CDATA[", open)) return behind("]]>", open + 9);
  return units.startsWith("<?", open) ? behind("?>", open + 2) : declarationEnd(units, open, report);
}

/** A document type may hold declarations in brackets. */
function declarationEnd(units: string, open: number, report: (problem: "truncated" | "entity_declaration") => void): number {
  const bracket = units.indexOf("[", open);
  const angle = units.indexOf(">", open);
  if (angle >= 0 && (bracket < 0 || angle < bracket)) return angle + 1;
  const close = bracket < 0 ? -1 : units.indexOf("]", bracket);
  if (bracket >= 0 && units.slice(bracket, close < 0 ? units.length : close).includes("<!ENTITY")) report("entity_declaration");
  const end = close < 0 ? -1 : units.indexOf(">", close);
  if (end < 0) report("truncated");
  return end < 0 ? units.length : end + 1;
}

/** Quoted attribute values may hold the closing bracket. */
function tagEnd(units: string, from: number, report: (problem: "truncated") => void): number {
  const angle = units.indexOf(">", from);
  if (angle >= 0 && !/["']/.test(units.slice(from, angle))) return angle + 1;
  const found = /[>"']/g;
  for (let at = from; ; ) {
    found.lastIndex = at;
    const next = found.exec(units);
    if (next === null) break;
    if (next[0] === ">") return next.index + 1;
    const quote = units.indexOf(next[0], next.index + 1);
    if (quote < 0) break;
    at = quote + 1;
  }
  report("truncated");
  return units.length;
}

const [exclamation, question, slash] = [0x21, 0x3f, 0x2f];

/** A letter, or the slash of a closing tag. */
function isTagStart(code: number): boolean {
  return code === slash || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

function tagAt(units: string, start: number, end: number): XmlTag {
  const closing = units.charAt(start + 1) === "/";
  const from = closing ? start + 2 : start + 1;
  // Names of the format are short; the rest of a long one is of no interest.
  const name = /^[A-Za-z][A-Za-z0-9:._-]*/.exec(units.slice(from, Math.min(end, from + 40)))?.[0] ?? "";
  return { kind: "tag", name, closing, empty: !closing && units.charAt(end - 2) === "/", start };
}

const named: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** The five named entities and character numbers; others stay as they are, and `unknown` is told. */
export function decodeEntities(text: string, unknown: () => void): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#x([0-9a-fA-F]{1,8})|#([0-9]{1,10})|([A-Za-z][A-Za-z0-9]{0,40}));/g, (entity, hex, decimal, name) => {
    const known = typeof name === "string" ? named.get(name) : characterOf(typeof hex === "string" ? Number.parseInt(hex, 16) : Number(decimal));
    if (known === undefined) unknown();
    return known ?? entity;
  });
}

function characterOf(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
