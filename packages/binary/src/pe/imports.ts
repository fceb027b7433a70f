import { checkRange } from "@rea/core";

import type { Findings } from "../findings.js";
import type { ImportedSymbol, NeededLibrary, Table } from "../image.js";
import type { PeFile } from "./pe-file.js";

/** One imported library: its name, the lookup table with the names and the table of slots. */
export interface ImportDescriptor {
  readonly library: string;
  readonly delayed: boolean;
  /** RVA of the table that names the symbols; 0 when only the address table exists. */
  readonly lookupRva: number;
  readonly slotsRva: number;
  /** The slots hold addresses already (bound), so they name nothing. */
  readonly bound: boolean;
}

export interface PeImports extends Table<ImportedSymbol> {
  readonly libraries: readonly NeededLibrary[];
}

/** All imports: PE Format § "The .idata Section" and § "Delay-Load Import Tables". `stubs` by slot come from the caller. */
export function readImports(file: PeFile, descriptors: readonly ImportDescriptor[], findings: Findings): PeImports {
  const items: ImportedSymbol[] = [];
  // Every lookup entry of an honest file has its own bytes, so this bounds tables that overlap or never end.
  const budget = Math.floor(file.reader.size / file.pointerSize) + 1;
  for (const descriptor of descriptors) {
    findings.attempt("imports", file.fileOffset(descriptor.slotsRva), () => {
      readLookupTable(file, descriptor, items, budget);
    });
    if (items.length < budget) continue;
    findings.limited("imports", "limit_items", 1, budget);
    break;
  }
  file.strings.report(findings, "imports");
  const libraries = descriptors.map(({ library, delayed }) => ({
    name: library,
    kind: delayed ? "delay-import" : "import",
    version: undefined,
    delayed,
  }));
  return { items, omissions: findings.list(), libraries };
}

function readLookupTable(file: PeFile, descriptor: ImportDescriptor, items: ImportedSymbol[], budget: number): void {
  const table = descriptor.lookupRva === 0 ? descriptor.slotsRva : descriptor.lookupRva;
  // Without a lookup table a bound address table holds addresses only.
  if (descriptor.lookupRva === 0 && descriptor.bound) checkRange(table, Infinity, file.headers.sizeOfImage);
  for (let index = 0; items.length < budget; index += 1) {
    const entryRva = table + index * file.pointerSize;
    const entry = file.pointer(entryRva);
    if (entry === 0n) return;
    items.push(importOf(file, descriptor, entry, index));
  }
}

function importOf(file: PeFile, descriptor: ImportDescriptor, entry: bigint, index: number): ImportedSymbol {
  const byOrdinal = entry >> BigInt(file.pointerSize * 8 - 1) === 1n;
  const table = descriptor.lookupRva === 0 ? descriptor.slotsRva : descriptor.lookupRva;
  const hintRva = Number(entry & 0x7fffffffn);
  return {
    name: byOrdinal ? undefined : file.name(hintRva + 2),
    library: descriptor.library,
    ordinal: byOrdinal ? Number(entry & 0xffffn) : undefined,
    version: undefined,
    slots: [file.va(descriptor.slotsRva + index * file.pointerSize)],
    stubs: [],
    binding: "global",
    type: "other",
    delayed: descriptor.delayed,
    file: { offset: file.offsetOf(table + index * file.pointerSize, file.pointerSize), size: file.pointerSize },
  };
}

const descriptorSize = 20;

/** The import directory; ends at a descriptor without slots or name, not at the declared size (as the loader does). */
export function readImportDescriptors(file: PeFile, findings: Findings): readonly ImportDescriptor[] {
  const directory = file.directory("imports");
  const descriptors: ImportDescriptor[] = [];
  if (directory === undefined) return descriptors;
  findings.attempt("imports", file.fileOffset(directory.rva), () => {
    for (let rva = directory.rva; ; rva += descriptorSize) {
      const nameRva = file.u32(rva + 12);
      const slotsRva = file.u32(rva + 16);
      if (nameRva === 0 || slotsRva === 0) return;
      descriptors.push({
        library: file.name(nameRva),
        delayed: false,
        lookupRva: file.u32(rva),
        slotsRva,
        bound: file.u32(rva + 4) !== 0,
      });
    }
  });
  return descriptors;
}

const delayDescriptorSize = 32;

/** The delay-load directory; before attribute bit 0 existed its fields were addresses instead of RVAs. */
export function readDelayDescriptors(file: PeFile, findings: Findings): readonly ImportDescriptor[] {
  const directory = file.directory("delayImports");
  const descriptors: ImportDescriptor[] = [];
  if (directory === undefined) return descriptors;
  findings.attempt("delay imports", file.fileOffset(directory.rva), () => {
    for (let at = directory.rva; ; at += delayDescriptorSize) {
      const relative = (file.u32(at) & 1) === 1;
      const rva = (field: number): number => toRva(file, file.u32(at + field), relative);
      if (file.u32(at + 4) === 0) return;
      descriptors.push({ library: file.name(rva(4)), delayed: true, lookupRva: rva(16), slotsRva: rva(12), bound: false });
    }
  });
  return descriptors;
}

function toRva(file: PeFile, value: number, relative: boolean): number {
  return relative || value === 0 ? value : value - Number(BigInt.asUintN(32, file.headers.imageBase));
}

/** Bound-import directory (PE Format § "Import Directory Table", bound form): which build the prelinked slots belong to. */
export function readBoundImports(file: PeFile, findings: Findings): readonly NeededLibrary[] {
  const directory = file.directory("boundImports");
  const libraries: NeededLibrary[] = [];
  if (directory === undefined) return libraries;
  findings.attempt("bound imports", file.fileOffset(directory.rva), () => {
    const end = directory.rva + directory.size;
    for (let rva = directory.rva, forwarders = 0; rva + 8 <= end; rva += 8) {
      const timestamp = file.u32(rva);
      const nameOffset = file.u16(rva + 4);
      if (nameOffset === 0) return;
      libraries.push({
        name: file.name(directory.rva + nameOffset),
        kind: forwarders > 0 ? "bound-forwarder" : "bound-import",
        version: `timestamp 0x${timestamp.toString(16)}`,
        delayed: false,
      });
      forwarders = forwarders > 0 ? forwarders - 1 : file.u16(rva + 6);
    }
  });
  return libraries;
}
