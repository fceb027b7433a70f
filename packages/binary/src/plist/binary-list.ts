import { ByteReader, checkRange, isReaError, memorySource } from "@rea/core";
import { PlistFindings, type PlistValue, type PropertyList } from "./property-list.js";

const headerBytes = 8;
const trailerBytes = 32;

/**
 * A binary property list (`bplist0?`, CFBinaryPList): a table of offsets names the objects, containers refer to them by
 * number. Objects are read when they are asked for and kept, so nothing is made from a count, and shared objects and
 * cycles stay what they are.
 */
export function readBinaryList(bytes: Uint8Array): PropertyList {
  const findings = new PlistFindings();
  const objects = objectsOf(bytes, findings);
  const root = objects === undefined ? findings.unreadable("bad_trailer", Math.max(0, bytes.byteLength - trailerBytes)) : objects.top();
  return { format: "binary", encoding: null, root, objectCount: objects?.count ?? null, findings: findings.list };
}

function objectsOf(bytes: Uint8Array, findings: PlistFindings): BinaryObjects | undefined {
  if (bytes.byteLength < headerBytes + trailerBytes) return undefined;
  const reader = new ByteReader(memorySource(bytes), "big");
  const trailer = bytes.byteLength - trailerBytes;
  const offsetWidth = reader.u8(trailer + 6);
  const referenceWidth = reader.u8(trailer + 7);
  const table = reader.u64(trailer + 24);
  if (offsetWidth < 1 || offsetWidth > 8 || referenceWidth < 1 || referenceWidth > 8 || table > BigInt(trailer)) return undefined;
  const declared = reader.u64(trailer + 8);
  const room = Math.floor((trailer - Number(table)) / offsetWidth);
  if (declared > BigInt(room)) findings.add("truncated", trailer + 8);
  const count = declared > BigInt(room) ? room : Number(declared);
  const top = reader.u64(trailer + 16);
  return new BinaryObjects(reader, { offsetWidth, referenceWidth, tableOffset: Number(table), count, top, topOffset: trailer + 16 }, findings);
}

interface Layout {
  readonly offsetWidth: number;
  readonly referenceWidth: number;
  readonly tableOffset: number;
  readonly count: number;
  readonly top: bigint;
  readonly topOffset: number;
}

interface Stored {
  readonly offset: number;
  readonly length: number;
  /** First byte behind marker and length. */
  readonly content: number;
}

interface Admitted extends Stored {
  /** Items as stored; `length` of them are given. */
  readonly declared: number;
}

class BinaryObjects {
  readonly #reader: ByteReader;
  readonly #layout: Layout;
  readonly #findings: PlistFindings;
  /** By offset: table entries that lead to one place lead to one object. */
  readonly #known = new Map<number, PlistValue>();
  /** References that containers may still hold together; in an honest file they do not overlap. */
  #references: number;

  constructor(reader: ByteReader, layout: Layout, findings: PlistFindings) {
    this.#reader = reader;
    this.#layout = layout;
    this.#findings = findings;
    this.#references = reader.size;
  }

  get count(): number {
    return this.#layout.count;
  }

  top(): PlistValue {
    const { top, topOffset } = this.#layout;
    return this.#object(top, topOffset);
  }

