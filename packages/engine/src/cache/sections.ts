/**
 * The body of a cache file: named columns one after another, each `tag (8 bytes of ASCII) · length in bytes (64 bits) ·
 * data · fill up to 8 bytes`, in a fixed order. Numbers are in the byte order of the machine that wrote them, which the
 * header states.
 */

/** What a cache file says cannot be: it was damaged, or written by something else. Never leaves this folder. */
export class DamagedCache extends Error {
  override readonly name = "DamagedCache";
}

const unit = 8;
const headBytes = 16;
const highestWord = 0xffff_ffff;
/** Columns of addresses have two widths; the tag ends in the one that was used. */
const narrow = "4";
const wide = "8";

/** Collects columns; nothing is copied before they are written. */
export class SectionWriter {
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;

  get byteLength(): number {
    return this.#bytes;
  }

  /** Heads, data and fill, in order. */
  get pieces(): readonly Uint8Array[] {
    return this.#pieces;
  }

  bytes(tag: string, data: Uint8Array): void {
    if (tag.length > 8) throw new Error("A tag has at most eight characters.");
    const head = new Uint8Array(headBytes);
    Buffer.from(head.buffer).write(tag.padEnd(8), "latin1");
    new DataView(head.buffer).setBigUint64(8, BigInt(data.byteLength), true);
    this.#push(head);
    this.#push(data);
    this.#push(new Uint8Array(-data.byteLength & (unit - 1)));
  }

  words(tag: string, values: Uint32Array): void {
    this.bytes(tag, bytesOf(values));
  }

  /** Whole numbers below 2^53 (addresses, counts), in four bytes each where all of them fit. */
  numbers(tag: string, values: Float64Array): void {
    const small = values.every((value) => value <= highestWord && value >= 0 && Number.isInteger(value));
    if (small) this.bytes(`${tag}${narrow}`, bytesOf(new Uint32Array(values)));
    else this.bytes(`${tag}${wide}`, bytesOf(values));
  }

  json(tag: string, value: unknown): void {
    this.bytes(tag, Buffer.from(JSON.stringify(value)));
  }

  #push(piece: Uint8Array): void {
    if (piece.byteLength === 0) return;
    this.#pieces.push(piece);
    this.#bytes += piece.byteLength;
  }
}

function bytesOf(values: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** Reads columns in the order they were written. Throws `DamagedCache` for anything that was not written that way. */
export class SectionReader {
  readonly #data: Uint8Array;
  #at = 0;

  /** `data` begins at a multiple of eight in its buffer, so that columns can be views. */
  constructor(data: Uint8Array) {
    if (data.byteOffset % unit !== 0) throw new DamagedCache("the body is not aligned");
    this.#data = data;
  }

  bytes(tag: string): Uint8Array {
    const length = this.#open(tag);
    if (length === undefined) throw new DamagedCache("another column was expected");
    return this.#take(length);
  }

  words(tag: string): Uint32Array {
    const data = this.bytes(tag);
    if (data.byteLength % 4 !== 0) throw new DamagedCache("a column of words has a remainder");
    return new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
  }

  numbers(tag: string): Float64Array {
    if (this.#peek() === `${tag}${narrow}`.padEnd(8)) return new Float64Array(this.words(`${tag}${narrow}`));
    const data = this.bytes(`${tag}${wide}`);
    if (data.byteLength % 8 !== 0) throw new DamagedCache("a column of numbers has a remainder");
    const values = new Float64Array(data.buffer, data.byteOffset, data.byteLength / 8);
    if (!values.every(Number.isSafeInteger)) throw new DamagedCache("a column of numbers holds a fraction");
    return values;
  }

  json(tag: string): unknown {
    const data = this.bytes(tag);
    try {
      return JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("utf8"));
    } catch (error) {
      if (error instanceof SyntaxError) throw new DamagedCache("a description does not parse");
      throw error;
    }
  }

  /** To be called at the end: nothing may be left over. */
  finish(): void {
    if (this.#at !== this.#data.byteLength) throw new DamagedCache("bytes follow the last column");
  }

  #peek(): string {
    const { buffer, byteOffset } = this.#data;
    const left = this.#data.byteLength - this.#at;
    return left < headBytes ? "" : Buffer.from(buffer, byteOffset + this.#at, 8).toString("latin1");
  }

  #open(tag: string): number | undefined {
    if (this.#peek() !== tag.padEnd(8)) return undefined;
    const length = new DataView(this.#data.buffer, this.#data.byteOffset + this.#at, headBytes).getBigUint64(8, true);
    this.#at += headBytes;
    return length > BigInt(this.#data.byteLength - this.#at) ? undefined : Number(length);
  }

  #take(length: number): Uint8Array {
    const start = this.#at;
    this.#at += length + (-length & (unit - 1));
    if (this.#at > this.#data.byteLength) throw new DamagedCache("a column ends past the file");
    return this.#data.subarray(start, start + length);
  }
}

/** Columns that describe the same rows have as many entries. */
export function requireRows(rows: number, ...columns: readonly { readonly length: number }[]): void {
  if (columns.some(({ length }) => length !== rows)) throw new DamagedCache("columns of one table differ in length");
}
