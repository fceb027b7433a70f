import { brokenData } from "../../codecs/broken-data.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";

const magic = Buffer.from("8eade801", "hex");
const introBytes = 16;
const entryBytes = 16;
/** Bounds of rpm's own reader are about these. */
const mostEntries = 65_536;
const longestStore = 64 * 1024 * 1024;

interface IndexEntry {
  readonly type: number;
  readonly offset: number;
  readonly count: number;
}

/** A header structure: tags with values in a store (RPM file format, "Header structure"). */
export class RpmHeader {
  /** The whole structure as it stands in the file. */
  readonly bytes: Uint8Array;
  readonly #entries: ReadonlyMap<number, IndexEntry>;
  readonly #store: Buffer;

  constructor(bytes: Uint8Array) {
    const all = Buffer.from(bytes);
    const count = all.readUInt32BE(8);
    const entries = new Map<number, IndexEntry>();
    for (let index = 0; index < count; index += 1) {
      const at = introBytes + index * entryBytes;
      entries.set(all.readUInt32BE(at), { type: all.readUInt32BE(at + 4), offset: all.readUInt32BE(at + 8), count: all.readUInt32BE(at + 12) });
    }
    this.bytes = bytes;
    this.#entries = entries;
    this.#store = all.subarray(introBytes + count * entryBytes);
  }

  /** The first string of a tag. */
  text(tag: number): string | undefined {
    const entry = this.#entries.get(tag);
    if (entry === undefined || ![6, 8, 9].includes(entry.type) || entry.offset >= this.#store.byteLength) return undefined;
    const rest = this.#store.subarray(entry.offset);
    const end = rest.indexOf(0);
    return end < 0 ? undefined : rest.toString("latin1", 0, end);
  }

  /** The first number of a tag of 32 or 64 bits. */
  number(tag: number): number | undefined {
    const entry = this.#entries.get(tag);
    if (entry === undefined || entry.count < 1) return undefined;
    const { type, offset } = entry;
    if (type === 4 && offset + 4 <= this.#store.byteLength) return this.#store.readUInt32BE(offset);
    if (type !== 5 || offset + 8 > this.#store.byteLength) return undefined;
    const value = Number(this.#store.readBigUInt64BE(offset));
    return Number.isSafeInteger(value) ? value : undefined;
  }

  /** The strings of a list; bytes as Latin-1. */
  texts(tag: number): readonly string[] {
    const entry = this.#entries.get(tag);
    if (entry === undefined || ![6, 8, 9].includes(entry.type)) return [];
    const found: string[] = [];
    for (let at = entry.offset; found.length < entry.count && at < this.#store.byteLength; ) {
      const end = this.#store.indexOf(0, at);
      if (end < 0) break;
      found.push(this.#store.toString("latin1", at, end));
      at = end + 1;
    }
    return found;
  }

  /** The numbers of a list of 16 or 32 bits each. */
  numbers(tag: number): readonly number[] {
    const entry = this.#entries.get(tag);
    if (entry === undefined || (entry.type !== 3 && entry.type !== 4)) return [];
    const width = entry.type === 3 ? 2 : 4;
    const count = Math.min(entry.count, Math.floor(Math.max(0, this.#store.byteLength - entry.offset) / width));
    return Array.from({ length: count }, (_, index) => this.#store.readUIntBE(entry.offset + index * width, width));
  }

  /** The bytes of a binary tag as hexadecimal text. */
  hex(tag: number): string | undefined {
    const entry = this.#entries.get(tag);
    if (entry?.type !== 7 || entry.offset + entry.count > this.#store.byteLength) return undefined;
    return this.#store.toString("hex", entry.offset, entry.offset + entry.count);
  }
}

/** Takes a header structure; throws when it is none, out of bounds or cut short. */
export async function readRpmHeader(reader: SequentialReader): Promise<RpmHeader> {
  const intro = Buffer.from(await reader.peek(introBytes));
  if (intro.byteLength < introBytes || !magic.equals(intro.subarray(0, 4))) throw brokenData("An rpm header does not start with its magic.", reader.position);
  const count = intro.readUInt32BE(8);
  const store = intro.readUInt32BE(12);
  if (count > mostEntries || store > longestStore) throw brokenData(`An rpm header of ${String(count)} entries and ${String(store)} bytes is beyond what is read.`, reader.position);
  const length = introBytes + count * entryBytes + store;
  const bytes = (await reader.read(length)).slice();
  if (bytes.byteLength < length) throw brokenData("The package ends inside a header.", reader.position);
  return new RpmHeader(bytes);
}
