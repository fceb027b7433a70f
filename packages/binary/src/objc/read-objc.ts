import type { BinaryImage } from "../image.js";
import { MetadataMemory, type MetadataPointer } from "../metadata-memory.js";
import { ClassReader } from "./classes.js";
import type { ObjcMetadata, ObjcReference } from "./model.js";

const classSections = ["__objc_classlist", "__objc_nlclslist"];
const categorySections = ["__objc_catlist", "__objc_nlcatlist", "__objc_catlist2"];
const protocolSections = ["__objc_protolist"];
const selectorSections = ["__objc_selrefs"];
const classReferenceSections = ["__objc_classrefs", "__objc_superrefs"];

const known = new WeakMap<BinaryImage, ObjcMetadata>();

/**
 * Reads the Objective-C metadata of a Mach-O image (runtime ABI 2, as objc4's `objc-runtime-new.h` describes it). Never
 * throws for damaged data: what could not be read is an omission. Read once for each image; other formats have none.
 */
export function readObjcMetadata(image: BinaryImage): ObjcMetadata {
  const made = known.get(image) ?? read(image);
  known.set(image, made);
  return made;
}

function read(image: BinaryImage): ObjcMetadata {
  const memory = new MetadataMemory(image);
  const listed = [...classSections, ...categorySections, ...protocolSections, ...selectorSections, ...classReferenceSections];
  const present = image.format === "mach-o" && memory.sections(...listed).length > 0;
  if (image.format === "mach-o") reportOldRuntime(memory);
  if (!present) return { ...nothing, omissions: memory.findings.list() };
  const reader = new ClassReader(memory);
  const each = <T>(sections: readonly string[], make: (va: bigint) => T | undefined) =>
    distinctTargets(memory, sections).flatMap((va) => make(va) ?? []);
  return {
    present,
    classes: each(classSections, (va) => reader.class(va)),
    protocols: each(protocolSections, (va) => reader.protocol(va)),
    categories: each(categorySections, (va) => reader.category(va)),
    selectorReferences: references(memory, selectorSections, (pointer) => memory.textBehind(pointer)),
    classReferences: references(memory, classReferenceSections, (pointer) => reader.nameBehind(pointer)),
    omissions: [...memory.findings.list(), ...image.relocations().omissions],
  };
}

const nothing: ObjcMetadata = {
  present: false,
  classes: [],
  protocols: [],
  categories: [],
  selectorReferences: [],
  classReferences: [],
  omissions: [],
};

function reportOldRuntime(memory: MetadataMemory): void {
  if (!memory.image.segments().items.some(({ name }) => name === "__OBJC")) return;
  memory.findings.note("objc metadata of the first runtime", "unsupported_format", "Read the __OBJC segment with read_bytes.");
}

interface Cell {
  readonly va: bigint;
  readonly pointer: MetadataPointer;
}

/** The pointers of the sections, in order. */
function cells(memory: MetadataMemory, names: readonly string[]): Cell[] {
  const found: Cell[] = [];
  for (const { va, virtualSize } of memory.sections(...names)) {
    if (va === undefined) continue;
    const declared = Number(virtualSize / BigInt(memory.pointerSize));
    const count = Math.min(declared, Math.floor(memory.available(va) / memory.pointerSize));
    if (count < declared) memory.malformed("objc sections", va, "the section is longer than the file holds");
    for (let index = 0; index < count && memory.take("objc sections"); index += 1) {
      const at = va + BigInt(index * memory.pointerSize);
      found.push({ va: at, pointer: memory.pointer(at) });
    }
  }
  return found;
}

function distinctTargets(memory: MetadataMemory, names: readonly string[]): readonly bigint[] {
  return [...new Set(cells(memory, names).flatMap(({ pointer }) => pointer.va ?? []))];
}

function references(
  memory: MetadataMemory,
  names: readonly string[],
  nameOf: (pointer: MetadataPointer) => string | undefined,
): ObjcReference[] {
  return cells(memory, names).flatMap(({ va, pointer }) => {
    const name = memory.attempt("objc references", va, () => nameOf(pointer));
    return name === undefined ? [] : [{ name, place: memory.place(va) }];
  });
}
