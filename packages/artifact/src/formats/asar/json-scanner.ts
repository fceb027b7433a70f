import { ReaError, type ByteSource } from "@rea/core";
import type { EntryName } from "../../format.js";
import { utf8Name } from "../../reading/entry-name.js";
import { PieceWindow } from "../../reading/piece-window.js";

/** A value of the header that is no container; `other` stands for one that is. */
export type Scalar =
  | { readonly kind: "string"; readonly value: EntryName }
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "true" | "false" | "null" | "other" };

const longestString = 1024 * 1024;
const longestWord = 64;
const viewBytes = 16 * 1024;

const byte = { quote: 0x22, comma: 0x2c, colon: 0x3a, backslash: 0x5c, open: 0x7b, close: 0x7d, openList: 0x5b, closeList: 0x5d } as const;

/**
 * Reads JSON piece by piece and in order, so that members of one object keep their order and none hides behind a later one
 * of the same name. Throws `artifact_operation_failed` (reason `format`) with the container's offset where it is no JSON.
 */
export class JsonScanner {
  readonly #window: PieceWindow;
  readonly #end: number;
  #at: number;
  #view: Uint8Array = new Uint8Array(0);
  #viewStart = 0;

  constructor(source: ByteSource, start: number, length: number) {
    this.#window = new PieceWindow(source);
    this.#at = start;
    this.#end = start + length;
  }

  /** Offset in the container. */
  get position(): number {
    return this.#at;
  }

  /** What the next value starts with. */
  next(): "object" | "list" | "scalar" {
    const first = this.#peek();
    if (first === byte.open) return "object";
    return first === byte.openList ? "list" : "scalar";
  }

  /** The keys of an object; after each the caller must take its value. */
  *keys(): Generator<EntryName, void, undefined> {
    this.#expect(byte.open);
    if (this.#takes(byte.close)) return;
    do {
      if (this.#peek() !== byte.quote) throw this.#broken();
      const key = this.#string();
      this.#expect(byte.colon);
      yield key;
    } while (this.#takes(byte.comma));
    this.#expect(byte.close);
  }

  /** Goes through a list; for each item the caller must take its value. */
  *items(): Generator<number, void, undefined> {
    this.#expect(byte.openList);
    if (this.#takes(byte.closeList)) return;
    let index = 0;
    do {
      yield index;
      index += 1;
    } while (this.#takes(byte.comma));
    this.#expect(byte.closeList);
  }

  /** The next value; containers are passed over. */
  scalar(): Scalar {
    const first = this.#peek();
    if (first === byte.quote) return { kind: "string", value: this.#string() };
    if (first === byte.open || first === byte.openList) {
      this.skip();
      return { kind: "other" };
    }
    const text = this.#word();
    if (text === "true" || text === "false" || text === "null") return { kind: text };
    if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return { kind: "number", text };
    throw this.#broken();
  }

  /** Passes over a value of any depth: brackets are counted, so depth costs nothing. */
  skip(): void {
    let depth = 0;
    do {
      const first = this.#peek();
      if (first === byte.quote) this.#string();
      else if (first === byte.open || first === byte.openList) depth += this.#step(1);
      else if (first === byte.close || first === byte.closeList) depth += this.#step(-1);
      else if (depth > 0 && (first === byte.comma || first === byte.colon)) this.#step(0);
      else this.#word();
    } while (depth > 0);
  }

  /** True when only blanks are left. */
  isOver(): boolean {
    while (this.#at < this.#end && isBlank(this.#byteAt(this.#at))) this.#at += 1;
    return this.#at >= this.#end;
  }

  #step(change: number): number {
    this.#at += 1;
    return change;
  }

  /** The next byte that is no blank, not taken. */
  #peek(): number {
    while (this.#at < this.#end) {
      const found = this.#byteAt(this.#at);
      if (!isBlank(found)) return found;
      this.#at += 1;
    }
    throw this.#broken();
  }

  #expect(wanted: number): void {
    if (this.#peek() !== wanted) throw this.#broken();
    this.#at += 1;
  }

  #takes(wanted: number): boolean {
    if (this.#peek() !== wanted) return false;
    this.#at += 1;
    return true;
  }

  #word(): string {
    this.#peek();
    const start = this.#at;
    while (this.#at < this.#end && this.#at - start < longestWord && isWord(this.#byteAt(this.#at))) this.#at += 1;
    if (this.#at === start) throw this.#broken();
    return this.#window.bytes(start, this.#at - start).toString("latin1");
  }

  #string(): EntryName {
    const start = this.#at + 1;
    const plain = this.#plainString(start);
    if (plain !== undefined) return plain;
    let escaped = false;
    for (let at = start; at < this.#end && at - start < longestString; at += 1) {
      const found = this.#byteAt(at);
      if (found === byte.backslash) {
        escaped = true;
        at += 1;
      } else if (found === byte.quote) {
        this.#at = at + 1;
        return this.#decoded(Uint8Array.prototype.slice.call(this.#window.bytes(start, at - start)), escaped);
      }
    }
    throw this.#broken();
  }

  /** A string that lies in the view as it is, which most do; undefined for any other. */
  #plainString(start: number): EntryName | undefined {
    if (start >= this.#end) return undefined;
    this.#byteAt(start);
    const into = start - this.#viewStart;
    const end = this.#view.indexOf(byte.quote, into);
    if (end < 0) return undefined;
    const raw = Uint8Array.prototype.slice.call(this.#view, into, end);
    if (raw.includes(byte.backslash)) return undefined;
    this.#at = this.#viewStart + end + 1;
    return utf8Name(raw);
  }

  /** Text with half a surrogate pair is none: such a name keeps the bytes between its quotes. */
  #decoded(raw: Uint8Array, escaped: boolean): EntryName {
    const plain = utf8Name(raw);
    if (!escaped || plain.text === undefined) return plain;
    const text = unescaped(plain.text);
    if (text === undefined) throw this.#broken();
    const bytes = new TextEncoder().encode(text);
    return isWellFormed(text) ? { bytes, text } : { bytes: raw, text: undefined };
  }

  #byteAt(at: number): number {
    const into = at - this.#viewStart;
    if (into >= 0 && into < this.#view.byteLength) return this.#view[into] ?? 0;
    this.#viewStart = at;
    this.#view = this.#window.bytes(at, Math.min(viewBytes, this.#end - at));
    return this.#view[0] ?? 0;
  }

  #broken(): ReaError {
    return new ReaError("artifact_operation_failed", {
      message: "The header's JSON breaks off or is not JSON.",
      details: { operation: "read_asar_header", reason: "format", offset: this.#at },
    });
  }
}

function isBlank(found: number): boolean {
  return found === 0x20 || found === 0x0a || found === 0x0d || found === 0x09;
}

function isWord(found: number): boolean {
  return (found >= 0x30 && found <= 0x39) || (found >= 0x61 && found <= 0x7a) || found === 0x2b || found === 0x2d || found === 0x2e || found === 0x45;
}

function unescaped(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(`"${text}"`);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

function isWellFormed(text: string): boolean {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
}
