import { isUtf8 } from "node:buffer";

import { evidenceRefusal } from "./evidence-refusal.js";
import { checkedNumber, checkedText, refuseBound, type JsonBounds } from "./json-bounds.js";

/** Receives the tokens of a JSON text in order. */
export interface JsonTokenSink {
  /** One of `{ } [ ] : ,` as a byte. */
  punctuation(byte: number): void;
  text(value: string): void;
  scalar(value: number | boolean | null): void;
}

const quote = 0x22;
const backslash = 0x5c;
const byteClass = classifyBytes();
const maxScalarBytes = 1024;

/**
 * Cuts bytes that arrive in chunks into JSON tokens (RFC 8259). Strings must be well-formed UTF-8 within the bound,
 * numbers safe integers without fraction or exponent. Remembers where the text first strays from RFC 8785.
 */
export class JsonTokenizer {
  readonly #sink: JsonTokenSink;
  readonly #bounds: JsonBounds;
  #state: "between" | "string" | "scalar" = "between";
  #escaped = false;
  /** All bits of the bytes of the current string so far; below 0x80 it is ASCII. */
  #seenBits = 0;
  /** Bytes of an unfinished token from earlier chunks. */
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** Bytes of earlier chunks. */
  #consumed = 0;
  /** Where the last token ended. */
  #offset = 0;
  #nonCanonicalAt: number | undefined;

  constructor(sink: JsonTokenSink, bounds: JsonBounds) {
    this.#sink = sink;
    this.#bounds = bounds;
  }

  /** Byte offset of the first whitespace, escape or number form that canonical text would not have. */
  get nonCanonicalAt(): number | undefined {
    return this.#nonCanonicalAt;
  }

  /** Byte offset of the last token. */
  get offset(): number {
    return this.#offset;
  }

  write(chunk: Uint8Array): void {
    const data = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let at = 0;
    while (at < data.length) {
      if (this.#state === "between") at = this.#between(data, at);
      else if (this.#state === "string") at = this.#inString(data, at);
      else at = this.#inScalar(data, at);
    }
    this.#consumed += data.length;
  }

  end(): void {
    if (this.#state === "scalar") this.#finishScalar(Buffer.alloc(0), 0);
    if (this.#state === "string") throw this.#malformed(0);
  }

  #between(data: Buffer, at: number): number {
    const byte = data[at] ?? 0;
    switch (byteClass[byte]) {
      case "space":
        this.#stray(at);
        return at + 1;
      case "punctuation":
        this.#offset = this.#consumed + at;
        this.#sink.punctuation(byte);
        return at + 1;
      case "quote":
        this.#state = "string";
        return at + 1;
      default:
        this.#state = "scalar";
        return at;
    }
  }

  #inString(data: Buffer, start: number): number {
    let escaped = this.#escaped;
    let seenBits = this.#seenBits;
    for (let at = start; at < data.length; at += 1) {
      const byte = data[at] ?? 0;
      if (escaped) escaped = false;
      else if (byte === backslash) escaped = true;
      else if (byte === quote) {
        this.#escaped = false;
        this.#seenBits = 0;
        this.#finishString(this.#decode(data, start, at, seenBits < 0x80), at);
        return at + 1;
      }
      seenBits |= byte;
    }
    this.#escaped = escaped;
    this.#seenBits = seenBits;
    // A byte of text takes at most six bytes of source: \u0041.
    if (this.#keep(data.subarray(start)) > this.#bounds.stringBytes * 6) refuseBound("stringBytes", this.#bounds);
    return data.length;
  }

  #inScalar(data: Buffer, start: number): number {
    let at = start;
    while (at < data.length && byteClass[data[at] ?? 0] === "other") at += 1;
    if (at < data.length) this.#finishScalar(data.subarray(start, at), at);
    else if (this.#keep(data.subarray(start)) > maxScalarBytes) throw this.#malformed(at);
    return at;
  }

  #decode(data: Buffer, start: number, at: number, ascii: boolean): string {
    if (ascii && this.#pending.length === 0) {
      this.#endToken(at);
      return data.toString("latin1", start, at);
    }
    const raw = this.#take(data.subarray(start, at), at);
    if (isUtf8(raw)) return raw.toString("utf8");
    throw evidenceRefusal("non_canonical_text", "A JSON string is not valid UTF-8.", { constraint: "utf_8" });
  }

  #finishString(source: string, at: number): void {
    const value = /[\\\u0000-\u001f]/.test(source) ? this.#unescape(source, at) : source;
    this.#sink.text(checkedText(value, this.#bounds));
  }

  #unescape(source: string, at: number): string {
    const quoted = `"${source}"`;
    let value: unknown;
    try {
      value = JSON.parse(quoted);
    } catch (error) {
      throw this.#malformed(at, error);
    }
    if (JSON.stringify(value) !== quoted) this.#stray(at);
    return String(value);
  }

  #finishScalar(tail: Buffer, at: number): void {
    const source = this.#take(tail, at).toString("latin1");
    if (source === "null") this.#sink.scalar(null);
    else if (source === "true" || source === "false") this.#sink.scalar(source === "true");
    else this.#sink.scalar(this.#number(source, at));
  }

  #number(source: string, at: number): number {
    const parts = /^-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.exec(source);
    if (parts === null || source.length > maxScalarBytes) throw this.#malformed(at);
    const integer = parts[1] === undefined && parts[2] === undefined;
    // Number() would round 9007199254740991.4 to a safe integer.
    const value = checkedNumber(integer ? Number(source) : Number.NaN);
    if (String(value) !== source) this.#stray(at);
    return value;
  }

  /** Copies, because the caller may use the memory of its chunk again. */
  #keep(part: Buffer): number {
    this.#pending.push(Buffer.from(part));
    this.#pendingBytes += part.length;
    return this.#pendingBytes;
  }

  /** The whole token, which ends with `tail`; the next token starts fresh. */
  #take(tail: Buffer, at: number): Buffer {
    const raw = this.#pending.length === 0 ? tail : Buffer.concat([...this.#pending, tail]);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#endToken(at);
    return raw;
  }

  #endToken(at: number): void {
    this.#offset = this.#consumed + at;
    this.#state = "between";
  }

  #stray(at: number): void {
    this.#nonCanonicalAt ??= this.#consumed + at;
  }

  #malformed(at: number, cause?: unknown): Error {
    return malformedJson(this.#consumed + at, cause);
  }
}

/** The refusal of text that is not JSON. */
export function malformedJson(offset: number, cause?: unknown): Error {
  const error = evidenceRefusal("schema", `The JSON text is malformed near byte ${String(offset)}.`, {
    constraint: "json_syntax",
    actual: offset,
  });
  if (cause !== undefined) error.cause = cause;
  return error;
}

function classifyBytes(): readonly ("space" | "punctuation" | "quote" | "other")[] {
  return Array.from({ length: 256 }, (_, byte) => {
    if ([0x20, 0x09, 0x0a, 0x0d].includes(byte)) return "space";
    if (byte === quote) return "quote";
    return Buffer.from("{}[]:,").includes(byte) ? "punctuation" : "other";
  });
}
