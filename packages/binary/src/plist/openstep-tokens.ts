import type { ListText } from "./list-text.js";
import { nextStepCharacter } from "./nextstep-encoding.js";
import { angleValue } from "./openstep-values.js";
import type { PlistFindings, PlistText, PlistValue } from "./property-list.js";

export type OpenStepToken =
  | { readonly kind: "mark"; readonly text: string; readonly offset: number }
  | { readonly kind: "word"; readonly value: PlistText }
  | { readonly kind: "value"; readonly value: PlistValue };

const blank = /(?:[\s\u2028\u2029]+|\/\/[^\n\r]*|\/\*)/y;
const plainWord = /[A-Za-z0-9_$/:.+\-\u0080-\uffff]+/y;

/** Marks, words and values in order; comments and blanks are left out. */
export function* openStepTokens(text: ListText, findings: PlistFindings): Generator<OpenStepToken> {
  const { units } = text;
  for (let at = afterBlanks(text, 0, findings); at < units.length; at = afterBlanks(text, at, findings)) {
    const offset = text.offsetOf(at);
    const character = units.charAt(at);
    if ("{}()=;,".includes(character)) {
      yield { kind: "mark", text: character, offset };
      at += 1;
    } else if (character === '"' || character === "'") {
      const { value, end } = quoted(text, at, findings);
      yield { kind: "word", value };
      at = end;
    } else if (character === "<") {
      const close = units.indexOf(">", at);
      const end = close < 0 ? units.length : close;
      if (close < 0) findings.add("truncated", offset);
      yield { kind: "value", value: angleValue(text.decoded(at + 1, end).trim(), offset) ?? findings.unreadable("bad_data", offset) };
      at = end + 1;
    } else {
      plainWord.lastIndex = at;
      const word = plainWord.exec(units)?.[0];
      if (word === undefined) {
        findings.add("syntax", offset);
        yield { kind: "mark", text: character, offset };
        at += 1;
      } else {
        yield { kind: "word", value: { kind: "string", offset, text: text.decoded(at, at + word.length) } };
        at += word.length;
      }
    }
  }
}

function afterBlanks(text: ListText, from: number, findings: PlistFindings): number {
  for (let at = from; ; ) {
    blank.lastIndex = at;
    const found = blank.exec(text.units)?.[0];
    if (found === undefined) return at;
    if (found !== "/*") {
      at += found.length;
      continue;
    }
    const end = text.units.indexOf("*/", at + 2);
    if (end < 0) {
      findings.add("truncated", text.offsetOf(at));
      return text.units.length;
    }
    at = end + 2;
  }
}

/** Escapes of longer text stay as they are. */
const longestEscaped = 1024 * 1024;

const escapes: { readonly [character: string]: string | undefined } = { a: "\u0007", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
const escape = /\\(?:([0-7]{1,3})|[Uu]([0-9a-fA-F]{1,4})|([\s\S]?))/g;

function quoted(text: ListText, start: number, findings: PlistFindings): { readonly value: PlistText; readonly end: number } {
  const { units } = text;
  const close = closingQuote(units, start);
  if (close < 0) findings.add("truncated", text.offsetOf(start));
  const end = close < 0 ? units.length : close;
  const raw = text.decoded(start + 1, end);
  if (end - start > longestEscaped && raw.includes("\\")) {
    findings.add("bad_text", text.offsetOf(start));
    return { value: { kind: "string", offset: text.offsetOf(start), text: raw }, end: end + 1 };
  }
  const value = raw.replace(escape, (_whole, octal, hex, other) => {
    if (typeof octal === "string") return nextStepCharacter(Number.parseInt(octal, 8) & 0xff);
    if (typeof hex === "string") return String.fromCharCode(Number.parseInt(hex, 16));
    const character = typeof other === "string" ? other : "";
    return escapes[character] ?? character;
  });
  return { value: { kind: "string", offset: text.offsetOf(start), text: value }, end: end + 1 };
}

function closingQuote(units: string, start: number): number {
  const quote = units.charAt(start);
  for (let at = start + 1; ; ) {
    const next = units.indexOf(quote, at);
    if (next < 0) return -1;
    let slashes = 0;
    while (next - 1 - slashes > start && units.charAt(next - 1 - slashes) === "\\") slashes += 1;
    if (slashes % 2 === 0) return next;
    at = next + 1;
  }
}
