import { address, ByteReader, checkRange, type Address } from "@rea/core";

import { Findings } from "./findings.js";
import type { BinaryImage, Relocation, Section } from "./image.js";
import { once } from "./once.js";
import { StringPool } from "./string-pool.js";

/** What a pointer in data leads to: a place in the image, or a symbol of another image. Both undefined for null. */
export interface MetadataPointer {
  readonly va: bigint | undefined;
  readonly symbol: string | undefined;
}

/** Where a record stands; `fileOffset` counts from the start of the image. */
export interface MetadataPlace {
  readonly va: Address;
  readonly fileOffset: number;
}

interface Mapping {
  readonly start: bigint;
  readonly size: number;
  readonly offset: number;
}

const nowhere: MetadataPointer = { va: undefined, symbol: undefined };
const mostRecords = 1_000_000;

/**
 * Language metadata of an image read by address, as the loader would leave it: pointers go through the fix-ups. Reads
 * outside the file throw the range error (`artifact_operation_failed`, reason `format`), which `attempt` records.
 */
export class MetadataMemory {
  readonly image: BinaryImage;
  readonly findings = new Findings();
  readonly pointerSize: 4 | 8;
  readonly #reader: ByteReader;
  readonly #names: StringPool;
  readonly #mappings: readonly Mapping[];
  readonly #isObject: boolean;
  readonly #relocations = once(() => this.#relocationsByVa());
  readonly #symbols = once(() => this.#symbolsByName());
  #records = 0;

  constructor(image: BinaryImage) {
    this.image = image;
    this.pointerSize = image.bits === 64 ? 8 : 4;
    this.#reader = new ByteReader(image.source, image.endian);
    this.#names = new StringPool(new ByteReader(image.source, image.endian));
    this.#mappings = mappingsOf(image);
    this.#isObject = image.header.type === "MH_OBJECT";
  }

  /** Sections of this name in any segment. */
  sections(...names: readonly string[]): readonly Section[] {
    return this.image.sections().items.filter(({ name, va }) => va !== undefined && names.includes(name));
  }

