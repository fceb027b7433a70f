import { deflateRawSync } from "node:zlib";
import { encodeLzx } from "./lzx-encoder.js";
import { encodeQuantum } from "./quantum-encoder.js";

export type Method = "stored" | "mszip" | "lzx" | "quantum";

export interface BuiltFolder {
  readonly method?: Method;
  /** The method field, where it is to be something else. */
  readonly methodField?: number;
  readonly windowBits?: number;
  readonly data: Buffer;
  /** Where the blocks are said to start. */
  readonly dataOffset?: number;
  readonly blockCount?: number;
  /** Blocks without a checksum. */
  readonly unchecked?: boolean;
  /** Number of the block whose checksum is wrong. */
  readonly wrongBlock?: number;
  /** The last block declares no plain bytes: it goes on in the next cabinet. */
  readonly goesOn?: boolean;
  /** Changes a block's packed bytes after its checksum was made. */
  readonly damagedBlock?: number;
}

export interface BuiltFile {
  readonly name: string | Buffer;
  readonly folder?: number;
  readonly offset: number;
  readonly bytes: number;
  readonly attributes?: number;
}

export interface BuiltCab {
  readonly folders: readonly BuiltFolder[];
  readonly files: readonly BuiltFile[];
  readonly previous?: string;
  readonly next?: string;
  readonly reserve?: { readonly header: Buffer; readonly folder: number; readonly data: number };
  readonly folderCount?: number;
  readonly fileCount?: number;
  readonly cabinetBytes?: number;
  readonly version?: readonly [minor: number, major: number];
  readonly prefix?: Buffer;
  readonly trailing?: Buffer;
  /** Bytes between the list of files and the data. */
  readonly gap?: Buffer;
}

const frameBytes = 32_768;
const numbers = { stored: 0, mszip: 1, quantum: 2, lzx: 3 };

function frames(data: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < data.byteLength; at += frameBytes) pieces.push(data.subarray(at, at + frameBytes));
  return pieces;
}

function packed({ method, data, windowBits }: BuiltFolder): readonly Buffer[] {
  switch (method ?? "stored") {
    case "stored":
      return frames(data);
    case "mszip":
      return frames(data).map((frame, index) => {
        const history = data.subarray(Math.max(0, (index - 1) * frameBytes), index * frameBytes);
        return Buffer.concat([Buffer.from("CK"), deflateRawSync(frame, history.byteLength === 0 ? {} : { dictionary: history })]);
      });
    case "lzx":
      return encodeLzx(data, windowBits ?? 16);
    case "quantum":
      return encodeQuantum(data, windowBits ?? 16);
  }
}

function checksum(data: Buffer, plainBytes: number): number {
  const sizes = Buffer.alloc(4);
  sizes.writeUInt16LE(data.byteLength, 0);
  sizes.writeUInt16LE(plainBytes, 2);
  const padded = Buffer.concat([data, Buffer.alloc((4 - (data.byteLength % 4)) % 4)]);
  const rest = data.byteLength % 4;
  if (rest > 0) padded.set([...data.subarray(-rest)].reverse(), data.byteLength - rest);
  let sum = sizes.readUInt32LE(0);
  for (let at = 0; at < padded.byteLength; at += 4) sum ^= padded.readUInt32LE(at);
  return sum >>> 0;
}

function blocks(folder: BuiltFolder, reserve: number): Buffer {
  const plain = frames(folder.data);
  return Buffer.concat(
    packed(folder).flatMap((data, index) => {
      const isLast = index === plain.length - 1;
      const plainBytes = folder.goesOn === true && isLast ? 0 : (plain[index]?.byteLength ?? 0);
      const header = Buffer.alloc(8 + reserve, 0x52);
      header.writeUInt32LE(folder.unchecked === true ? 0 : (checksum(data, plainBytes) ^ (folder.wrongBlock === index ? 1 : 0)) >>> 0, 0);
      header.writeUInt16LE(data.byteLength, 4);
      header.writeUInt16LE(plainBytes, 6);
      const bytes = Buffer.from(data);
      if (folder.damagedBlock === index) bytes[bytes.byteLength >> 1] = (bytes[bytes.byteLength >> 1] ?? 0) ^ 0x10;
      return [header, bytes];
    }),
  );
}

function methodField({ method, methodField: given, windowBits }: BuiltFolder): number {
  const number = numbers[method ?? "stored"];
  return given ?? (number < 2 ? number : number | ((windowBits ?? 16) << 8) | (number === 2 ? 0x10 : 0));
}

/** A cabinet byte by byte. */
export function buildCab(cab: BuiltCab): Buffer {
  const flags = (cab.previous === undefined ? 0 : 1) | (cab.next === undefined ? 0 : 2) | (cab.reserve === undefined ? 0 : 4);
  const text = (name: string | undefined): Buffer => (name === undefined ? Buffer.alloc(0) : Buffer.from(`${name}\0disk\0`));
  const sizes = Buffer.alloc(cab.reserve === undefined ? 0 : 4);
  if (cab.reserve !== undefined) {
    sizes.writeUInt16LE(cab.reserve.header.byteLength, 0);
    sizes.set([cab.reserve.folder, cab.reserve.data], 2);
  }
  const extra = Buffer.concat([sizes, cab.reserve?.header ?? Buffer.alloc(0), text(cab.previous), text(cab.next)]);
  const names = cab.files.map(({ name }) => Buffer.concat([Buffer.from(name), Buffer.from([0])]));
  const folderBytes = 8 + (cab.reserve?.folder ?? 0);
  const filesOffset = 36 + extra.byteLength + folderBytes * cab.folders.length;
  const files = Buffer.concat(
    cab.files.flatMap((file, index) => {
      const record = Buffer.alloc(16);
      record.writeUInt32LE(file.bytes, 0);
      record.writeUInt32LE(file.offset, 4);
      record.writeUInt16LE(file.folder ?? 0, 8);
      record.writeUInt16LE(0x5a21, 10);
      record.writeUInt16LE(file.attributes ?? 0x20, 14);
      return [record, names[index] ?? Buffer.alloc(0)];
    }),
  );
  const data = cab.folders.map((folder) => blocks(folder, cab.reserve?.data ?? 0));
  let at = filesOffset + files.byteLength + (cab.gap?.byteLength ?? 0);
  const records = cab.folders.map((folder, index) => {
    const record = Buffer.alloc(folderBytes, 0x53);
    record.writeUInt32LE(folder.dataOffset ?? at, 0);
    record.writeUInt16LE(folder.blockCount ?? frames(folder.data).length, 4);
    record.writeUInt16LE(methodField(folder), 6);
    at += data[index]?.byteLength ?? 0;
    return record;
  });
  const header = Buffer.alloc(36);
  header.write("MSCF", 0);
  header.writeUInt32LE(cab.cabinetBytes ?? at, 8);
  header.writeUInt32LE(filesOffset, 16);
  header.set(cab.version ?? [3, 1], 24);
  header.writeUInt16LE(cab.folderCount ?? cab.folders.length, 26);
  header.writeUInt16LE(cab.fileCount ?? cab.files.length, 28);
  header.writeUInt16LE(flags, 30);
  return Buffer.concat([cab.prefix ?? Buffer.alloc(0), header, extra, ...records, files, cab.gap ?? Buffer.alloc(0), ...data, cab.trailing ?? Buffer.alloc(0)]);
}
