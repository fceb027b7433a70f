import { ByteReader, memorySource, ReaError } from "@rea/core";

/**
 * One string of the top dictionary of a property list, XML or binary (`bplist00`); undefined when the key is absent, its
 * value is no string or the list is damaged. Reads only what leads to the key, so nothing in the file can make it slow.
 */
export function propertyListString(bytes: Uint8Array, key: string): string | undefined {
  try {
    return isBinary(bytes) ? binaryString(new ByteReader(memorySource(bytes), "big"), key) : xmlString(textOf(bytes), key);
  } catch (error) {
    // A reference past the end of the file: the list is damaged and names nothing.
    if (error instanceof ReaError) return undefined;
    throw error;
  }
}

function isBinary(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 6)).toString("latin1") === "bplist";
}

function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}

interface Objects {
  readonly reader: ByteReader;
  readonly offsetSize: number;
  readonly referenceSize: number;
  readonly count: number;
  readonly tableOffset: number;
}

const trailerBytes = 32;

// CFBinaryPList: a 32-byte trailer names the width of offsets and references, the top object and the offset table.
function binaryString(reader: ByteReader, key: string): string | undefined {
  const trailer = reader.size - trailerBytes;
  const objects: Objects = {
    reader,
    offsetSize: reader.u8(trailer + 6),
    referenceSize: reader.u8(trailer + 7),
    count: reader.size64(trailer + 8),
    tableOffset: reader.size64(trailer + 24),
  };
  const top = objectOffset(objects, reader.size64(trailer + 16));
  if (top === undefined || reader.u8(top) >> 4 !== 0xd) return undefined;
  const size = lengthAt(reader, top);
  for (let index = 0; index < size.length; index += 1) {
    if (stringAt(objects, size.next + index * objects.referenceSize) !== key) continue;
    return stringAt(objects, size.next + (size.length + index) * objects.referenceSize);
  }
  return undefined;
}

function objectOffset(objects: Objects, reference: number): number | undefined {
  if (reference >= objects.count) return undefined;
  return unsigned(objects.reader, objects.tableOffset + reference * objects.offsetSize, objects.offsetSize);
}

/** The string that the reference at `at` leads to. */
function stringAt(objects: Objects, at: number): string | undefined {
  const offset = objectOffset(objects, unsigned(objects.reader, at, objects.referenceSize) ?? objects.count);
  if (offset === undefined) return undefined;
  const kind = objects.reader.u8(offset) >> 4;
  if (kind !== 0x5 && kind !== 0x6) return undefined;
  const { length, next } = lengthAt(objects.reader, offset);
  const bytes = objects.reader.bytes(next, kind === 0x5 ? length : length * 2);
  return new TextDecoder(kind === 0x5 ? "latin1" : "utf-16be").decode(bytes);
}

/** The low half of the marker, or an integer object after it when that is 15. */
function lengthAt(reader: ByteReader, offset: number): { readonly length: number; readonly next: number } {
  const short = reader.u8(offset) & 0xf;
  if (short !== 0xf) return { length: short, next: offset + 1 };
  const width = 1 << (reader.u8(offset + 1) & 0xf);
  return { length: unsigned(reader, offset + 2, width) ?? Number.MAX_SAFE_INTEGER, next: offset + 2 + width };
}

function unsigned(reader: ByteReader, offset: number, width: number): number | undefined {
  if (width < 1 || width > 8) return undefined;
  let value = 0;
  for (const byte of reader.bytes(offset, width)) value = value * 256 + byte;
  return Number.isSafeInteger(value) ? value : undefined;
}

// Declarations and tags of the XML form, and the text between them. No branch can look past the next `<`, so the scan is linear.
const xmlToken = /<![^<>]*>|<(\/?)([A-Za-z]+)(?![A-Za-z])[^<>]*?(\/?)>|([^<]+)/g;

function xmlString(text: string, key: string): string | undefined {
  let depth = 0;
  let element = "";
  let content = "";
  let wanted = false;
  for (const [, closing, tag, empty, run] of withoutComments(text).matchAll(xmlToken)) {
    if (run !== undefined) content += run;
    if (tag === undefined) continue;
    if (closing === "" && empty === "") {
      if (wanted && tag !== "string") return undefined;
      depth += isContainer(tag) ? 1 : 0;
      element = tag;
      content = "";
      continue;
    }
    if (closing === "/" && isContainer(tag)) depth -= 1;
    if (closing === "/" && tag === element && depth === 1) {
      if (wanted) return decodeEntities(content);
      wanted = tag === "key" && decodeEntities(content) === key;
    } else if (wanted) return undefined;
  }
  return undefined;
}

function withoutComments(text: string): string {
  return without(without(text, "<!--", "-->"), "<?", "?>");
}

function without(text: string, open: string, close: string): string {
  let kept = "";
  let from = 0;
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, from)) {
    kept += text.slice(from, start);
    const end = text.indexOf(close, start + open.length);
    from = end < 0 ? text.length : end + close.length;
  }
  return kept + text.slice(from);
}

function isContainer(tag: string): boolean {
  return tag === "dict" || tag === "array";
}

const entities: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([a-z]+));/g, (entity, hex, decimal, name) => {
    if (typeof name === "string") return entities.get(name) ?? entity;
    const code = typeof hex === "string" ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}
