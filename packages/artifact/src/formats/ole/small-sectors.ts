import { ChainSource } from "./chain-source.js";
import type { DirectoryEntry } from "./directory.js";
import { sectorMark, type OleHeader } from "./ole-header.js";
import { owner, type SectorTable } from "./sector-table.js";

/** Small sectors of 64 bytes: they lie in the root's own stream and have a table of their own. */
export class SmallSectors {
  readonly sectorBytes: number;
  /** The root's stream, as far as it can be read. */
  readonly source: ChainSource;
  readonly #next: Uint32Array;
  readonly #owned: Uint8Array;

  constructor(table: SectorTable, header: OleHeader, root: DirectoryEntry) {
    this.sectorBytes = header.miniSectorBytes;
    const wanted = Math.ceil(root.bytes / table.sectorBytes);
    const data = root.bytes === 0 ? new Uint32Array(0) : table.chain(root.start, wanted, owner.stream).sectors;
    this.source = new ChainSource(table.source, piecesOf(table, data), Math.min(root.bytes, readable(table, data)));
    const count = Math.floor(this.source.size / this.sectorBytes);
    this.#next = tableOf(table, header, count);
    this.#owned = new Uint8Array(count);
  }

  /** Follows a chain of small sectors; at most as many as there are. */
  chain(start: number, wanted: number): { readonly sectors: Uint32Array; readonly broken: boolean; readonly shared: number } {
    const sectors: number[] = [];
    let shared = 0;
    const most = Math.min(wanted, this.#next.length);
    for (let sector = start; sectors.length < most && sector < this.#next.length; sector = this.#next[sector] ?? sectorMark.end) {
      if (this.#owned[sector] === 1) shared += 1;
      this.#owned[sector] = 1;
      sectors.push(sector);
    }
    return { sectors: Uint32Array.from(sectors), broken: sectors.length < wanted, shared };
  }
}

export function piecesOf(table: SectorTable, numbers: Uint32Array): ConstructorParameters<typeof ChainSource>[1] {
  return { pieceBytes: table.sectorBytes, numbers, offset: (sector) => table.offset(sector) };
}

/** Bytes of a chain before the first sector that the file's end cuts. */
export function readable(table: SectorTable, sectors: Uint32Array): number {
  for (const [index, sector] of sectors.entries()) {
    const missing = table.offset(sector) + table.sectorBytes - table.source.size;
    if (missing > 0) return index * table.sectorBytes + Math.max(0, table.sectorBytes - missing);
  }
  return sectors.length * table.sectorBytes;
}

function tableOf(table: SectorTable, header: OleHeader, count: number): Uint32Array {
  const wanted = Math.ceil((count * 4) / table.sectorBytes);
  const start = header.miniFatStart;
  const sectors = count === 0 ? new Uint32Array(0) : table.chain(start, wanted, owner.table).sectors;
  const bytes = new ChainSource(table.source, piecesOf(table, sectors), readable(table, sectors));
  const next = new Uint32Array(count).fill(sectorMark.free);
  const known = Buffer.from(bytes.read(0, Math.min(bytes.size - (bytes.size % 4), count * 4)));
  for (let index = 0; index * 4 < known.byteLength; index += 1) next[index] = known.readUInt32LE(index * 4);
  return next;
}
