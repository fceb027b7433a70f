import { address, ByteReader, checkRange, type Address, type ByteSource, type Omission } from "@rea/core";

import { Findings } from "../findings.js";
import type { Architecture } from "../image.js";
import { StringPool } from "../string-pool.js";
import { cpuOf, sectionType } from "./constants.js";
import { readMachHeader, type MachHeader } from "./header.js";
import { commandRange, readLoadCommands, type LoadCommand } from "./load-commands.js";
import { readSegments, type MachSection, type MachSegment } from "./segments.js";

/** A blob in `__LINKEDIT` that a command points to. */
export interface DataRange {
  readonly offset: number;
  readonly size: number;
}

/** Header, load commands, segments and the mapping between addresses and the file; what the table readers work on. */
export class MachOFile {
  readonly reader: ByteReader;
  /** A second reader with its own window, for pointers read in turn with a table that lists them. */
  readonly #aside: ByteReader;
  readonly header: MachHeader;
  readonly architecture: Architecture | undefined;
  readonly commands: readonly LoadCommand[];
  readonly segments: readonly MachSegment[];
  readonly sections: readonly MachSection[];
  readonly omissions: readonly Omission[];
  readonly strings: StringPool;
  /** Address of the Mach header: `__TEXT`, or the segment that maps file offset 0, or 0 for objects. */
  readonly base: bigint;
  readonly #segmentsByVa: readonly MachSegment[];
  readonly #sectionsByVa: readonly MachSection[];

  constructor(source: ByteSource) {
    const findings = new Findings();
    this.header = readMachHeader(source);
    this.reader = new ByteReader(source, this.header.endian);
    this.#aside = new ByteReader(source, this.header.endian);
    this.architecture = cpuOf(this.header.cpuType).architecture;
    this.commands = readLoadCommands(this.reader, this.header, findings);
    this.segments = readSegments(this.reader, this.commands, findings);
    this.sections = this.segments.flatMap(({ sections }) => sections);
    this.omissions = findings.list();
    this.strings = new StringPool(this.reader);
    this.base = headerAddress(this.segments);
    this.#segmentsByVa = this.segments.filter(({ virtualSize }) => virtualSize > 0n).sort((left, right) => order(left.va, right.va));
    this.#sectionsByVa = this.sections.filter(({ size }) => size > 0n).sort((left, right) => order(left.va, right.va));
  }

  get pointerSize(): 4 | 8 {
    return this.header.wide ? 8 : 4;
  }

  /** The first command of one of these kinds. */
  command(...kinds: readonly number[]): LoadCommand | undefined {
    return this.commands.find(({ kind }) => kinds.includes(kind));
  }

  /** The range a `linkedit_data_command` names, cut to the file; undefined when absent or empty. */
  linkedit(kind: number): DataRange | undefined {
    const item = this.command(kind);
    return item === undefined || item.size < 16 ? undefined : this.dataRange(item, 8);
  }

  /** An (offset, size) pair of a command, cut to the file. */
  dataRange(item: LoadCommand, field: number): DataRange | undefined {
    commandRange(item, field, 8);
    const offset = this.reader.u32(item.offset + field);
    const size = Math.min(this.reader.u32(item.offset + field + 4), this.reader.size - offset);
    return size > 0 ? { offset, size } : undefined;
  }

  va(value: bigint): Address {
    return address(BigInt.asUintN(64, value));
  }

  segmentAt(va: bigint): MachSegment | undefined {
    const segment = lastAtOrBefore(this.#segmentsByVa, va);
    return segment !== undefined && va < segment.va + segment.virtualSize ? segment : undefined;
  }

  sectionAt(va: bigint): MachSection | undefined {
    const section = lastAtOrBefore(this.#sectionsByVa, va);
    return section !== undefined && va < section.va + section.size ? section : undefined;
  }

  /** File offset behind an address and the bytes from there to the end of the mapping; undefined where there is none. */
  place(va: bigint): { readonly offset: number; readonly available: number } | undefined {
    const segment = this.segmentAt(va);
    if (segment === undefined) return undefined;
    const delta = Number(va - segment.va);
    const backed = Math.min(segment.fileSize, Math.max(0, this.reader.size - segment.fileOffset));
    return delta < backed ? { offset: segment.fileOffset + delta, available: backed - delta } : undefined;
  }

  /** File offset of `length` bytes at an address; throws the range error when the file does not hold them. */
  offsetOf(va: bigint, length: number): number {
    const place = this.place(va);
    if (place === undefined || place.available < length) checkRange(this.reader.size, Infinity, this.reader.size);
    return place?.offset ?? 0;
  }

  /** Address of a file offset through the segment that maps it. */
  vaOfOffset(offset: number): bigint | undefined {
    const segment = this.segments.find((item) => offset >= item.fileOffset && offset < item.fileOffset + item.fileSize);
    return segment === undefined ? undefined : segment.va + BigInt(offset - segment.fileOffset);
  }

  pointerAt(offset: number): bigint {
    return this.header.wide ? this.#aside.u64(offset) : BigInt(this.#aside.u32(offset));
  }
}

/** `__SEGMENT,__section` at an address, else the segment's name, else empty. */
export function placeName(file: MachOFile, va: bigint): string {
  const section = file.sectionAt(va);
  return section === undefined ? (file.segmentAt(va)?.name ?? "") : `${section.segmentName},${section.name}`;
}

export function isZeroFill(section: MachSection): boolean {
  return section.type === sectionType.zeroFill || section.type === sectionType.gbZeroFill || section.type === sectionType.tlvZeroFill;
}

/** True for sections whose attributes say they hold instructions. */
export function holdsCode(section: MachSection | undefined): boolean {
  return section !== undefined && (section.flags & 0x80000400) !== 0;
}

function headerAddress(segments: readonly MachSegment[]): bigint {
  const text = segments.find(({ name }) => name === "__TEXT");
  const first = segments.find(({ fileOffset, fileSize }) => fileOffset === 0 && fileSize > 0);
  return (text ?? first)?.va ?? 0n;
}

function order(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function lastAtOrBefore<T extends { readonly va: bigint }>(sorted: readonly T[], va: bigint): T | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = sorted[middle];
    if (item !== undefined && item.va <= va) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1];
}
