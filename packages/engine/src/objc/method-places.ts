import { readObjcMetadata, type BinaryImage, type ObjcMethod } from "@rea/binary";
import type { SourceTable } from "../analysis/function-sources.js";
import type { NameRecord } from "../program.js";
import { categoryOwner, methodName } from "./objc-data.js";

interface AddressSpace {
  toRva(va: bigint): number | undefined;
}

interface MethodPlace {
  readonly rva: number;
  /** Address and name as one text. */
  readonly key: string;
  readonly name: string;
}

/** Code that the Objective-C metadata names as methods. */
function methodPlaces(image: BinaryImage, memory: AddressSpace): MethodPlace[] {
  if (image.format !== "mach-o") return [];
  const { classes, categories } = readObjcMetadata(image);
  const owned = [
    ...classes.map((item) => [item.name, item.methods] as const),
    ...categories.map((item) => [categoryOwner(item), item.methods] as const),
  ];
  return owned.flatMap(([owner, methods]) => methods.flatMap((method) => placeOf(memory, owner, method)));
}

function placeOf(memory: AddressSpace, owner: string, method: ObjcMethod): MethodPlace[] {
  const { implementation } = method;
  const rva = implementation === undefined ? undefined : memory.toRva(implementation);
  if (implementation === undefined || rva === undefined) return [];
  const name = methodName(owner, method);
  return [{ rva, name, key: keyOf(implementation, name) }];
}

function keyOf(va: bigint, name: string): string {
  return `${String(va)} ${name}`;
}

/** Methods are functions that the metadata points to. */
export function addMethodStarts(
  { image, memory, isCode }: { image: BinaryImage; memory: AddressSpace; isCode: (rva: number) => boolean },
  sources: SourceTable,
): void {
  for (const { rva } of methodPlaces(image, memory)) if (isCode(rva)) sources.add(rva, "pointer");
}

/** Names of methods, but for those that the symbol table gives the same place. */
export function methodNames(image: BinaryImage, memory: AddressSpace): NameRecord[] {
  const places = methodPlaces(image, memory);
  if (places.length === 0) return [];
  const symbols = new Set(image.symbols().items.flatMap(({ name, va }) => (va === undefined ? [] : [keyOf(va, name)])));
  return places
    .filter(({ key }) => !symbols.has(key))
    .map(({ rva, name }) => ({ rva, name, kind: "function", binding: undefined, source: "objc-metadata", library: undefined }));
}
