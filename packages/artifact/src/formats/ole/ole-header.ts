import type { ByteSource } from "@rea/core";
import { bufferOf } from "../../reading/piece-window.js";

const headerBytes = 512;
const listedInHeader = 109;
const usualMiniCutoff = 4096;

/** Marks of sectors that are no sector of a chain ([MS-CFB] §2.1). */
export const sectorMark = { difat: 0xfffffffc, fat: 0xfffffffd, end: 0xfffffffe, free: 0xffffffff } as const;

/** The fixed header of a compound file ([MS-CFB] §2.2). */
export interface OleHeader {
  readonly sectorBytes: number;
  readonly miniSectorBytes: number;
  readonly miniCutoff: number;
  readonly major: number;
  readonly directoryStart: number;
  readonly miniFatStart: number;
  readonly difatStart: number;
  readonly fatSectors: number;
  /** Counted from version 4 on; undefined before. */
  readonly directorySectors: number | undefined;
  /** Places of the first sectors of the allocation table. */
  readonly difat: readonly number[];
  /** Sentences about fields that contradict the document. */
  readonly problems: readonly string[];
}

/** Reads the header; undefined when it is cut short or gives sizes that nothing can be read with. */
export function readOleHeader(source: ByteSource): OleHeader | undefined {
  if (source.size < headerBytes) return undefined;
  const bytes = bufferOf(source.read(0, headerBytes));
  const sectorShift = bytes.readUInt16LE(30);
  const miniShift = bytes.readUInt16LE(32);
  if (sectorShift < 7 || sectorShift > 16 || miniShift < 2 || miniShift >= sectorShift) return undefined;
  return {
    sectorBytes: 2 ** sectorShift,
    miniSectorBytes: 2 ** miniShift,
    miniCutoff: bytes.readUInt32LE(56),
    major: bytes.readUInt16LE(26),
    directoryStart: bytes.readUInt32LE(48),
    miniFatStart: bytes.readUInt32LE(60),
    difatStart: bytes.readUInt32LE(68),
    fatSectors: bytes.readUInt32LE(44),
    directorySectors: bytes.readUInt16LE(26) < 4 ? undefined : bytes.readUInt32LE(40),
    difat: Array.from({ length: listedInHeader }, (_, index) => bytes.readUInt32LE(76 + index * 4)),
    problems: problemsOf(bytes, sectorShift, miniShift),
  };
}

function problemsOf(bytes: Buffer, sectorShift: number, miniShift: number): readonly string[] {
  const major = bytes.readUInt16LE(26);
  const usualShift = major === 4 ? 12 : 9;
  return [
    ...(major === 3 || major === 4 ? [] : [`The version is ${String(major)}; 3 and 4 are the ones there are.`]),
    ...(sectorShift === usualShift ? [] : [`Sectors have 2^${String(sectorShift)} bytes; in this version they have 2^${String(usualShift)}.`]),
    ...(miniShift === 6 ? [] : [`Small sectors have 2^${String(miniShift)} bytes; they have 2^6 in every version.`]),
    ...(bytes.readUInt16LE(28) === 0xfffe ? [] : ["The byte order mark is another than the one there is."]),
    ...(bytes.readUInt32LE(56) === usualMiniCutoff ? [] : [`Streams below ${String(bytes.readUInt32LE(56))} bytes lie in small sectors; the bound is 4096 in every version.`]),
  ];
}
