import type { Span } from "../facts/fact.js";
import type { DecodedText } from "./decode.js";

const stride = 1024;

/** Where offsets of a text lie: in bytes of its file, by line and column. */
export class Places {
  readonly #text: string;
  readonly #decoded: DecodedText;
  readonly #lineStarts: readonly number[];
  /** Bytes before every `stride`-th code unit; empty where a code unit has a fixed size. */
  readonly #bytes: Float64Array;
  readonly #unitBytes: number;

  constructor(decoded: DecodedText, sizeBytes: number) {
    this.#text = decoded.text;
    this.#decoded = decoded;
    this.#lineStarts = lineStarts(decoded.text);
    const isPlain = decoded.encoding !== "utf-8" || sizeBytes - decoded.prefixBytes === decoded.text.length;
    this.#unitBytes = isPlain ? (decoded.encoding.startsWith("utf-16") ? 2 : 1) : 0;
    this.#bytes = isPlain ? new Float64Array(0) : byteTable(decoded.text);
  }

  byteOffset(offset: number): number {
    const { prefixBytes } = this.#decoded;
    if (this.#unitBytes > 0) return prefixBytes + offset * this.#unitBytes;
    const slot = Math.floor(offset / stride);
    return prefixBytes + (this.#bytes[slot] ?? 0) + utf8Bytes(this.#text, slot * stride, offset);
  }

  /** Line from 0. */
  lineOf(offset: number): number {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  lineStart(line: number): number | undefined {
    return this.#lineStarts[line];
  }

  /** Lengths of the lines in code units, line ends not counted. */
  lineLengths(): readonly number[] {
    return this.#lineStarts.map((start, line) => (this.#lineStarts[line + 1] ?? this.#text.length + 1) - start - 1);
  }

  /** Turns a span of code units into one of bytes. */
  place(span: Span): void {
    const line = this.lineOf(span.start);
    span.line = line + 1;
    span.column = span.start - (this.#lineStarts[line] ?? 0);
    const start = this.byteOffset(span.start);
    span.end = this.byteOffset(span.end);
    span.start = start;
  }
}

/** LF, CR LF and a lone CR end a line. */
function lineStarts(text: string): readonly number[] {
  const starts = [0];
  const ends = /\r\n?|\n/gu;
  if (!text.includes("\r")) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    return starts;
  }
  while (ends.exec(text) !== null) starts.push(ends.lastIndex);
  return starts;
}

function byteTable(text: string): Float64Array {
  const table = new Float64Array(Math.floor(text.length / stride) + 1);
  let bytes = 0;
  for (let slot = 1; slot < table.length; slot += 1) {
    bytes += utf8Bytes(text, (slot - 1) * stride, slot * stride);
    table[slot] = bytes;
  }
  return table;
}

/** A pair of surrogates has four bytes: two for each half, so that halves can be counted alone. */
function utf8Bytes(text: string, from: number, to: number): number {
  let bytes = 0;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code <= 0xdfff ? 2 : 3;
  }
  return bytes;
}

/** Places every span in a value made of objects and lists. */
export function placeFacts(value: unknown, places: Places): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) placeFacts(item, places);
  } else if (isSpan(value)) places.place(value);
  else for (const item of Object.values(value)) placeFacts(item, places);
}

function isSpan(value: object): value is Span {
  return "start" in value && "end" in value && "line" in value && "column" in value;
}
