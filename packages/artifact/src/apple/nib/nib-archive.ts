import { ByteReader, isReaError, memorySource } from "@rea/core";
import { mostFields, type GraphField, type GraphObject, type GraphValue, type NibFinding, type ObjectGraph } from "./object-graph.js";

const magic = "NIBArchive";
const headerBytes = 50;

export function isNibArchive(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, magic.length)).toString("latin1") === magic;
}

interface Table {
  readonly what: string;
  readonly count: number;
  readonly offset: number;
  /** Bytes that one item takes at least. */
  readonly least: number;
}

/**
 * The archive of UIKit and newer AppKit: a header names four tables (objects, keys, values, class names), all little
 * endian; an object is a class and a run of values. Integers of variable length hold seven bits a byte, the lowest first,
 * and the last byte has its high bit set. Tables are read as far as they go; undefined without a header.
 */
export function readNibArchive(bytes: Uint8Array): ObjectGraph | undefined {
  if (!isNibArchive(bytes) || bytes.byteLength < headerBytes) return undefined;
  const reader = new ByteReader(memorySource(bytes));
  const findings: NibFinding[] = [];
  const table = (what: string, at: number, least: number): Table => ({ what, count: reader.u32(at), offset: reader.u32(at + 4), least });
  const read = <T>(given: Table, item: (cursor: Cursor) => T): T[] => readTable(reader, given, { item, findings });
  const keys = read(table("keys", 26, 1), (cursor) => cursor.text(cursor.integer()));
  const classNames = read(table("class names", 42, 2), classNameAt);
  const values = read(table("values", 34, 2), (cursor): GraphField => ({ key: keys[cursor.integer()] ?? "", value: valueAt(cursor) }));
  const objects = read(table("objects", 18, 3), (cursor) => ({ name: cursor.integer(), first: cursor.integer(), length: cursor.integer() }));
  const known = new Map<number, GraphObject>();
  let left = mostFields;
  const object = (index: number): GraphObject | undefined => {
    const stored = objects[index];
    const made = known.get(index);
    if (made !== undefined || stored === undefined) return made;
    const fields = values.slice(stored.first, stored.first + Math.min(stored.length, Math.max(0, left)));
    left -= fields.length;
    const found = { className: classNames[stored.name] ?? null, fields };
    known.set(index, found);
    return found;
  };
  findings.push(...leadingNowhere(objects, { values: values.length, classes: classNames.length }));
  return {
    encoding: "nib-archive",
    version: `${String(reader.u32(10))}.${String(reader.u32(14))}`,
    count: objects.length,
    root: object(0)?.fields ?? [],
    object,
    exhausted: () => left <= 0,
    findings,
  };
}

interface Reading<T> {
  readonly item: (cursor: Cursor) => T;
  readonly findings: NibFinding[];
}

function readTable<T>(reader: ByteReader, { what, count, offset, least }: Table, { item, findings }: Reading<T>): T[] {
  const room = Math.max(0, Math.floor((reader.size - offset) / least));
  const cursor = new Cursor(reader, offset);
  const items: T[] = [];
  try {
    for (let index = 0; index < Math.min(count, room); index += 1) items.push(item(cursor));
  } catch (error) {
    if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
  }
  if (items.length < count) {
    findings.push({ problem: "truncated", detail: `The table of ${what} ends after ${String(items.length)} of ${String(count)} items.`, offset });
  }
  return items;
}

interface StoredObject {
  readonly name: number;
  readonly first: number;
  readonly length: number;
}

function leadingNowhere(objects: readonly StoredObject[], counts: { readonly values: number; readonly classes: number }): NibFinding[] {
  const bad = objects.filter(({ name, first, length }) => name >= counts.classes || first + length > counts.values).length;
  return bad === 0 ? [] : [{ problem: "bad_reference", detail: `${String(bad)} objects name a class or values that are not there.`, offset: null }];
}

/** Length, a count of numbers that follow, those, and the name with its NUL. */
function classNameAt(cursor: Cursor): string {
  const length = cursor.integer();
  const extra = cursor.integer();
  cursor.skip(extra * 4);
  return cursor.text(length).replace(/\0+$/, "");
}

function valueAt(cursor: Cursor): GraphValue {
  const type = cursor.byte();
  switch (type) {
    case 0:
    case 1:
    case 2:
    case 3:
      return { kind: "number", value: cursor.signed(1 << type) };
    case 4:
    case 5:
      return { kind: "boolean", value: type === 5 };
    case 6:
      return { kind: "number", value: cursor.real(4) };
    case 7:
      return { kind: "number", value: cursor.real(8) };
    case 8:
      return { kind: "data", bytes: cursor.bytes(cursor.integer()) };
    case 9:
      return { kind: "other" };
    case 10:
      return { kind: "reference", index: cursor.unsigned() };
    default:
      throw cursor.past();
  }
}

/** Reads on from an offset; past the end it throws as `ByteReader` does. */
class Cursor {
  readonly #reader: ByteReader;
  #at: number;

  constructor(reader: ByteReader, offset: number) {
    this.#reader = reader;
    this.#at = offset;
  }

  byte(): number {
    return this.#reader.u8(this.#take(1));
  }

  integer(): number {
    let value = 0;
    for (let place = 1; ; place *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * place;
      if (byte >= 0x80) return value;
      // No table is that long, so the number can lead nowhere.
      if (place > 2 ** 28) throw this.past();
    }
  }

  signed(width: number): number {
    const bytes = this.bytes(width);
    const view = new DataView(bytes.buffer, bytes.byteOffset, width);
    if (width === 8) return Number(view.getBigInt64(0, true));
    if (width === 4) return view.getInt32(0, true);
    return width === 2 ? view.getInt16(0, true) : view.getInt8(0);
  }

  real(width: 4 | 8): number {
    const bytes = this.bytes(width);
    const view = new DataView(bytes.buffer, bytes.byteOffset, width);
    return width === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
  }

  unsigned(): number {
    return this.#reader.u32(this.#take(4));
  }

  bytes(length: number): Uint8Array {
    return this.#reader.bytes(this.#take(length), length);
  }

  text(length: number): string {
    return Buffer.from(this.bytes(length)).toString("utf8");
  }

  skip(length: number): void {
    this.bytes(length);
  }

  /** What reading beyond the end throws. */
  past(): Error {
    try {
      this.#reader.bytes(this.#reader.size, 1);
    } catch (error) {
      if (error instanceof Error) return error;
    }
    return new Error("The end of the archive could be read.");
  }

  #take(length: number): number {
    const at = this.#at;
    this.#at += length;
    return at;
  }
}
