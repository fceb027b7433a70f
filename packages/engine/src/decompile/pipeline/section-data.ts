import type { ReferencedObject } from "../print/references.js";
import type { ProgramView, SectionRange } from "../program/program-view.js";

/** What of a section a text needs: its bytes from a place of alignment 32 on, and where its objects begin in them. */
export interface SectionData {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly offsets: ReadonlyMap<string, number>;
}

const largestSection = 256 * 1024;
const alignment = 32n;

/**
 * Objects by the section that holds them. They stand in one piece because programs reach objects from addresses beside
 * them: `t[i - 1]` from four bytes before, a table of distances over the distance to what it leads to. Left out, to be
 * defined one by one: imports, objects of known types, those with addresses inside, and what lies in large sections.
 */
export function bySection(objects: readonly ReferencedObject[], view: ProgramView, hasAddresses: (object: ReferencedObject) => boolean): ReadonlyMap<ReferencedObject, SectionData> {
  const found = new Map<ReferencedObject, SectionData>();
  const made = new Map<bigint, { readonly data: SectionData; readonly offsets: Map<string, number> } | undefined>();
  for (const object of objects) {
    const section = view.sectionAt(object.va);
    if (section === undefined || object.isImport || object.type !== undefined || hasAddresses(object)) continue;
    if (object.va + BigInt(object.size) > section.va + BigInt(section.size)) continue;
    if (!made.has(section.va)) made.set(section.va, dataOf(section, view));
    const held = made.get(section.va);
    if (held === undefined) continue;
    held.offsets.set(object.name, Number(object.va - startOf(section)));
    found.set(object, held.data);
  }
  return found;
}

function startOf({ va }: SectionRange): bigint {
  return va - (va % alignment);
}

function dataOf(section: SectionRange, view: ProgramView): { readonly data: SectionData; readonly offsets: Map<string, number> } | undefined {
  const rva = view.program.toRva(section.va);
  if (rva === undefined || section.size > largestSection) return undefined;
  const before = Number(section.va - startOf(section));
  const bytes = new Uint8Array(before + section.size);
  bytes.set(view.bytes(rva, section.size), before);
  const offsets = new Map<string, number>();
  const name = `section${section.name.replace(/[^A-Za-z0-9_]/g, "_")}_${section.va.toString(16)}`;
  return { data: { name, bytes, offsets }, offsets };
}
