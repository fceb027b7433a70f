import { decodeText, readObjcMetadata, type BinaryImage, type ObjcReference, type StringEncoding } from "@rea/binary";
import type { MemoryMap } from "./memory-map.js";

/** A text that code refers to through a constant object or a reference cell. */
export interface ObjcLiteral {
  /** Of the object or cell. */
  readonly rva: number;
  readonly byteLength: number;
  readonly encoding: StringEncoding;
  readonly terminated: boolean;
  readonly text: () => string;
}

const cellSections: ReadonlySet<string> = new Set(["__objc_selrefs", "__objc_classrefs", "__objc_superrefs"]);
const cfSection = "__cfstring";
/** Flags of a constant CFString (Core Foundation, `CFString.c`): text of bytes and text of UTF-16 units. */
const cfEncodings: ReadonlyMap<number, StringEncoding> = new Map([[0x7c8, "ascii"], [0x7d0, "utf-16le"]]);
const longestLiteral = 1 << 20;

/** Whether an address lies among constant strings and reference cells: nothing but their own starts has a text there. */
export function isAmongLiterals(image: BinaryImage, va: bigint): boolean {
  return image.format === "mach-o" && literalSections(image).some(({ start, end }) => va >= start && va < end);
}

const known = new WeakMap<BinaryImage, readonly { readonly start: bigint; readonly end: bigint }[]>();

function literalSections(image: BinaryImage): readonly { readonly start: bigint; readonly end: bigint }[] {
  const made =
    known.get(image) ??
    image.sections().items.flatMap(({ name, va, virtualSize }) =>
      va !== undefined && (name === cfSection || cellSections.has(name)) ? [{ start: va, end: va + virtualSize }] : [],
    );
  known.set(image, made);
  return made;
}

/** Constant CFStrings, and references to selectors and classes with the names they stand for. */
export function objcLiterals(image: BinaryImage, memory: MemoryMap, pointers: ReadonlyMap<number, number>): readonly ObjcLiteral[] {
  if (image.format !== "mach-o") return [];
  const { selectorReferences, classReferences } = readObjcMetadata(image);
  return [...constantStrings(image, memory, pointers), ...[...selectorReferences, ...classReferences].flatMap((item) => cell(memory, item))];
}

function cell(memory: MemoryMap, { name, place }: ObjcReference): ObjcLiteral[] {
  const rva = memory.toRva(place.va);
  if (rva === undefined) return [];
  const byteLength = Buffer.byteLength(name);
  return [{ rva, byteLength, encoding: byteLength === name.length ? "ascii" : "utf-8", terminated: true, text: () => name }];
}

function constantStrings(image: BinaryImage, memory: MemoryMap, pointers: ReadonlyMap<number, number>): ObjcLiteral[] {
  const found: ObjcLiteral[] = [];
  const word = image.bits === 64 ? 8 : 4;
  for (const { name, va, file } of image.sections().items) {
    const start = va === undefined ? undefined : memory.toRva(va);
    if (name !== cfSection || start === undefined || file === undefined) continue;
    for (let at = 0; at + 4 * word <= file.size; at += 4 * word) {
      const literal = constantString(memory, start + at, { word, little: image.endian === "little", pointers });
      if (literal !== undefined) found.push(literal);
    }
  }
  return found;
}

interface Layout {
  readonly word: number;
  readonly little: boolean;
  readonly pointers: ReadonlyMap<number, number>;
}

/** Class, flags, pointer and length, a word each. */
function constantString(memory: MemoryMap, rva: number, { word, little, pointers }: Layout): ObjcLiteral | undefined {
  const bytes = memory.read(rva, 4 * word);
  if (bytes.length < 4 * word) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wordAt = (index: number): number =>
    word === 4 ? view.getUint32(index * 4, little) : Number(view.getBigUint64(index * 8, little));
  const kind = cfEncodings.get(view.getUint32(word, little));
  const target = pointers.get(rva + 2 * word) ?? wordAt(2) - Number(memory.base);
  const length = wordAt(3);
  if (kind === undefined || length > longestLiteral || target < 0 || !Number.isSafeInteger(target)) return undefined;
  const encoding = kind === "utf-16le" && !little ? "utf-16be" : kind;
  const unit = kind === "ascii" ? 1 : 2;
  return textAt(memory, rva, { target, byteLength: length * unit, unit, encoding });
}

function textAt(
  memory: MemoryMap,
  rva: number,
  { target, byteLength, unit, encoding }: { target: number; byteLength: number; unit: number; encoding: StringEncoding },
): ObjcLiteral | undefined {
  const bytes = memory.read(target, byteLength + unit);
  const own = bytes.subarray(0, byteLength);
  if (own.length < byteLength || (unit === 1 && own.some((byte) => byte >= 0x80))) return undefined;
  const text = (): string => decodeText(memory.read(target, byteLength), encoding);
  // Half of a surrogate pair is no text.
  if (unit === 2 && /\p{Surrogate}/u.test(text())) return undefined;
  const terminated = bytes.length === byteLength + unit && bytes.subarray(byteLength).every((byte) => byte === 0);
  return { rva, byteLength, encoding, terminated, text };
}
