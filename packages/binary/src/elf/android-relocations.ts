import type { Findings } from "../findings.js";
import type { ElfFile } from "./elf-file.js";
import { fileNumber } from "./file-header.js";
import type { RelocationEntry } from "./relocation-entries.js";
import type { RelocationTable } from "./relocation-tables.js";

const flag = { sameInfo: 1, sameDelta: 2, sameAddend: 4, hasAddend: 8 } as const;

/** Android packed relocations (`APS2`): groups of delta-encoded entries written as signed LEB128 numbers. */
export function* readAndroidEntries(file: ElfFile, table: RelocationTable, findings: Findings): Generator<RelocationEntry> {
  const bytes = file.reader.bytes(table.offset, table.size);
  if (table.size < 4 || bytes[0] !== 0x41 || bytes[1] !== 0x50 || bytes[2] !== 0x53 || bytes[3] !== 0x32) {
    findings.malformed("relocations", table.offset, "a packed table lacks the APS2 magic");
    return;
  }
  const stream = new SignedNumbers(bytes, 4);
  const total = stream.next();
  let va = stream.next();
  let addend = 0n;
  let seen = 0n;
  while (seen < total && !stream.ended) {
    const size = stream.next();
    const flags = Number(stream.next() & 15n);
    const delta = (flags & flag.sameDelta) === 0 ? undefined : stream.next();
    const info = (flags & flag.sameInfo) === 0 ? undefined : stream.next();
    const withAddend = (flags & flag.hasAddend) !== 0;
    const sameAddend = (flags & flag.sameAddend) !== 0;
    if (withAddend && sameAddend) addend += stream.next();
    if (!withAddend) addend = 0n;
    if (size <= 0n) break;
    for (let index = 0n; index < size && seen < total && !stream.ended; index += 1n, seen += 1n) {
      va += delta ?? stream.next();
      const entryInfo = info ?? stream.next();
      if (withAddend && !sameAddend) addend += stream.next();
      yield entry(file, table, va, entryInfo, withAddend ? addend : undefined);
    }
  }
  if (seen < total) findings.malformed("relocations", table.offset, "a packed table ends before its declared count");
}

function entry(file: ElfFile, table: RelocationTable, va: bigint, info: bigint, addend: bigint | undefined): RelocationEntry {
  const wide = file.header.bits === 64;
  const value = BigInt.asUintN(64, info);
  return {
    va: BigInt.asUintN(file.header.bits, va),
    type: Number(wide ? value & 0xffff_ffffn : value & 0xffn),
    symbolIndex: fileNumber(wide ? value >> 32n : value >> 8n),
    addend,
    offset: table.offset,
  };
}

class SignedNumbers {
  readonly #bytes: Uint8Array;
  #at: number;
  ended = false;

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  next(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) break;
      this.#at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) {
        return (byte & 0x40) === 0 ? value : value - (1n << (shift + 7n));
      }
    }
    this.ended = true;
    return 0n;
  }
}
