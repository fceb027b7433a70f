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
  const running = { va: stream.next(), addend: 0n };
  let left = total;
  while (left > 0n && !stream.ended) {
    const size = stream.next();
    if (size <= 0n) break;
    const group = readGroup(stream, running, size < left ? size : left);
    for (; group.left > 0n && !stream.ended; group.left -= 1n, left -= 1n) yield entry(file, table, nextEntry(stream, running, group));
  }
  if (left > 0n) findings.malformed("relocations", table.offset, "a packed table ends before its declared count");
}

interface Running {
  va: bigint;
  addend: bigint;
}

interface Group {
  left: bigint;
  readonly delta: bigint | undefined;
  readonly info: bigint | undefined;
  readonly addends: "none" | "shared" | "own";
}

function readGroup(stream: SignedNumbers, running: Running, left: bigint): Group {
  const flags = Number(stream.next() & 15n);
  const delta = (flags & flag.sameDelta) === 0 ? undefined : stream.next();
  const info = (flags & flag.sameInfo) === 0 ? undefined : stream.next();
  if ((flags & flag.hasAddend) === 0) {
    running.addend = 0n;
    return { left, delta, info, addends: "none" };
  }
  if ((flags & flag.sameAddend) === 0) return { left, delta, info, addends: "own" };
  running.addend += stream.next();
  return { left, delta, info, addends: "shared" };
}

interface PackedEntry {
  readonly va: bigint;
  readonly info: bigint;
  readonly addend: bigint | undefined;
}

function nextEntry(stream: SignedNumbers, running: Running, group: Group): PackedEntry {
  running.va += group.delta ?? stream.next();
  const info = group.info ?? stream.next();
  if (group.addends === "own") running.addend += stream.next();
  return { va: running.va, info, addend: group.addends === "none" ? undefined : running.addend };
}

function entry(file: ElfFile, table: RelocationTable, { va, info, addend }: PackedEntry): RelocationEntry {
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
