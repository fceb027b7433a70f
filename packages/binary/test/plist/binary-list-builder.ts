/** One object of a binary property list; numbers in containers are positions in the list of objects. */
export type BinaryObject =
  | string
  | { readonly integer: bigint }
  | { readonly real: number }
  | { readonly date: number }
  | { readonly data: Uint8Array }
  | { readonly uid: number }
  | { readonly wide: readonly number[] }
  | { readonly boolean: boolean }
  | { readonly array: readonly number[] }
  | { readonly dictionary: readonly (readonly [key: number, value: number])[] };

/** A binary property list of exactly these objects, the first one on top; references may lead anywhere. */
export function binaryList(objects: readonly BinaryObject[]): Uint8Array {
  const width = objects.length > 0xffff ? 4 : objects.length > 0xff ? 2 : 1;
  const pieces: Buffer[] = [Buffer.from("bplist00")];
  const offsets: number[] = [];
  let at = 8;
  for (const object of objects) {
    const piece = encode(object, width);
    offsets.push(at);
    pieces.push(piece);
    at += piece.byteLength;
  }
  const table = Buffer.alloc(offsets.length * 4);
  offsets.forEach((offset, index) => table.writeUInt32BE(offset, index * 4));
  const trailer = Buffer.alloc(32);
  trailer.set([4, width], 6);
  trailer.writeBigUInt64BE(BigInt(objects.length), 8);
  trailer.writeBigUInt64BE(BigInt(at), 24);
  return Buffer.concat([...pieces, table, trailer]);
}

function encode(object: BinaryObject, width: number): Buffer {
  if (typeof object === "string") return Buffer.concat([counted(0x5, Buffer.byteLength(object)), Buffer.from(object)]);
  if ("integer" in object) return integer(object.integer);
  if ("real" in object) return double(0x23, object.real);
  if ("date" in object) return double(0x33, object.date);
  if ("data" in object) return Buffer.concat([counted(0x4, object.data.byteLength), object.data]);
  if ("uid" in object) return Buffer.from([0x83, ...big(BigInt(object.uid), 4)]);
  if ("boolean" in object) return Buffer.from([object.boolean ? 9 : 8]);
  if ("wide" in object) return Buffer.concat([counted(0x6, object.wide.length), Buffer.from(object.wide.flatMap((unit) => [unit >> 8, unit & 0xff]))]);
  if ("array" in object) return Buffer.concat([counted(0xa, object.array.length), references(object.array, width)]);
  const keys = object.dictionary.map(([key]) => key);
  const values = object.dictionary.map(([, value]) => value);
  return Buffer.concat([counted(0xd, keys.length), references([...keys, ...values], width)]);
}

function counted(type: number, length: number): Buffer {
  return length < 15 ? Buffer.from([(type << 4) | length]) : Buffer.from([(type << 4) | 15, 0x12, ...big(BigInt(length), 4)]);
}

function integer(value: bigint): Buffer {
  const long = value >= 1n << 63n || value < -(1n << 63n);
  return long ? Buffer.from([0x14, ...big(BigInt.asUintN(128, value), 16)]) : Buffer.from([0x13, ...big(BigInt.asUintN(64, value), 8)]);
}

function double(marker: number, value: number): Buffer {
  const bytes = Buffer.alloc(9);
  bytes[0] = marker;
  bytes.writeDoubleBE(value, 1);
  return bytes;
}

function references(list: readonly number[], width: number): Buffer {
  return Buffer.from(list.flatMap((reference) => big(BigInt(reference), width)));
}

function big(value: bigint, width: number): number[] {
  return Array.from({ length: width }, (_, index) => Number((value >> BigInt((width - 1 - index) * 8)) & 0xffn));
}
