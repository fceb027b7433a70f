import { brokenData } from "../../codecs/broken-data.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import type { PaxValues } from "./pax-records.js";
import { blockBytes, paddingOf } from "./tar-header.js";
import { decimal, tarNumber } from "./tar-number.js";

/** A stretch of a sparse file that holds data. */
export interface SparseExtent {
  readonly offset: number;
  readonly length: number;
}

export interface SparseMap {
  readonly realBytes: number;
  readonly extents: readonly SparseExtent[];
  /** Bytes of the stored data that were the map itself. */
  readonly mapBytes: number;
}

/** No map with more stretches is kept in memory. */
const maximumExtents = 1 << 20;
const headerExtents = 4;
const blockExtents = 21;
const entryBytes = 24;

/** The map of an old GNU sparse header and the blocks that go on with it, which are taken from the reader. */
export async function oldGnuMap(reader: SequentialReader, block: Uint8Array): Promise<SparseMap> {
  const extents = fieldExtents(block, 386, headerExtents);
  const realBytes = tarNumber(block.subarray(483, 495));
  let more = block[482] !== 0;
  while (more) {
    const next = (await reader.read(blockBytes)).slice();
    if (next.byteLength < blockBytes) throw brokenData("The archive ends inside a sparse map.", reader.position);
    extents.push(...fieldExtents(next, 0, blockExtents));
    more = next[504] !== 0;
    if (extents.length > maximumExtents) throw brokenData("A sparse map has too many parts.", reader.position);
  }
  return checkedMap(realBytes, extents, 0);
}

function fieldExtents(block: Uint8Array, at: number, count: number): SparseExtent[] {
  const extents: SparseExtent[] = [];
  for (let index = 0; index < count; index += 1) {
    const entry = block.subarray(at + index * entryBytes, at + (index + 1) * entryBytes);
    // An entry without a length field ends the list.
    if (entry[12] === 0) break;
    extents.push({ offset: tarNumber(entry.subarray(0, 12)) ?? -1, length: tarNumber(entry.subarray(12)) ?? -1 });
  }
  return extents;
}

/** The map of a pax sparse header of version 0.0 (repeated records) or 0.1 (one list); undefined when there is none. */
export function paxMap(values: PaxValues): SparseMap | undefined {
  const list = values.bytes("GNU.sparse.map");
  const numbers = list === undefined ? recordNumbers(values) : Buffer.from(list).toString("latin1").split(",").map((part) => decimal(Buffer.from(part)) ?? -1);
  const declared = values.bytes("GNU.sparse.size");
  if (list === undefined && numbers.length === 0 && declared === undefined) return undefined;
  if (numbers.length % 2 !== 0) throw brokenData("A sparse map has an offset without a length.");
  return checkedMap(decimal(declared), pairs(numbers), 0);
}

function recordNumbers(values: PaxValues): readonly number[] {
  return values.own.flatMap(({ key, value }) => (key === "GNU.sparse.offset" || key === "GNU.sparse.numbytes" ? [decimal(value) ?? -1] : []));
}

/** The map of version 1.0, which stands as lines of decimals before the data and is taken from the reader. */
export async function leadingMap(reader: SequentialReader, realBytes: number | undefined, storedBytes: number): Promise<SparseMap> {
  const lines = new MapLines(reader, storedBytes);
  const count = await lines.number();
  if (count > maximumExtents) throw brokenData("A sparse map has too many parts.", reader.position);
  const numbers: number[] = [];
  for (let left = count * 2; left > 0; left -= 1) numbers.push(await lines.number());
  await lines.toBlock();
  return checkedMap(realBytes, pairs(numbers), lines.taken);
}

class MapLines {
  taken = 0;
  readonly #reader: SequentialReader;
  readonly #storedBytes: number;

  constructor(reader: SequentialReader, storedBytes: number) {
    this.#reader = reader;
    this.#storedBytes = storedBytes;
  }

  async number(): Promise<number> {
    const seen = await this.#reader.peek(Math.min(24, this.#storedBytes - this.taken));
    const end = seen.indexOf(0x0a);
    const value = end < 0 ? undefined : decimal(seen.subarray(0, end));
    if (value === undefined) throw brokenData("A sparse map holds something that is no number.", this.#reader.position);
    await this.#take(end + 1);
    return value;
  }

  async toBlock(): Promise<void> {
    await this.#take(Math.min(paddingOf(this.taken), this.#storedBytes - this.taken));
  }

  async #take(length: number): Promise<void> {
    this.taken += await this.#reader.skip(length);
  }
}

function pairs(numbers: readonly number[]): SparseExtent[] {
  const extents: SparseExtent[] = [];
  for (let at = 0; at + 1 < numbers.length; at += 2) extents.push({ offset: numbers[at] ?? -1, length: numbers[at + 1] ?? -1 });
  return extents;
}

/** Parts must follow one another inside the file. */
function checkedMap(realBytes: number | undefined, extents: readonly SparseExtent[], mapBytes: number): SparseMap {
  if (realBytes === undefined || realBytes < 0) throw brokenData("A sparse member does not say how long it is.");
  let end = 0;
  for (const { offset, length } of extents) {
    if (offset < end || length < 0 || offset + length > realBytes) throw brokenData("The parts of a sparse map overlap, go back or leave the file.");
    end = offset + length;
  }
  return { realBytes, extents, mapBytes };
}

/** Bytes of data the map's parts take in the archive. */
export function storedLength({ extents }: SparseMap): number {
  return extents.reduce((sum, { length }) => sum + length, 0);
}
