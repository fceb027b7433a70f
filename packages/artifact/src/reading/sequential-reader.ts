import { checkRange, type ByteSource } from "@rea/core";
import { SourcePieces } from "./source-pieces.js";

const empty = new Uint8Array(0);

/** Reads pieces of bytes that arrive one after another. Holds no more than what was asked for and one piece. */
export class SequentialReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #current: Uint8Array = empty;
  #at = 0;
  #position = 0;
  #ended = false;
  /** What ended the pieces, told when everything before it was taken. */
  #failure: { readonly error: unknown } | undefined;

  /** What the bytes are of, where they can be read elsewhere as well: offsets in it are positions here. */
  readonly source: ByteSource | undefined;
  readonly #jumping: SourcePieces | undefined;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#jumping = pieces instanceof SourcePieces ? pieces : undefined;
    this.source = this.#jumping?.source;
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** A reader of a whole source, which passes over bytes without reading them. */
  static over(source: ByteSource): SequentialReader {
    return new SequentialReader(new SourcePieces(source));
  }

  /** Bytes taken since the start. */
  get position(): number {
    return this.#position;
  }

  /** True when no byte is left. */
  async atEnd(): Promise<boolean> {
    return (await this.#fill()) === 0;
  }

  /** The next bytes, without taking them: fewer than `length` only at the end. */
  async peek(length: number): Promise<Uint8Array> {
    const bytes = await this.#gather(length);
    return bytes;
  }

  /** As `peek`, but fewer bytes also where the pieces fail; the failure is thrown to whoever reads on. */
  async head(length: number): Promise<Uint8Array> {
    await this.#loadUpTo(length);
    return this.#current.subarray(this.#at, this.#at + length);
  }

  /** The next bytes: fewer than `length` only at the end. */
  async read(length: number): Promise<Uint8Array> {
    const bytes = await this.#gather(length);
    this.#at += bytes.byteLength;
    this.#position += bytes.byteLength;
    return bytes;
  }

  /** Exactly `length` bytes; throws `artifact_operation_failed` (reason `format`) when fewer are left. */
  async exactly(length: number): Promise<Uint8Array> {
    const start = this.#position;
    const bytes = await this.read(length);
    if (bytes.byteLength < length) checkRange(start, length, this.#position);
    return bytes;
  }

  /** Whatever is at hand, at most `maximum` bytes; empty only at the end. */
  async some(maximum: number): Promise<Uint8Array> {
    const ready = Math.min(await this.#fill(), maximum);
    const bytes = this.#current.subarray(this.#at, this.#at + ready);
    this.#at += ready;
    this.#position += ready;
    return bytes;
  }

  /** Passes over bytes; the number passed is smaller than `length` only at the end. */
  async skip(length: number): Promise<number> {
    const ready = this.#current.byteLength - this.#at;
    if (this.#jumping !== undefined && length > ready && !this.#ended) {
      const passed = this.#jumping.jump(this.#position + length);
      const skipped = passed - this.#position;
      this.#current = empty;
      this.#at = 0;
      this.#position = passed;
      return skipped;
    }
    let left = length;
    while (left > 0) {
      const bytes = await this.some(left);
      if (bytes.byteLength === 0) break;
      left -= bytes.byteLength;
    }
    return length - left;
  }

  /** The next `length` bytes in pieces, fewer when the data ends before. What the consumer leaves stays to be skipped. */
  async *take(length: number): AsyncGenerator<Uint8Array, void, undefined> {
    let left = length;
    while (left > 0) {
      const bytes = await this.some(left);
      if (bytes.byteLength === 0) return;
      left -= bytes.byteLength;
      yield bytes;
    }
  }

  /** Everything left, in pieces. */
  rest(): AsyncGenerator<Uint8Array, void, undefined> {
    return this.take(Number.POSITIVE_INFINITY);
  }

  /** Lets go of the pieces' owner. May be called twice. */
  async close(): Promise<void> {
    this.#ended = true;
    this.#current = empty;
    this.#at = 0;
    await this.#pieces.return?.();
  }

  /** Bytes at hand, after loading a piece when there are none. */
  async #fill(): Promise<number> {
    while (this.#at >= this.#current.byteLength && !this.#ended) await this.#load();
    const ready = this.#current.byteLength - this.#at;
    if (ready === 0 && this.#failure !== undefined) throw this.#failure.error;
    return ready;
  }

  async #load(): Promise<void> {
    const next = await this.#next();
    this.#ended = next.done === true;
    this.#current = next.done === true ? empty : next.value;
    this.#at = 0;
  }

  async #next(): Promise<IteratorResult<Uint8Array, unknown>> {
    try {
      return await this.#pieces.next();
    } catch (error) {
      this.#failure = { error };
      return { done: true, value: undefined };
    }
  }

  /** Makes the next bytes stand in one piece. */
  async #gather(length: number): Promise<Uint8Array> {
    await this.#loadUpTo(length);
    const ready = this.#current.byteLength - this.#at;
    if (ready < length && this.#failure !== undefined) throw this.#failure.error;
    return this.#current.subarray(this.#at, this.#at + length);
  }

  async #loadUpTo(length: number): Promise<void> {
    let total = this.#current.byteLength - this.#at;
    if (total >= length || this.#ended) return;
    const parts = [this.#current.subarray(this.#at)];
    while (total < length && !this.#ended) {
      await this.#load();
      parts.push(this.#current);
      total += this.#current.byteLength;
    }
    this.#current = parts.length === 2 && parts[0]?.byteLength === 0 ? (parts[1] ?? empty) : Buffer.concat(parts);
    this.#at = 0;
  }
}
