import { readWord, type ElfFile } from "./elf-file.js";
import { em } from "./machines.js";
import type { RelocationTable } from "./relocation-tables.js";

/** One decoded entry; `addend` is undefined where the format keeps it in the relocated place. */
export interface RelocationEntry {
  readonly va: bigint;
  readonly type: number;
  readonly symbolIndex: number;
  readonly addend: bigint | undefined;
  /** Where the entry stands in the file. */
  readonly offset: number;
}

/** Elf32_Rel, Elf32_Rela, Elf64_Rel and Elf64_Rela tables (gABI: "Relocation"). */
export function* readEntries(file: ElfFile, table: RelocationTable): Generator<RelocationEntry> {
  const read = file.header.bits === 32 ? readEntry32 : isMips64(file) ? readEntryMips64 : readEntry64;
  for (let at = 0; at + table.entrySize <= table.size; at += table.entrySize) {
    yield read(file, table.offset + at, table.form === "rela");
  }
}

function isMips64(file: ElfFile): boolean {
  return file.header.machine === em.mips && file.header.bits === 64;
}

function readEntry32(file: ElfFile, offset: number, withAddend: boolean): RelocationEntry {
  const info = file.reader.u32(offset + 4);
  const addend = withAddend ? BigInt(file.reader.i32(offset + 8)) : undefined;
  return { va: BigInt(file.reader.u32(offset)), type: info & 0xff, symbolIndex: info >>> 8, addend, offset };
}

function readEntry64(file: ElfFile, offset: number, withAddend: boolean): RelocationEntry {
  const { reader } = file;
  const [typeAt, symbolAt] = reader.littleEndian ? [8, 12] : [12, 8];
  const addend = withAddend ? reader.i64(offset + 16) : undefined;
  return { va: reader.u64(offset), type: reader.u32(offset + typeAt), symbolIndex: reader.u32(offset + symbolAt), addend, offset };
}

/** MIPS64: a 32-bit symbol index, then four bytes (second symbol, third, second and first type) in any byte order. */
function readEntryMips64(file: ElfFile, offset: number, withAddend: boolean): RelocationEntry {
  const { reader } = file;
  const type = reader.u8(offset + 15) | (reader.u8(offset + 14) << 8) | (reader.u8(offset + 13) << 16);
  const addend = withAddend ? reader.i64(offset + 16) : undefined;
  return { va: reader.u64(offset), type, symbolIndex: reader.u32(offset + 8), addend, offset };
}

/** SHT_RELR (gABI): an even word is an address, an odd word a bitmap of the places that follow it. */
export function* readPackedAddresses(file: ElfFile, table: RelocationTable, type: number): Generator<RelocationEntry> {
  const { bits } = file.header;
  const word = BigInt(bits / 8);
  let next = 0n;
  for (let at = 0; at + bits / 8 <= table.size; at += bits / 8) {
    const offset = table.offset + at;
    const value = readWord(file, offset);
    if ((value & 1n) === 0n) {
      yield { va: value, type, symbolIndex: 0, addend: undefined, offset };
      next = value + word;
      continue;
    }
    for (let bit = 1; bit < bits; bit += 1) {
      if (((value >> BigInt(bit)) & 1n) === 0n) continue;
      const va = BigInt.asUintN(bits, next + word * BigInt(bit - 1));
      yield { va, type, symbolIndex: 0, addend: undefined, offset };
    }
    next = BigInt.asUintN(bits, next + word * BigInt(bits - 1));
  }
}
