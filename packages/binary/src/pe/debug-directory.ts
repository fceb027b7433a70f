import type { Findings } from "../findings.js";
import type { BuildId } from "../image.js";
import type { PeFile } from "./pe-file.js";

export interface DebugEntry {
  readonly type: number;
  readonly timestamp: number;
  readonly size: number;
  readonly rva: number;
  readonly fileOffset: number;
}

const debugType = { codeView: 2, repro: 16, extendedDllCharacteristics: 20 } as const;

const entrySize = 28;

/** PE Format § ".debug Section": the debug directory. */
export function readDebugDirectory(file: PeFile, findings: Findings): readonly DebugEntry[] {
  const directory = file.directory("debug");
  const entries: DebugEntry[] = [];
  if (directory === undefined) return entries;
  findings.attempt("debug directory", file.fileOffset(directory.rva), () => {
    for (let at = directory.rva; at + entrySize <= directory.rva + directory.size; at += entrySize) {
      entries.push({
        type: file.u32(at + 12),
        timestamp: file.u32(at + 4),
        size: file.u32(at + 16),
        rva: file.u32(at + 20),
        fileOffset: file.u32(at + 24),
      });
    }
  });
  return entries;
}

/** The bits of the extended DLL characteristics entry; undefined when there is none. */
export function extendedDllCharacteristics(file: PeFile, entries: readonly DebugEntry[]): number | undefined {
  const entry = entries.find(({ type }) => type === debugType.extendedDllCharacteristics);
  if (entry === undefined || entry.size < 4 || entry.fileOffset + 4 > file.reader.size) return undefined;
  return file.reader.u32(entry.fileOffset);
}

/** True when the time fields of the file hold a digest of its content instead of a time. */
export function isReproducible(entries: readonly DebugEntry[]): boolean {
  return entries.some(({ type }) => type === debugType.repro);
}

/** CodeView GUID with age, PDB path, and the digest of a reproducible build. */
export function debugIds(file: PeFile, entries: readonly DebugEntry[], findings: Findings): readonly BuildId[] {
  return entries.flatMap((entry) => {
    const read = (): readonly BuildId[] => (entry.type === debugType.codeView ? codeView(file, entry) : repro(file, entry));
    const wanted = entry.type === debugType.codeView || entry.type === debugType.repro;
    return wanted ? (findings.attempt("debug directory", entry.fileOffset, read) ?? []) : [];
  });
}

function codeView(file: PeFile, entry: DebugEntry): readonly BuildId[] {
  const { reader } = file;
  const at = entry.fileOffset;
  const signature = reader.u32(at);
  // "RSDS" (PDB 7.0): GUID, age, path; "NB10" (PDB 2.0): offset, timestamp, age, path.
  const modern = signature === 0x53445352;
  if (!modern && signature !== 0x3031424e) return [];
  const pathOffset = at + (modern ? 24 : 16);
  const path = file.strings.at(pathOffset, at + entry.size);
  const id = modern ? guid(reader.bytes(at + 4, 16)) : reader.u32(at + 8).toString(16).padStart(8, "0");
  const age = reader.u32(at + (modern ? 20 : 12));
  return [
    { kind: "pe-debug-guid", value: id, detail: `age ${String(age)}`, file: { offset: at, size: modern ? 24 : 16 } },
    { kind: "pdb-path", value: path, detail: undefined, file: { offset: pathOffset, size: Math.max(0, at + entry.size - pathOffset) } },
  ];
}

function repro(file: PeFile, entry: DebugEntry): readonly BuildId[] {
  if (entry.size < 8) return [];
  const length = Math.min(file.reader.u32(entry.fileOffset), entry.size - 4, 64);
  const digest = Buffer.from(file.reader.bytes(entry.fileOffset + 4, length)).toString("hex");
  return [{ kind: "pe-repro-digest", value: digest, detail: undefined, file: { offset: entry.fileOffset, size: entry.size } }];
}

/** Upper-case text form of a GUID: the first three fields are little-endian numbers. */
function guid(bytes: Uint8Array): string {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase());
  const field = (...order: readonly number[]): string => order.map((index) => hex[index] ?? "00").join("");
  return [field(3, 2, 1, 0), field(5, 4), field(7, 6), field(8, 9), field(10, 11, 12, 13, 14, 15)].join("-");
}
