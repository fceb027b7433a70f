import type { Findings } from "../findings.js";
import { command } from "./command-names.js";
import { sectionType } from "./constants.js";
import { commandU32 } from "./load-commands.js";
import type { MachOFile } from "./macho-file.js";
import type { MachSection } from "./segments.js";
import type { Nlist, SymbolTable } from "./symbols.js";

/** A pointer slot or stub that the indirect symbol table assigns to a symbol. */
export interface IndirectPlace {
  readonly va: bigint;
  readonly stub: boolean;
  readonly symbol: Nlist;
}

/** Entries with one of the top bits are local or absolute and name no symbol. */
const special = 0x40000000;
const pointerTypes: readonly number[] = [
  sectionType.nonLazyPointers,
  sectionType.lazyPointers,
  sectionType.lazyDylibPointers,
  sectionType.tlvPointers,
];

/** `LC_DYSYMTAB` indirect symbols: one per slot of pointer sections and per stub, from the section's `reserved1` on. */
export function readIndirectSymbols(file: MachOFile, table: SymbolTable, findings: Findings): readonly IndirectPlace[] {
  const item = file.command(command.dysymtab);
  if (item === undefined) return [];
  const indirect = findings.attempt("indirect symbols", item.offset, () => {
    const offset = commandU32(file.reader, item, 56);
    const declared = commandU32(file.reader, item, 60);
    const count = Math.min(declared, Math.floor(Math.max(0, file.reader.size - offset) / 4));
    if (count < declared) findings.malformed("indirect symbols", item.offset, "the table reaches past the end of the file");
    return { offset, count };
  });
  if (indirect === undefined) return [];
  // Each table entry belongs to one section, so all sections together never read more than the table once over.
  let budget = indirect.count;
  return file.sections.flatMap((section) => {
    const places = sectionPlaces(file, section, { ...indirect, budget }, table);
    budget = Math.max(0, budget - places.length);
    return places;
  });
}

interface IndirectTable {
  readonly budget: number;
  readonly offset: number;
  readonly count: number;
}

function sectionPlaces(file: MachOFile, section: MachSection, indirect: IndirectTable, table: SymbolTable): readonly IndirectPlace[] {
  const stub = section.type === sectionType.stubs;
  if (!stub && !pointerTypes.includes(section.type)) return [];
  const size = stub ? section.reserved2 : file.pointerSize;
  if (size === 0) return [];
  const fits = section.size / BigInt(size);
  const room = Math.max(0, Math.min(indirect.count - section.reserved1, indirect.budget));
  const count = fits > BigInt(room) ? room : Number(fits);
  const places: IndirectPlace[] = [];
  for (let index = 0; index < count; index += 1) {
    const entry = file.reader.u32(indirect.offset + (section.reserved1 + index) * 4);
    const symbol = entry >= special ? undefined : table.items[entry];
    if (symbol !== undefined) places.push({ va: section.va + BigInt(index * size), stub, symbol });
  }
  return places;
}
