import { isDigit, wholeNumbers, wordBefore, type TextRange } from "./tokens.js";

/** Below it ports are given out by convention, never by chance; a number after some word is more likely a line or a count. */
const firstUnreserved = 1024;
/** The longest host name, RFC 1035 §2.3.4. */
const longestHost = 253;

/**
 * Numbers that are ports: after a colon that follows a host, a blank, an opening mark or nothing, or after a blank that
 * follows an address. A number at the end of a sentence, one beside a letter of any script, a time of day and a count
 * after a colon and a blank are none.
 */
export function* portNumbers(text: string): Generator<TextRange> {
  for (const range of wholeNumbers(text)) {
    const value = range.end - range.start > 5 ? 0 : Number(text.slice(range.start, range.end));
    if (value < 1 || value > 65_535 || hasColonAndDigit(text, range.end)) continue;
    if (followsColon(text, range.start) ? isPortAfterColon(text, range.start - 1, value) : isPortAfterAddress(text, range)) yield range;
  }
}

function followsColon(text: string, start: number): boolean {
  return text[start - 1] === ":";
}

/** `12:30:45` and `file:10:4` go on. */
function hasColonAndDigit(text: string, end: number): boolean {
  return text[end] === ":" && isDigit(text, end + 1);
}

function isPortAfterColon(text: string, colon: number, value: number): boolean {
  if (colon === 0 || /[\s"'`(<[={,;*|]/.test(text[colon - 1] ?? "")) return true;
  const host = hostBefore(text, colon);
  if (host === undefined) return false;
  return isAddress(host) || (value >= firstUnreserved && isHostName(host));
}

function isPortAfterAddress(text: string, { start, end }: TextRange): boolean {
  if (text[start - 1] !== " " || isSentenceEnd(text, end)) return false;
  const host = hostBefore(text, start - 1);
  return host !== undefined && isAddress(host);
}

function isSentenceEnd(text: string, end: number): boolean {
  return /[.!?]/.test(text[end] ?? "") && !/\S/.test(text[end + 1] ?? "");
}

/** The host that ends right before `end`; undefined when what stands there is part of something longer. */
function hostBefore(text: string, end: number): string | undefined {
  let start = end;
  const bracketed = text[end - 1] === "]";
  while (start > 0 && end - start <= longestHost && (bracketed ? text[start] !== "[" : /[A-Za-z0-9.-]/.test(text[start - 1] ?? ""))) start -= 1;
  if (start === end || end - start > longestHost || wordBefore(text, start)) return undefined;
  const path = text[start - 1] === "/" && text[start - 2] !== "/";
  return path || text[start - 1] === "\\" ? undefined : text.slice(start, end);
}

function isAddress(host: string): boolean {
  return host.toLowerCase() === "localhost" || isVersion4(host) || /^\[[0-9A-Fa-f:.]{2,45}(?:%[A-Za-z0-9_.-]{1,32})?\]$/.test(host);
}

function isVersion4(host: string): boolean {
  const parts = host.split(".");
  return parts.length === 4 && parts.every((part) => /^[0-9]{1,3}$/.test(part) && Number(part) <= 255);
}

function isHostName(host: string): boolean {
  return host.split(".").every((label) => /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(label)) && /[A-Za-z]/.test(host);
}
