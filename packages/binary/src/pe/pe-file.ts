import { address, ByteReader, checkRange, type Address, type ByteSource, type Omission } from "@rea/core";

import type { Architecture } from "../image.js";
import { Findings } from "../findings.js";
import { StringPool } from "../string-pool.js";
import { directoryIndex, machineOf } from "./constants.js";
import { readPeHeaders, type DataDirectory, type PeHeaders } from "./headers.js";
import { CoffNames, readSectionTable, type PeSection } from "./section-table.js";

export type DirectoryName = keyof typeof directoryIndex;

const lastVa = 1n << 64n;

function extentOf(section: PeSection): number {
  return Math.max(section.virtualSize, section.backedSize);
}

/** Headers, section table and the mapping between RVAs and file offsets; what every table reader works on. */
export class PeFile {
  readonly reader: ByteReader;
  /** A second reader with its own window, for reads that alternate with those of a table. */
  readonly aside: ByteReader;
  readonly headers: PeHeaders;
  readonly architecture: Architecture | undefined;
  readonly strings: StringPool;
  readonly coffNames: CoffNames;
  /** In table order. */
  readonly sections: readonly PeSection[];
  readonly sectionOmissions: readonly Omission[];
  readonly #byRva: readonly PeSection[];
  readonly #disjoint: boolean;
  /** Most look-ups stay in the section of the one before. */
  #found: PeSection | undefined;

  constructor(source: ByteSource) {
    const findings = new Findings();
    this.reader = new ByteReader(source);
    this.aside = new ByteReader(source);
    this.headers = readPeHeaders(source);
    this.architecture = machineOf(this.headers.machine).architecture;
    this.strings = new StringPool(this.reader);
    this.coffNames = new CoffNames(this.reader, this.headers, this.strings);
    this.sections = readSectionTable(this.reader, this.headers, this.coffNames, findings);
    this.sectionOmissions = findings.list();
    this.#byRva = [...this.sections].sort((left, right) => left.rva - right.rva);
    this.#disjoint = this.#byRva.every((section, index) => section.rva + extentOf(section) <= (this.#byRva[index + 1]?.rva ?? Infinity));
  }

  get pointerSize(): 4 | 8 {
    return this.headers.plus ? 8 : 4;
  }

  /** Undefined when the directory is absent or empty. */
  directory(name: DirectoryName): DataDirectory | undefined {
    const directory = this.headers.directories[directoryIndex[name]];
    return directory === undefined || directory.rva === 0 ? undefined : directory;
  }

  va(rva: number): Address {
    const va = this.headers.imageBase + BigInt(rva);
    // Only an absurd image base wraps around.
    return address(va < lastVa ? va : BigInt.asUintN(64, va));
  }

  /** RVA of a VA inside the image, else undefined. */
  rvaOf(va: bigint): number | undefined {
    const rva = va - this.headers.imageBase;
    return rva >= 0n && rva < BigInt(this.headers.sizeOfImage) ? Number(rva) : undefined;
  }

  /** The section whose virtual range holds the RVA. */
  sectionAt(rva: number): PeSection | undefined {
    const kept = this.#found;
    if (kept !== undefined && this.#disjoint && rva >= kept.rva && rva < kept.rva + extentOf(kept)) return kept;
    this.#found = this.#search(rva);
    return this.#found;
  }

  #search(rva: number): PeSection | undefined {
    let low = 0;
    let high = this.#byRva.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#byRva[middle]?.rva ?? Infinity) <= rva) low = middle + 1;
      else high = middle;
    }
    const section = this.#byRva[low - 1];
    if (section === undefined) return undefined;
    return rva < section.rva + extentOf(section) ? section : undefined;
  }

  /** File offset of a file-backed RVA and the bytes from there to the end of its mapping; undefined for the rest. */
  place(rva: number): { readonly offset: number; readonly available: number } | undefined {
    const section = this.sectionAt(rva);
    if (section === undefined) {
      const end = Math.min(this.headers.sizeOfHeaders, this.reader.size);
      return rva < end ? { offset: rva, available: end - rva } : undefined;
    }
    const delta = rva - section.rva;
    if (delta >= section.backedSize) return undefined;
    return { offset: section.fileOffset + delta, available: section.backedSize - delta };
  }

  /** File offset of `length` file-backed bytes at an RVA; throws the range error when they are not in the file. */
  offsetOf(rva: number, length: number): number {
    const place = this.place(rva);
    if (place === undefined || place.available < length) checkRange(rva, Infinity, this.headers.sizeOfImage);
    return place?.offset ?? 0;
  }

  /** File offset of an RVA for reports; 0 where nothing of the file stands behind it. */
  fileOffset(rva: number): number {
    return this.place(rva)?.offset ?? 0;
  }

  u16(rva: number): number {
    return this.reader.u16(this.offsetOf(rva, 2));
  }

  u32(rva: number): number {
    return this.reader.u32(this.offsetOf(rva, 4));
  }

  /** A pointer-sized value. */
  pointer(rva: number): bigint {
    const offset = this.offsetOf(rva, this.pointerSize);
    return this.headers.plus ? this.reader.u64(offset) : BigInt(this.reader.u32(offset));
  }

  /** A NUL-terminated name inside one mapping. */
  name(rva: number): string {
    const offset = this.offsetOf(rva, 1);
    return this.strings.at(offset, offset + (this.place(rva)?.available ?? 0));
  }
}
