import type { ByteReader } from "@rea/core";
import type { Findings } from "../findings.js";
import { fileNumber, type ElfHeader } from "./file-header.js";

/** One entry of the program header table (gABI: "Program Header"). */
export interface ProgramHeader {
  readonly index: number;
  readonly type: number;
  readonly flags: number;
  readonly offset: number;
  readonly va: bigint;
  readonly fileSize: number;
  readonly memorySize: bigint;
  readonly align: bigint;
}

export const programTypes = {
  load: 1,
  dynamic: 2,
  interpreter: 3,
  note: 4,
  tls: 7,
  ehFrame: 0x6474e550,
  stack: 0x6474e551,
  relro: 0x6474e552,
  property: 0x6474e553,
  armExidx: 0x70000001,
} as const;

export const maximumHeaders = 1 << 20;

/** The readable entries; a table that leaves the file is cut and noted. */
export function readProgramHeaders(reader: ByteReader, header: ElfHeader, findings: Findings): readonly ProgramHeader[] {
  const place = header.programs;
  const least = header.bits === 64 ? 56 : 32;
  const scope = "program headers";
  if (place.count === 0 || place.offset === 0) return [];
  if (place.stride < least) {
    findings.malformed(scope, place.offset, `an entry of ${String(place.stride)} bytes is too small`);
    return [];
  }
  const room = Math.max(0, Math.floor((reader.size - place.offset) / place.stride));
  if (room < place.count) {
    findings.malformed(scope, place.offset, `${String(place.count)} entries are declared, ${String(room)} fit the file`);
  }
  const count = Math.min(place.count, room, maximumHeaders);
  if (count === maximumHeaders && place.count > count) {
    findings.limited(scope, "limit_items", place.count - count, maximumHeaders);
  }
  const read = header.bits === 64 ? readEntry64 : readEntry32;
  return Array.from({ length: count }, (_, index) => read(reader, place.offset + index * place.stride, index));
}

function readEntry32(reader: ByteReader, at: number, index: number): ProgramHeader {
  return {
    index,
    type: reader.u32(at),
    flags: reader.u32(at + 24),
    offset: reader.u32(at + 4),
    va: BigInt(reader.u32(at + 8)),
    fileSize: reader.u32(at + 16),
    memorySize: BigInt(reader.u32(at + 20)),
    align: BigInt(reader.u32(at + 28)),
  };
}

function readEntry64(reader: ByteReader, at: number, index: number): ProgramHeader {
  return {
    index,
    type: reader.u32(at),
    flags: reader.u32(at + 4),
    offset: fileNumber(reader.u64(at + 8)),
    va: reader.u64(at + 16),
    fileSize: fileNumber(reader.u64(at + 32)),
    memorySize: reader.u64(at + 40),
    align: reader.u64(at + 48),
  };
}
/** `PF_R`, `PF_W`, `PF_X`, and other bits as one hexadecimal word. */
export function programFlagNames(flags: number): string[] {
  const names = [
    ...((flags & 4) === 0 ? [] : ["PF_R"]),
    ...((flags & 2) === 0 ? [] : ["PF_W"]),
    ...((flags & 1) === 0 ? [] : ["PF_X"]),
  ];
  const rest = (flags & ~7) >>> 0;
  return rest === 0 ? names : [...names, `0x${rest.toString(16)}`];
}
