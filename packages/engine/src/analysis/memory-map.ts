import type { BinaryImage, Section, Segment } from "@rea/binary";

/** A mapped range in RVAs; `fileEnd` is where the bytes of the file end, the rest is zero-filled. */
export interface MappedRange {
  readonly start: number;
  readonly end: number;
  readonly fileEnd: number;
  readonly fileOffset: number;
  readonly executable: boolean;
  readonly writable: boolean;
}

/** Where the image's bytes are in memory, in numbers counted from its lowest mapped address. */
export class MemoryMap {
  readonly base: bigint;
  /** Sorted by start. */
  readonly segments: readonly MappedRange[];
  /** Executable sections, or executable segments where no section describes them; sorted, not overlapping. */
  readonly code: readonly MappedRange[];
  /** End of the highest mapped range. */
  readonly size: number;
  /** Executable sections and segments that lie 2^53 bytes or more above the lowest address and are left out. */
  readonly distantCode: number;
  readonly #image: BinaryImage;
  /** Disjoint pieces of the segments, for look-up; an address that two segments claim belongs to the lower one. */
  readonly #pieces: readonly MappedRange[];

  constructor(image: BinaryImage) {
    this.#image = image;
    const segments = image.segments().items.filter((segment) => segment.virtualSize > 0n);
    const sections = image.sections().items;
    this.base = lowestAddress(image, segments, sections);
    this.segments = sortRanges(segments.flatMap((segment) => this.#segmentRange(segment)));
    this.#pieces = withoutOverlaps(this.segments, (range) => range.end);
    this.size = this.segments.reduce((end, range) => Math.max(end, range.end), 0);
    this.distantCode = [...segments.filter((segment) => segment.executable), ...sections.filter((section) => section.kind === "code")].filter(
      (range) => range.va !== undefined && this.toRva(range.va + range.virtualSize) === undefined,
    ).length;
    this.code = withoutOverlaps(this.#codeRanges(sections), (range) => range.fileEnd).map((range) => ({
      ...range,
      end: range.fileEnd,
    }));
  }

  toRva(va: bigint): number | undefined {
    const rva = va - this.base;
    return rva >= 0n && rva <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(rva) : undefined;
  }

  /** The mapped range that holds the address. */
  rangeAt(rva: number): MappedRange | undefined {
    const piece = this.#pieces[lastAtOrBelow(this.#pieces, rva)];
    return piece !== undefined && rva < piece.end ? piece : undefined;
  }

  /** Bytes from the file at an RVA, fewer than asked where the file's part ends. */
  read(rva: number, length: number): Uint8Array {
    const range = this.rangeAt(rva);
    if (range === undefined || rva >= range.fileEnd) return new Uint8Array(0);
    const offset = range.fileOffset + (rva - range.start);
    return this.readFile(offset, Math.min(length, range.fileEnd - rva));
  }

  /** Bytes of the file, fewer than asked at its end. */
  readFile(offset: number, length: number): Uint8Array {
    const available = Math.max(0, Math.min(length, this.#image.source.size - offset));
    return available === 0 ? new Uint8Array(0) : this.#image.source.read(offset, available);
  }

  #segmentRange(segment: Segment): MappedRange[] {
    return this.#range(segment.va, segment.virtualSize, segment.file, segment);
  }

  #codeRanges(sections: readonly Section[]): MappedRange[] {
    const declared = sections.flatMap((section) =>
      section.kind === "code" && section.va !== undefined && section.file !== undefined
        ? this.#range(section.va, section.virtualSize, section.file, { executable: true, writable: false })
        : [],
    );
    const bare = this.segments.filter(
      (segment) =>
        segment.executable && !declared.some((range) => range.start < segment.end && range.end > segment.start),
    );
    return [...declared, ...bare].filter((range) => range.fileEnd > range.start);
  }

  #range(
    va: bigint,
    virtualSize: bigint,
    file: { readonly offset: number; readonly size: number },
    rights: { readonly executable: boolean; readonly writable: boolean },
  ): MappedRange[] {
    const start = this.toRva(va);
    const end = this.toRva(va + virtualSize);
    if (start === undefined || end === undefined) return [];
    const bytes = Math.max(0, Math.min(file.size, end - start, this.#image.source.size - file.offset));
    return [
      {
        start,
        end,
        fileEnd: start + bytes,
        fileOffset: file.offset,
        executable: rights.executable,
        writable: rights.writable,
      },
    ];
  }
}

function lowestAddress(image: BinaryImage, segments: readonly Segment[], sections: readonly Section[]): bigint {
  const mapped = segments.map((segment) => segment.va);
  const placed = segments.length > 0 ? mapped : sections.flatMap((section) => section.va ?? []);
  return placed.reduce<bigint>((lowest, va) => (va < lowest ? va : lowest), image.imageBase);
}

function sortRanges(ranges: readonly MappedRange[]): MappedRange[] {
  return [...ranges].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Cuts what an earlier range already covers up to `endOf`; what is then empty falls away. */
function withoutOverlaps(ranges: readonly MappedRange[], endOf: (range: MappedRange) => number): MappedRange[] {
  const kept: MappedRange[] = [];
  let covered = 0;
  for (const range of sortRanges(ranges)) {
    const skip = Math.max(0, covered - range.start);
    if (range.start + skip >= endOf(range)) continue;
    kept.push({ ...range, start: range.start + skip, fileOffset: range.fileOffset + skip });
    covered = endOf(range);
  }
  return kept;
}

/** Index of the last item whose start is ≤ `value`, -1 without one. Items are sorted by start. */
export function lastAtOrBelow(items: readonly { readonly start: number }[], value: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((items[middle]?.start ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