  /** The object with that number, named by a reference at `from`. */
  #object(reference: bigint, from: number): PlistValue {
    const { count, tableOffset, offsetWidth } = this.#layout;
    if (reference >= BigInt(count)) return this.#findings.unreadable("bad_reference", from);
    const entry = tableOffset + Number(reference) * offsetWidth;
    const stored = this.#unsigned(entry, offsetWidth);
    if (stored < BigInt(headerBytes) || stored >= BigInt(tableOffset)) return this.#findings.unreadable("bad_reference", entry);
    const offset = Number(stored);
    const known = this.#known.get(offset) ?? this.#readAt(offset);
    this.#known.set(offset, known);
    return known;
  }

  #readAt(offset: number): PlistValue {
    try {
      return this.#read(offset);
    } catch (error) {
      if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
      return this.#findings.unreadable("truncated", offset);
    }
  }

  #read(offset: number): PlistValue {
    const marker = this.#reader.u8(offset);
    switch (marker >> 4) {
      case 0x0:
        return this.#single(marker, offset);
      case 0x1:
        return this.#integer(offset, marker & 0xf);
      case 0x2:
        return this.#real(offset, marker & 0xf);
      case 0x3:
        return { kind: "date", offset, seconds: this.#double(offset + 1, 8) };
      case 0x4:
        return this.#data(this.#stored(offset, 1));
      case 0x5:
      case 0x7:
        return { kind: "string", offset, text: this.#narrowText(this.#stored(offset, 1)) };
      case 0x6:
        return { kind: "string", offset, text: this.#wideText(this.#stored(offset, 2)) };
      case 0x8:
        return { kind: "uid", offset, value: this.#unsigned(offset + 1, (marker & 0xf) + 1) };
      case 0xa:
      case 0xb:
      case 0xc:
        return this.#array(this.#admitted(this.#stored(offset, this.#layout.referenceWidth), 1), marker >> 4 === 0xa ? "array" : "set");
      case 0xd:
        return this.#dictionary(this.#admitted(this.#stored(offset, this.#layout.referenceWidth * 2), 2));
      default:
        return this.#findings.unreadable("unknown_type", offset);
    }
  }

  #single(marker: number, offset: number): PlistValue {
    if (marker === 0x00) return { kind: "null", offset };
    if (marker === 0x08 || marker === 0x09) return { kind: "boolean", offset, value: marker === 0x09 };
    return this.#findings.unreadable("unknown_type", offset);
  }

  /** Up to four bytes are unsigned, longer ones two's complement. */
  #integer(offset: number, exponent: number): PlistValue {
    if (exponent > 4) return this.#findings.unreadable("unknown_type", offset);
    const width = 1 << exponent;
    const value = this.#unsigned(offset + 1, width);
    return { kind: "integer", offset, value: width < 8 ? value : BigInt.asIntN(width * 8, value) };
  }

  #real(offset: number, exponent: number): PlistValue {
    if (exponent !== 2 && exponent !== 3) return this.#findings.unreadable("unknown_type", offset);
    return { kind: "real", offset, value: this.#double(offset + 1, 1 << exponent) };
  }

  #double(offset: number, width: number): number {
    const bytes = this.#reader.bytes(offset, width);
    const view = new DataView(bytes.buffer, bytes.byteOffset, width);
    return width === 4 ? view.getFloat32(0) : view.getFloat64(0);
  }

  /** Marker and length of a counted object whose items take `width` bytes each; a length that leads out of the file is cut. */
  #stored(offset: number, width: number): Stored {
    const short = this.#reader.u8(offset) & 0xf;
    if (short !== 0xf) return this.#fitting(offset, BigInt(short), { content: offset + 1, width });
    const marker = this.#reader.u8(offset + 1);
    const bytes = 1 << (marker & 0xf);
    if (marker >> 4 !== 0x1 || bytes > 8) return this.#fitting(offset, 1n << 64n, { content: offset + 1, width: 0 });
    return this.#fitting(offset, this.#unsigned(offset + 2, bytes), { content: offset + 2 + bytes, width });
  }

  #fitting(offset: number, length: bigint, { content, width }: { readonly content: number; readonly width: number }): Stored {
    if (width === 0) {
      this.#findings.add("bad_number", offset);
      return { offset, length: 0, content };
    }
    const room = Math.max(0, Math.floor((this.#layout.tableOffset - content) / width));
    if (length <= BigInt(room)) return { offset, length: Number(length), content };
    this.#findings.add("truncated", offset);
    return { offset, length: room, content };
  }

  /** A container that shares its bytes with too many others is cut. */
  #admitted(stored: Stored, each: number): Admitted {
    const length = Math.min(stored.length, Math.floor(this.#references / each));
    if (length < stored.length) this.#findings.add("too_many_values", stored.offset);
    this.#references -= length * each;
    return { ...stored, length, declared: stored.length };
  }

  #data({ offset, length, content }: Stored): PlistValue {
    return { kind: "data", offset, bytes: this.#reader.bytes(content, length) };
  }

  /** ASCII, or UTF-8 as some writers put it there. */
  #narrowText({ offset, length, content }: Stored): string {
    const bytes = Buffer.from(this.#reader.bytes(content, length));
    const text = bytes.toString("utf8");
    if (Buffer.byteLength(text) === length && !text.includes("\ufffd")) return text;
    this.#findings.add("bad_text", offset);
    return bytes.toString("latin1");
  }

  /** UTF-16BE; halves of surrogate pairs are kept. */
  #wideText({ length, content }: Stored): string {
    return Buffer.from(this.#reader.bytes(content, length * 2)).swap16().toString("utf16le");
  }

  #array({ offset, length, content }: Admitted, kind: "array" | "set"): PlistValue {
    return { kind, offset, length, item: (index) => this.#referred(content, index, { offset, length }) };
  }

  #dictionary({ offset, length, declared, content }: Admitted): PlistValue {
    const whole = { offset, length: declared * 2 };
    return {
      kind: "dictionary",
      offset,
      length,
      key: (index) => this.#referred(content, index, whole),
      value: (index) => this.#referred(content, declared + index, whole),
    };
  }

  #referred(content: number, index: number, { offset, length }: { readonly offset: number; readonly length: number }): PlistValue {
    if (!(index >= 0 && index < length)) return { kind: "unreadable", offset, problem: "bad_reference" };
    const width = this.#layout.referenceWidth;
    const at = content + index * width;
    return this.#object(this.#unsigned(at, width), at);
  }

  #unsigned(offset: number, width: number): bigint {
    checkRange(offset, width, this.#reader.size);
    let value = 0n;
    for (const byte of this.#reader.bytes(offset, width)) value = (value << 8n) | BigInt(byte);
    return value;
  }
}
