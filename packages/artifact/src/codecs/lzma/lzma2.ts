import type { SequentialReader } from "../../reading/sequential-reader.js";
import { brokenData } from "../broken-data.js";
import { defaultWindowBytes, type DecoderOptions } from "../reader-codec.js";
import { turn } from "../turn.js";
import { Dictionary } from "./dictionary.js";
import { lzmaProperties, LzmaState } from "./lzma-state.js";

/** The dictionary size one byte stands for (LZMA2 properties): 2 or 3 times a power of two; undefined when out of range. */
export function lzma2DictionaryBytes(code: number): number | undefined {
  if (code > 40) return undefined;
  return code === 40 ? 0xffff_ffff : (2 | (code & 1)) * 2 ** (Math.floor(code / 2) + 11);
}

const outputBytes = 1 << 18;

/**
 * Decodes LZMA2 (xz and 7z): chunks of at most 2 MiB, each LZMA or plain, up to the zero byte that ends them. Pieces
 * are copies.
 */
export async function* decodeLzma2(reader: SequentialReader, dictionaryBytes: number, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const maximum = options.maxWindowBytes ?? defaultWindowBytes;
  if (dictionaryBytes > maximum) {
    throw brokenData(`The data asks for a window of ${String(dictionaryBytes)} bytes, more than the ${String(maximum)} allowed.`);
  }
  const chunks = new Lzma2Chunks(reader, dictionaryBytes);
  for (;;) {
    const control = await byte(reader);
    if (control === 0) return;
    for await (const piece of control >= 0x80 ? chunks.compressed(control) : chunks.plain(control)) {
      yield piece;
      await turn(options.signal);
    }
  }
}

async function byte(reader: SequentialReader): Promise<number> {
  const [value] = await reader.read(1);
  if (value === undefined) throw brokenData("The LZMA2 data ends without its end mark.");
  return value;
}

class Lzma2Chunks {
  readonly #reader: SequentialReader;
  readonly #dictionary: Dictionary;
  readonly #state: LzmaState;
  #needsDictionary = true;
  #needsProperties = true;
  #needsState = true;

  constructor(reader: SequentialReader, dictionaryBytes: number) {
    this.#reader = reader;
    this.#dictionary = new Dictionary(dictionaryBytes);
    this.#state = new LzmaState(this.#dictionary);
  }

  async *plain(control: number): AsyncGenerator<Uint8Array, void, undefined> {
    if (control > 2) throw brokenData("An LZMA2 chunk has an unknown kind.");
    if (control === 1) this.#resetDictionary();
    if (this.#needsDictionary) throw brokenData("The first LZMA2 chunk does not start a dictionary.");
    const size = await this.#size(2);
    const bytes = await this.#exactly(size + 1);
    for (let at = 0; at < bytes.byteLength; ) {
      const count = this.#dictionary.write(bytes.subarray(at));
      this.#state.passed(count);
      at += count;
      if (this.#dictionary.pending > 0) yield this.#dictionary.flush();
    }
  }

  async *compressed(control: number): AsyncGenerator<Uint8Array, void, undefined> {
    const plainBytes = ((control & 0x1f) << 16) + (await this.#size(2)) + 1;
    const packedBytes = (await this.#size(2)) + 1;
    await this.#prepare((control >> 5) & 3);
    const { range } = this.#state;
    range.feed(await this.#exactly(packedBytes));
    range.start();
    for (let left = plainBytes; left > 0; ) {
      const { produced, ended } = this.#state.run(Math.min(left, outputBytes), 0);
      left -= produced;
      if (ended) throw brokenData("An LZMA2 chunk holds an end marker.");
      yield this.#dictionary.flush();
    }
    range.normalizeAtEnd();
    if (this.#state.hasPendingMatch || range.left > 0 || !range.finished) throw brokenData("An LZMA2 chunk does not end where it says.");
  }

  /** Resets as the chunk says: 0 nothing, 1 the state, 2 with new properties, 3 the dictionary too. */
  async #prepare(reset: number): Promise<void> {
    if (reset === 3) this.#resetDictionary();
    if (this.#needsDictionary) throw brokenData("The first LZMA2 chunk does not start a dictionary.");
    if (reset >= 2) this.#configure(await byte(this.#reader));
    else if (reset === 1) this.#resetState();
    if (this.#needsState) throw brokenData("An LZMA2 chunk goes on with a state that was never set.");
  }

  #configure(code: number): void {
    const properties = lzmaProperties(code);
    if (properties === undefined || properties.lc + properties.lp > 4) throw brokenData("The properties of an LZMA2 chunk are out of range.");
    this.#state.configure(properties);
    this.#needsProperties = false;
    this.#needsState = false;
  }

  #resetState(): void {
    if (this.#needsProperties) throw brokenData("An LZMA2 chunk resets a state that has no properties.");
    this.#state.reset();
    this.#needsState = false;
  }

  #resetDictionary(): void {
    this.#dictionary.reset();
    this.#state.restartPosition();
    this.#needsDictionary = false;
    this.#needsState = true;
    this.#needsProperties = true;
  }

  async #size(bytes: number): Promise<number> {
    return Buffer.from(await this.#exactly(bytes)).readUIntBE(0, bytes);
  }

  async #exactly(length: number): Promise<Uint8Array> {
    const bytes = await this.#reader.read(length);
    if (bytes.byteLength < length) throw brokenData("The LZMA2 data ends inside a chunk.");
    return bytes;
  }
}
