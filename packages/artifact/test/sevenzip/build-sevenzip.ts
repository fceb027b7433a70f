import { crc32 } from "node:zlib";

export interface BuiltCoder {
  /** Identifier as hexadecimal text. */
  readonly id: string;
  readonly properties?: Buffer;
  readonly inputs?: number;
  readonly outputs?: number;
}

export interface BuiltFolder {
  /** Contents of its members, in order. */
  readonly contents: readonly string[];
  readonly coders?: readonly BuiltCoder[];
  readonly bonds?: readonly (readonly [input: number, output: number])[];
  readonly packed?: readonly number[];
  /** Packed streams; the contents one after another unless given. */
  readonly packs?: readonly Buffer[];
  /** Sizes of the output streams. */
  readonly sizes?: readonly number[];
  readonly crc?: number;
  /** The sizes of contents as the list declares them. */
  readonly declared?: readonly number[];
  /** CRC-32 values of contents as the list declares them. */
  readonly crcs?: readonly number[];
}

export interface BuiltFile {
  readonly name: string;
  /** A member without content. */
  readonly empty?: "file" | "directory" | "anti";
  readonly attributes?: number;
}

export interface BuiltArchive {
  readonly folders?: readonly BuiltFolder[];
  readonly files: readonly BuiltFile[];
  /** The number of members that the list claims. */
  readonly fileCount?: number;
  readonly packCrcs?: readonly number[];
  readonly packOffset?: number;
  /** Bytes between packed streams and the list. */
  readonly gap?: Buffer;
  readonly prefix?: Buffer;
  readonly trailing?: Buffer;
  readonly major?: number;
  readonly startCrc?: number;
  readonly listCrc?: number;
  readonly list?: Buffer;
  /** Bytes behind the end mark of the list. */
  readonly listTail?: Buffer;
  /** The list is itself a packed stream, this often. */
  readonly layers?: number;
  readonly extraProperty?: Buffer;
}

