import { address, type Address, type ByteSource } from "@rea/core";
import type { BinaryImage } from "@rea/binary";

interface Mapping {
  readonly start: bigint;
  readonly end: bigint;
  readonly fileOffset: number;
  readonly fileSize: number;
}

/** Where an address stands in the file. */
export type FilePlace =
  | { readonly kind: "file"; readonly offset: number }
  | { readonly kind: "zero-fill" }
  | { readonly kind: "outside" };

export interface MemoryRead {
  /** The mapped prefix of what was asked for; shorter when a hole follows. */
  readonly bytes: Uint8Array;
  /** How many of the bytes are zeros that only the loader supplies. */
  readonly zeroFilled: number;
}

/** The image as the loader lays it out: segments, or sections with addresses where a file has no segments. */
export class MappedMemory {
  readonly #mappings: readonly Mapping[];
  readonly #source: ByteSource;
  readonly #sourceOffset: number;

  constructor(image: BinaryImage) {
    this.#source = image.source;
    this.#sourceOffset = image.sourceOffset;
    this.#mappings = mappingsOf(image);
  }

  /** Lowest mapped address, preferring none over a guess. */
  get lowest(): Address | undefined {
    const first = this.#mappings[0];
    return first === undefined ? undefined : address(first.start);
  }

  isMapped(va: bigint): boolean {
    return this.#mappingOf(va) !== undefined;
  }

  /** Offset in the file on disk (not in the slice). */
  place(va: bigint): FilePlace {
    const mapping = this.#mappingOf(va);
    if (mapping === undefined) return { kind: "outside" };
    const offset = Number(va - mapping.start);
    if (offset >= this.#stored(mapping)) return { kind: "zero-fill" };
    return { kind: "file", offset: this.#sourceOffset + mapping.fileOffset + offset };
  }

  /** Stretches of addresses whose bytes the file stores one after another, by address. */
  stored(): readonly { readonly va: Address; readonly size: number }[] {
    return this.#mappings.flatMap((mapping) => {
      const size = Math.min(this.#stored(mapping), Number(mapping.end - mapping.start));
      return size === 0 ? [] : [{ va: address(mapping.start), size }];
    });
  }

  /** Bytes from `va` on, up to `length` or the first hole. */
  read(va: bigint, length: number): MemoryRead {
    const bytes = new Uint8Array(length);
    let done = 0;
    let zeroFilled = 0;
    while (done < length) {
      const at = va + BigInt(done);
      const mapping = this.#mappingOf(at);
      if (mapping === undefined) break;
      const offset = Number(at - mapping.start);
      const count = Math.min(length - done, Number(mapping.end - at));
      const stored = Math.max(0, Math.min(count, this.#stored(mapping) - offset));
      if (stored > 0) bytes.set(this.#source.read(mapping.fileOffset + offset, stored), done);
      zeroFilled += count - stored;
      done += count;
    }
    return { bytes: bytes.subarray(0, done), zeroFilled };
  }

  /** Bytes of the mapping that the file really holds, whatever its header says. */
  #stored(mapping: Mapping): number {
    return Math.max(0, Math.min(mapping.fileSize, this.#source.size - mapping.fileOffset));
  }

  #mappingOf(va: bigint): Mapping | undefined {
    let low = 0;
    let high = this.#mappings.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const mapping = this.#mappings[middle];
      if (mapping !== undefined && mapping.start <= va) low = middle + 1;
      else high = middle;
    }
    // Declared ranges may overlap: look back past shorter ones that start later.
    for (let index = low - 1; index >= Math.max(0, low - lookBack); index -= 1) {
      const mapping = this.#mappings[index];
      if (mapping !== undefined && va < mapping.end) return mapping;
    }
    return undefined;
  }
}

const lookBack = 64;

function mappingsOf(image: BinaryImage): Mapping[] {
  const segments = image.segments().items.map((segment) => ({
    start: segment.va,
    end: segment.va + segment.virtualSize,
    fileOffset: segment.file.offset,
    fileSize: segment.file.size,
  }));
  const mapped = segments.filter((mapping) => mapping.end > mapping.start);
  return (mapped.length > 0 ? mapped : sectionMappings(image)).sort(byStart);
}

function sectionMappings(image: BinaryImage): Mapping[] {
  return image.sections().items.flatMap((section) => {
    if (section.va === undefined || section.virtualSize === 0n) return [];
    const { offset, size } = section.file ?? { offset: 0, size: 0 };
    return [{ start: section.va, end: section.va + section.virtualSize, fileOffset: offset, fileSize: size }];
  });
}

function byStart(a: Mapping, b: Mapping): number {
  if (a.start !== b.start) return a.start < b.start ? -1 : 1;
  return a.end === b.end ? 0 : a.end < b.end ? -1 : 1;
}
