import { address } from "@rea/core";
import type { Findings } from "../findings.js";
import type { EntryPoint, Table } from "../image.js";
import { dt, type DynamicInfo } from "./dynamic.js";
import type { ElfFile } from "./elf-file.js";
import { elfTypes, fileNumber } from "./file-header.js";
import type { ElfRelocation } from "./relocations.js";
import { sectionTypes } from "./section-headers.js";
import { wordAt } from "./symbols.js";

/** More than any linker makes; a hostile file could name one array a million times. */
const maximumArrays = 16;
const maximumPointers = 1 << 16;

interface PointerArray {
  readonly kind: "init-array" | "fini-array";
  readonly va: bigint;
  readonly size: number;
}

/**
 * e_entry, DT_INIT, DT_FINI and the pointers of the init and fini arrays, as they are after relocation. On Arm bit 0
 * of an address marks Thumb code and is kept.
 */
export function entryPointTable(
  file: ElfFile,
  dynamic: DynamicInfo,
  relocations: readonly ElfRelocation[],
  findings: Findings,
): Table<EntryPoint> {
  if (file.header.type === elfTypes.relocatable || file.header.type === elfTypes.core) return { items: [], omissions: [] };
  const items: EntryPoint[] = [];
  if (file.header.entry !== 0n) items.push({ va: address(file.header.entry), kind: "entry" });
  const init = dynamic.value(dt.init) ?? 0n;
  const fini = dynamic.value(dt.fini) ?? 0n;
  if (init !== 0n) items.push({ va: address(init), kind: "init" });
  if (fini !== 0n) items.push({ va: address(fini), kind: "fini" });
  const arrays = pointerArrays(file, dynamic).slice(0, maximumArrays);
  const targets = arrays.length === 0 ? new Map<bigint, bigint>() : targetsInside(arrays, relocations);
  for (const array of arrays) items.push(...pointers(file, array, targets, findings));
  return { items, omissions: findings.list() };
}

function pointerArrays(file: ElfFile, dynamic: DynamicInfo): readonly PointerArray[] {
  const named: readonly (readonly [PointerArray["kind"], number, number])[] = [
    ["init-array", dt.preinitArray, dt.preinitArraySize],
    ["init-array", dt.initArray, dt.initArraySize],
    ["fini-array", dt.finiArray, dt.finiArraySize],
  ];
  const listed = named.flatMap(([kind, tag, sizeTag]) => {
    const va = dynamic.value(tag);
    const size = fileNumber(dynamic.value(sizeTag) ?? 0n);
    return va === undefined || size === 0 ? [] : [{ kind, va, size }];
  });
  return dynamic.present ? listed : sectionArrays(file);
}

/** A static program has no dynamic array; its start-up code walks the sections. */
function sectionArrays(file: ElfFile): readonly PointerArray[] {
  const kinds: { readonly [type: number]: PointerArray["kind"] | undefined } = { 14: "init-array", 15: "fini-array", 16: "init-array" };
  return file.sections.flatMap((section) => {
    const kind = section.type === sectionTypes.noBits ? undefined : kinds[section.type];
    return kind === undefined ? [] : [{ kind, va: section.va, size: section.size }];
  });
}

function targetsInside(arrays: readonly PointerArray[], relocations: readonly ElfRelocation[]): ReadonlyMap<bigint, bigint> {
  const targets = new Map<bigint, bigint>();
  for (const entry of relocations) {
    const inside = arrays.some((array) => entry.va >= array.va && entry.va < array.va + BigInt(array.size));
    if (inside && entry.target !== undefined) targets.set(entry.va, entry.target);
  }
  return targets;
}

function pointers(
  file: ElfFile,
  array: PointerArray,
  targets: ReadonlyMap<bigint, bigint>,
  findings: Findings,
): EntryPoint[] {
  const width = file.header.bits / 8;
  const place = file.map.at(array.va);
  const declared = Math.min(array.size, maximumPointers * width);
  if (declared < array.size) findings.limited("entry points", "limit_items", (array.size - declared) / width, maximumPointers);
  const available = Math.min(declared, place?.size ?? 0);
  if (available < declared) findings.malformed("entry points", place?.offset ?? 0, "a pointer array leaves its segment");
  const none = BigInt.asUintN(file.header.bits, -1n);
  const found: EntryPoint[] = [];
  for (let at = 0; place !== undefined && at + width <= available; at += width) {
    const value = targets.get(array.va + BigInt(at)) ?? wordAt(file, place.offset + at) ?? 0n;
    if (value !== 0n && value !== none) found.push({ va: address(value), kind: array.kind });
  }
  return found;
}