  /** Place of `length` bytes at an address; throws the range error when the file does not hold them. */
  place(va: bigint, length = 0): MetadataPlace {
    return { va: address(BigInt.asUintN(64, va)), fileOffset: this.#offset(va, length) };
  }

  /** Bytes from an address to the end of what the file maps there; 0 outside. */
  available(va: bigint): number {
    const mapping = this.#mapping(va);
    return mapping === undefined ? 0 : mapping.size - Number(va - mapping.start);
  }

  u16(va: bigint): number {
    return this.#reader.u16(this.#offset(va, 2));
  }

  u32(va: bigint): number {
    return this.#reader.u32(this.#offset(va, 4));
  }

  bytes(va: bigint, length: number): Uint8Array {
    return this.#reader.bytes(this.#offset(va, length), length);
  }

  /** NUL-terminated text; empty once the budget for names is used up. */
  text(va: bigint): string {
    const offset = this.#offset(va, 1);
    return this.#names.at(offset, offset + this.available(va));
  }

  /** The text a pointer leads to; undefined for null and for other images. */
  textBehind({ va }: MetadataPointer): string | undefined {
    return va === undefined ? undefined : this.text(va);
  }

  /** The pointer stored at an address, after fix-ups. */
  pointer(va: bigint): MetadataPointer {
    const offset = this.#offset(va, this.pointerSize);
    const raw = this.pointerSize === 8 ? this.#reader.u64(offset) : BigInt(this.#reader.u32(offset));
    const relocation = this.#relocations().get(va);
    if (relocation?.target !== undefined && !this.#isObject) return { va: relocation.target, symbol: undefined };
    if (relocation?.symbol !== undefined) return this.#bound(relocation.symbol, this.#isObject ? raw : 0n);
    // In an object file even address 0 is a place when a relocation says that the cell holds an address.
    const isNull = raw === 0n && (relocation === undefined || !this.#isObject);
    return isNull ? nowhere : { va: raw, symbol: undefined };
  }

  /** Target of a 32-bit distance counted from its own address; undefined for 0. */
  relative(va: bigint): bigint | undefined {
    const distance = this.#reader.i32(this.#offset(va, 4));
    return distance === 0 ? undefined : BigInt.asUintN(64, va + BigInt(distance));
  }

  /** Like `relative`, where a set lowest bit says that the target is a pointer to the thing. */
  relativeIndirectable(va: bigint): MetadataPointer {
    const target = this.relative(va);
    if (target === undefined) return nowhere;
    return (target & 1n) === 0n ? { va: target, symbol: undefined } : this.pointer(target & ~1n);
  }

  /** Runs a read; a read outside the file becomes a `malformed` finding at the record's file offset. */
  attempt<T>(scope: string, va: bigint, read: () => T): T | undefined {
    const mapping = this.#mapping(va);
    const offset = mapping === undefined ? 0 : mapping.offset + Number(va - mapping.start);
    return this.findings.attempt(scope, offset, read);
  }

  malformed(scope: string, va: bigint, problem: string): void {
    const mapping = this.#mapping(va);
    this.findings.malformed(scope, mapping === undefined ? 0 : mapping.offset + Number(va - mapping.start), problem);
  }

  /** Counts one record against the bound of the whole image; false when it is used up. */
  take(scope: string): boolean {
    if (this.#records < mostRecords) {
      this.#records += 1;
      return true;
    }
    this.findings.limited(scope, "limit_items", 1, mostRecords);
    return false;
  }

  #bound(symbol: string, addend: bigint): MetadataPointer {
    const own = this.#symbols().get(symbol);
    return own === undefined ? { va: undefined, symbol } : { va: BigInt.asUintN(64, own + addend), symbol: undefined };
  }

  #offset(va: bigint, length: number): number {
    const mapping = this.#mapping(va);
    const delta = mapping === undefined ? 0 : Number(va - mapping.start);
    if (mapping === undefined || delta + length > mapping.size) checkRange(this.#reader.size, Infinity, this.#reader.size);
    return (mapping?.offset ?? 0) + delta;
  }

  #mapping(va: bigint): Mapping | undefined {
    let low = 0;
    let high = this.#mappings.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const mapping = this.#mappings[middle];
      if (mapping !== undefined && mapping.start <= va) low = middle + 1;
      else high = middle;
    }
    const mapping = this.#mappings[low - 1];
    return mapping !== undefined && va - mapping.start < BigInt(mapping.size) ? mapping : undefined;
  }

  #relocationsByVa(): ReadonlyMap<bigint, Relocation> {
    const { items } = this.image.relocations();
    // Of an object's relocations only these fill a whole pointer; the others patch code or hold half of a pair.
    const kept = this.#isObject ? items.filter(({ type }) => /_(?:UNSIGNED|VANILLA)$/.test(type)) : items;
    return new Map(kept.map((item) => [item.va, item]));
  }

  #symbolsByName(): ReadonlyMap<string, bigint> {
    const defined = this.image.symbols().items.filter((symbol) => symbol.defined);
    return new Map(defined.flatMap(({ name, va }) => (va === undefined ? [] : [[name, va]])));
  }
}

function mappingsOf(image: BinaryImage): readonly Mapping[] {
  const size = image.source.size;
  return image
    .segments()
    .items.map(({ va, virtualSize, file }) => {
      const stored = Math.max(0, Math.min(file.size, size - file.offset));
      const mapped = virtualSize < BigInt(stored) ? Number(virtualSize) : stored;
      return { start: va, offset: file.offset, size: mapped };
    })
    .filter((mapping) => mapping.size > 0)
    .sort((left, right) => (left.start < right.start ? -1 : left.start > right.start ? 1 : 0));
}
