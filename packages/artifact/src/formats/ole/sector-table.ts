import { throwIfAborted, type ByteSource } from "@rea/core";
import { bufferOf } from "../../reading/piece-window.js";
import { sectorMark, type OleHeader } from "./ole-header.js";

/** Kinds of owners a sector can have; 0 is nobody. */
export const owner = { nobody: 0, table: 1, directory: 2, stream: 3 } as const;

/** A chain of sectors, as far as it can be followed. */
export interface Chain {
  readonly sectors: Uint32Array;
  /** Why it was not followed to its end mark or to the bytes wanted. */
  readonly broken: "loop" | "outside" | "short" | "limit" | undefined;
  /** Sectors that belong to something else as well. */
  readonly shared: number;
  /** Sectors behind those wanted. */
  readonly surplus: number;
}

/** The sectors of a compound file and their allocation table. */
export class SectorTable {
  readonly source: ByteSource;
  readonly sectorBytes: number;
  /** Whole or cut sectors that the file has behind its header. */
  readonly count: number;
  readonly next: Uint32Array;
  readonly owners: Uint8Array;
  /** Sectors of the allocation table that were found; declared were `header.fatSectors`. */
  fatSectors = 0;
  readonly problems: string[] = [];
  /** Steps along chains that may still be taken: many streams on one long chain must not multiply the work. */
  #steps: number;

  constructor(source: ByteSource, header: OleHeader, signal: AbortSignal) {
    this.source = source;
    this.sectorBytes = header.sectorBytes;
    this.count = Math.max(0, Math.ceil(source.size / header.sectorBytes) - 1);
    this.owners = new Uint8Array(this.count);
    this.next = new Uint32Array(this.count).fill(sectorMark.free);
    this.#steps = 8 * this.count + 1_000_000;
    this.#load(this.#tableSectors(header, signal), signal);
  }

  /** Where a sector's bytes stand. */
  offset(sector: number): number {
    return (sector + 1) * this.sectorBytes;
  }

  claim(sector: number, by: number): boolean {
    const isNew = this.owners[sector] === owner.nobody;
    if (isNew) this.owners[sector] = by;
    return isNew;
  }

  /** Follows a chain for `wanted` sectors, or to its end when that is infinite. */
  chain(start: number, wanted: number, by: number): Chain {
    const sectors: number[] = [];
    let shared = 0;
    let sector = start;
    let broken: Chain["broken"];
    while (sectors.length < wanted && sector !== sectorMark.end) {
      broken = this.#obstacle(sector, sectors.length);
      if (broken !== undefined) break;
      this.#steps -= 1;
      if (!this.claim(sector, by)) shared += 1;
      sectors.push(sector);
      sector = this.next[sector] ?? sectorMark.free;
    }
    if (broken === undefined && Number.isFinite(wanted) && sectors.length < wanted) broken = "short";
    const surplus = broken === undefined && sectors.length === wanted && sector !== sectorMark.end ? this.#surplus(sector, by) : 0;
    return { sectors: Uint32Array.from(sectors), broken, shared, surplus };
  }

  #obstacle(sector: number, length: number): Chain["broken"] {
    if (sector >= this.count) return "outside";
    if (length >= this.count) return "loop";
    return this.#steps <= 0 ? "limit" : undefined;
  }

  /** Sectors that a chain has behind its data; they are claimed as well. */
  #surplus(start: number, by: number): number {
    let count = 0;
    for (let sector = start; sector < this.count && this.#steps > 0; sector = this.next[sector] ?? sectorMark.free) {
      this.#steps -= 1;
      if (!this.claim(sector, by)) break;
      count += 1;
    }
    return count;
  }

  /** Places of the sectors that hold the allocation table: from the header, then from a chain of lists. */
  #tableSectors(header: OleHeader, signal: AbortSignal): readonly number[] {
    const perSector = this.sectorBytes / 4;
    const wanted = Math.ceil(this.count / perSector);
    const places = header.difat.filter((place) => place < sectorMark.difat);
    const seen = new Set<number>();
    for (let sector = header.difatStart; sector < this.count && places.length < wanted; ) {
      throwIfAborted(signal, "ole_table");
      if (seen.has(sector)) {
        this.problems.push("The list of the allocation table's sectors leads back to itself.");
        break;
      }
      seen.add(sector);
      this.claim(sector, owner.table);
      const list = this.#words(sector);
      for (const place of list.subarray(0, perSector - 1)) if (place < sectorMark.difat) places.push(place);
      sector = list[perSector - 1] ?? sectorMark.end;
    }
    this.fatSectors = places.length;
    return places.slice(0, wanted);
  }

  #load(places: readonly number[], signal: AbortSignal): void {
    const perSector = this.sectorBytes / 4;
    for (const [index, place] of places.entries()) {
      throwIfAborted(signal, "ole_table");
      if (place >= this.count) {
        this.problems.push("A sector of the allocation table lies outside the file.");
        continue;
      }
      if (!this.claim(place, owner.table)) this.problems.push("A sector of the allocation table is used twice.");
      const words = this.#words(place);
      this.next.set(words.subarray(0, Math.max(0, Math.min(perSector, this.count - index * perSector))), index * perSector);
    }
  }

  /** The 32-bit numbers of a sector; those past the file's end count as free. */
  #words(sector: number): Uint32Array {
    const words = new Uint32Array(this.sectorBytes / 4).fill(sectorMark.free);
    const at = this.offset(sector);
    const bytes = bufferOf(this.source.read(at, Math.min(this.sectorBytes, this.source.size - at)));
    if (bytes.byteLength < this.sectorBytes) this.problems.push("A sector of the allocation table is cut short.");
    for (let index = 0; index * 4 + 4 <= bytes.byteLength; index += 1) words[index] = bytes.readUInt32LE(index * 4);
    return words;
  }
}