/** A number as 7z headers write it. */
export function number(value: number | bigint): Buffer {
  const wide = BigInt(value);
  for (let count = 0; count < 8; count += 1) {
    if (wide >= 1n << BigInt(7 * (count + 1))) continue;
    const bytes = Buffer.alloc(count + 1);
    const mask = count === 0 ? 0 : (0xff << (8 - count)) & 0xff;
    bytes[0] = mask | Number(wide >> BigInt(8 * count));
    for (let at = 0; at < count; at += 1) bytes[at + 1] = Number((wide >> BigInt(8 * at)) & 0xffn);
    return bytes;
  }
  const bytes = Buffer.alloc(9, 0xff);
  bytes.writeBigUInt64LE(wide, 1);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

function bits(flags: readonly boolean[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(flags.length / 8));
  flags.forEach((flag, index) => {
    if (flag) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (0x80 >> (index & 7));
  });
  return bytes;
}

const join = (...parts: readonly (Buffer | number)[]): Buffer => Buffer.concat(parts.map((part) => (typeof part === "number" ? Buffer.from([part]) : part)));
const property = (id: number, ...parts: readonly (Buffer | number)[]): Buffer => {
  const body = join(...parts);
  return join(id, number(body.byteLength), body);
};

function packsOf(folder: BuiltFolder): readonly Buffer[] {
  return folder.packs ?? [Buffer.from(folder.contents.join(""))];
}

function folderRecord(folder: BuiltFolder): Buffer {
  const coders = folder.coders ?? [{ id: "00" }];
  const bonds = folder.bonds ?? [];
  const inputs = coders.reduce((total, coder) => total + (coder.inputs ?? 1), 0);
  const records = coders.map((coder) => {
    const id = Buffer.from(coder.id, "hex");
    const complex = coder.inputs !== undefined || coder.outputs !== undefined;
    const flags = id.byteLength | (complex ? 0x10 : 0) | (coder.properties === undefined ? 0 : 0x20);
    const counts = complex ? join(number(coder.inputs ?? 1), number(coder.outputs ?? 1)) : Buffer.alloc(0);
    const properties = coder.properties === undefined ? Buffer.alloc(0) : join(number(coder.properties.byteLength), coder.properties);
    return join(flags, id, counts, properties);
  });
  const packed = inputs - bonds.length > 1 ? (folder.packed ?? []).map(number) : [];
  return join(number(coders.length), ...records, ...bonds.flatMap(([input, output]) => [number(input), number(output)]), ...packed);
}

function streams(folders: readonly BuiltFolder[], offset: number, packCrcs?: readonly number[]): Buffer {
  const packs = folders.flatMap(packsOf);
  const plain = (folder: BuiltFolder): number => Buffer.byteLength(folder.contents.join(""));
  const sizes = folders.flatMap((folder) => folder.sizes ?? (folder.coders ?? [1]).map(() => plain(folder)));
  const crcs = folders.map(({ crc }) => crc);
  const packInfo = join(6, number(offset), number(packs.length), 9, ...packs.map(({ byteLength }) => number(byteLength)), ...(packCrcs === undefined ? [] : [10, 1, ...packCrcs.map(u32)]), 0);
  const digests = crcs.every((crc) => crc === undefined) ? [] : [10, 0, bits(crcs.map((crc) => crc !== undefined)), ...crcs.flatMap((crc) => (crc === undefined ? [] : [u32(crc)]))];
  const unpackInfo = join(7, 11, number(folders.length), 0, ...folders.map(folderRecord), 12, ...sizes.map(number), ...digests, 0);
  const members = folders.flatMap((folder) => folder.contents.map((content, index) => ({ folder, content, index })));
  const listed = folders.flatMap((folder) => (folder.declared ?? folder.contents.map((content) => Buffer.byteLength(content))).slice(0, -1));
  const own = members.filter(({ folder }) => !(folder.contents.length === 1 && folder.crc !== undefined));
  const memberCrcs = own.map(({ folder, content, index }) => folder.crcs?.[index] ?? crc32(content));
  const counts = folders.every(({ contents }) => contents.length === 1) ? [] : [13, ...folders.map(({ contents }) => number(contents.length))];
  const substreams = join(8, ...counts, ...(listed.length === 0 ? [] : [9, ...listed.map(number)]), ...(memberCrcs.length === 0 ? [] : [10, 1, ...memberCrcs.map(u32)]), 0);
  return join(packInfo, unpackInfo, substreams, 0);
}

function fileList({ files, fileCount, extraProperty }: BuiltArchive): Buffer {
  const empty = files.filter((file) => file.empty !== undefined);
  const names = Buffer.from(files.map(({ name }) => `${name}\0`).join(""), "utf16le");
  const given = files.map(({ attributes }) => attributes !== undefined);
  return join(
    5,
    number(fileCount ?? files.length),
    ...(empty.length === 0 ? [] : [property(14, bits(files.map((file) => file.empty !== undefined)))]),
    ...(empty.some((file) => file.empty !== "directory") ? [property(15, bits(empty.map((file) => file.empty === "file" || file.empty === "anti")))] : []),
    ...(empty.some((file) => file.empty === "anti") ? [property(16, bits(empty.map((file) => file.empty === "anti")))] : []),
    property(17, 0, names),
    ...(given.includes(true) ? [property(21, 0, bits(given), 0, ...files.flatMap(({ attributes }) => (attributes === undefined ? [] : [u32(attributes)])))] : []),
    extraProperty ?? Buffer.alloc(0),
    0,
  );
}

/** A 7z archive byte by byte; members with content take the contents of the folders in order. */
export function buildSevenZip(archive: BuiltArchive): Buffer {
  const folders = archive.folders ?? [];
  const packed = Buffer.concat(folders.flatMap(packsOf));
  const main = folders.length === 0 ? Buffer.alloc(0) : join(4, streams(folders, archive.packOffset ?? 0, archive.packCrcs));
  let list = archive.list ?? join(1, main, fileList(archive), 0, archive.listTail ?? Buffer.alloc(0));
  let body = Buffer.concat([packed, archive.gap ?? Buffer.alloc(0)]);
  for (let layer = 0; layer < (archive.layers ?? 0); layer += 1) {
    const inner = list.toString("latin1");
    const outer = join(23, streams([{ contents: [inner], packs: [list], sizes: [list.byteLength], crc: crc32(list) }], body.byteLength));
    body = Buffer.concat([body, list]);
    list = outer;
  }
  const start = Buffer.alloc(20);
  start.writeBigUInt64LE(BigInt(body.byteLength), 0);
  start.writeBigUInt64LE(BigInt(list.byteLength), 8);
  start.writeUInt32LE(archive.listCrc ?? crc32(list), 16);
  const head = join(Buffer.from("377abcaf271c", "hex"), archive.major ?? 0, 4, u32(archive.startCrc ?? crc32(start)), start);
  return Buffer.concat([archive.prefix ?? Buffer.alloc(0), head, body, list, archive.trailing ?? Buffer.alloc(0)]);
}
