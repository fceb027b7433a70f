import { ByteReader, ReaError, type ByteSource } from "@rea/core";

import { Findings } from "../findings.js";
import type { Architecture, Table } from "../image.js";
import { cpuOf, isKnownCpu, sliceName, subtypeName } from "./constants.js";

/** One image inside a universal file. */
export interface UniversalSlice {
  /** Tells the slices apart: the architecture, or the variant (`arm64e`, `x86_64h`, `armv7`). */
  readonly name: string;
  readonly architecture: Architecture | undefined;
  /** `CPU_TYPE_…`. */
  readonly cpuType: string;
  /** `CPU_SUBTYPE_…`. */
  readonly cpuSubtype: string;
  readonly offset: number;
  readonly size: number;
  /** Bytes, a power of two. */
  readonly alignment: number;
}

interface FatHeader {
  readonly reader: ByteReader;
  readonly wide: boolean;
  readonly count: number;
}

const mostSlices = 128;
const headerSize = 8;
/** A class file has its version where the count is; the oldest is 45. */
const oldestClassFile = 43;

function fatHeader(source: ByteSource): FatHeader | undefined {
  if (source.size < headerSize) return undefined;
  const magic = new ByteReader(source, "big").u32(0);
  const swapped = magic === 0xbebafeca || magic === 0xbfbafeca;
  if (!swapped && magic !== 0xcafebabe && magic !== 0xcafebabf) return undefined;
  const reader = new ByteReader(source, swapped ? "little" : "big");
  return { reader, wide: magic === 0xcafebabf || magic === 0xbfbafeca, count: reader.u32(4) };
}

/** True for universal Mach-O files; Java class files share the signature and are told apart by their first entry. */
export function isUniversal(source: ByteSource): boolean {
  const header = fatHeader(source);
  return header !== undefined && !isClassFile(header);
}

function isClassFile(header: FatHeader): boolean {
  if (header.wide || header.reader.littleEndian || header.count < oldestClassFile) return false;
  const entryThere = headerSize + 20 <= header.reader.size;
  return !(entryThere && isKnownCpu(header.reader.u32(headerSize)));
}

/**
 * Lists the slices (`mach-o/fat.h`, 32- and 64-bit entries, both byte orders) that lie inside the file and behind the
 * header; others become omissions. Throws `artifact_operation_failed` (reason `format`) for other files, for more than
 * 128 slices, and when no slice is usable.
 */
export function readUniversal(source: ByteSource): Table<UniversalSlice> {
  const header = fatHeader(source);
  if (header === undefined || isClassFile(header)) throw unusable("The file is not a universal Mach-O file.");
  if (header.count === 0 || header.count > mostSlices) {
    throw unusable(`The universal header declares ${String(header.count)} slices; 1 to ${String(mostSlices)} are possible.`);
  }
  const findings = new Findings();
  const items: UniversalSlice[] = [];
  const entrySize = header.wide ? 32 : 20;
  const headerEnd = headerSize + header.count * entrySize;
  for (let index = 0; index < header.count; index += 1) {
    const at = headerSize + index * entrySize;
    const slice = findings.attempt("slices", at, () => readSlice(header, at));
    if (slice === undefined) continue;
    if (slice.offset < headerEnd) findings.malformed("slices", at, "a slice overlaps the universal header");
    else if (slice.offset + slice.size > source.size) findings.malformed("slices", at, "a slice reaches past the end of the file");
    else items.push(slice);
  }
  if (items.length === 0) throw unusable("No slice of the universal file lies inside it.");
  return { items, omissions: findings.list() };
}

function readSlice({ reader, wide }: FatHeader, at: number): UniversalSlice {
  const type = reader.u32(at);
  const subtype = reader.u32(at + 4);
  const cpu = cpuOf(type);
  const exponent = reader.u32(at + (wide ? 24 : 16));
  return {
    name: sliceName(type, subtype),
    architecture: cpu.architecture,
    cpuType: cpu.name,
    cpuSubtype: subtypeName(type, subtype),
    offset: wide ? reader.size64(at + 8) : reader.u32(at + 8),
    size: wide ? reader.size64(at + 16) : reader.u32(at + 12),
    alignment: 2 ** Math.min(exponent, 32),
  };
}

const preference: readonly string[] = ["arm64", "x86_64", "arm", "x86"];

/**
 * The slice a caller asked for by name or architecture. Without a wish: the first of arm64, x86_64, arm and x86 that is
 * there, else the first in the file; the same on every host. Throws `invalid_request` when no slice matches.
 */
export function selectSlice(slices: readonly UniversalSlice[], wanted: string | undefined, operation: string): UniversalSlice {
  const matching = (name: string): UniversalSlice | undefined =>
    slices.find((slice) => slice.name === name) ?? slices.find(({ architecture }) => architecture === name);
  const preferred = preference.map(matching).find((slice) => slice !== undefined) ?? slices[0];
  const chosen = wanted === undefined ? preferred : matching(wanted);
  if (chosen !== undefined) return chosen;
  throw new ReaError("invalid_request", {
    message: `The file has ${String(slices.length)} slices and none of the wanted architecture. Call list_architectures to see them.`,
    details: { operation, issues: [{ path: "architecture", reason: "invalid_value", valid_keys: slices.map(({ name }) => name) }] },
  });
}

function unusable(message: string): ReaError {
  return new ReaError("artifact_operation_failed", {
    message,
    details: { operation: "read_universal", reason: "format", offset: 0 },
    action: "Open the file as an artifact, or name another file.",
  });
}
