import { crc32, deflateSync } from "node:zlib";
import { buildAdc } from "../codecs/build-adc.js";
import { buildLzfse } from "../codecs/build-lzfse.js";

export const kinds = { zero: 0, raw: 1, ignore: 2, adc: 0x80000004, zlib: 0x80000005, bzip2: 0x80000006, lzfse: 0x80000007, lzma: 0x80000008, comment: 0x7ffffffe, end: 0xffffffff } as const;

/** A chunk of a table; what is not given follows from the data. */
export interface ChunkShape {
  readonly kind: keyof typeof kinds | number;
  /** Plain bytes, whole sectors. */
  readonly plain?: Uint8Array;
  readonly stored?: Uint8Array;
  readonly sector?: number;
  readonly sectors?: number;
  readonly offset?: number;
  readonly length?: number;
}

export interface TableShape {
  readonly name?: string;
  readonly chunks: readonly ChunkShape[];
  readonly crc?: number;
  readonly checksumKind?: number;
  readonly sectors?: number;
  /** Leaves the terminator out. */
  readonly open?: boolean;
  readonly declaredChunks?: number;
  readonly behindEnd?: readonly ChunkShape[];
  /** Replaces the table's bytes. */
  readonly bytes?: (table: Buffer) => Buffer;
}

export interface DmgShape {
  readonly tables: readonly TableShape[];
  readonly trailerAt?: "end" | "start" | "both";
  readonly list?: "xml" | "fork";
  readonly xml?: (text: string) => string;
  readonly dataCrc?: number;
  readonly masterCrc?: number;
  readonly trailer?: (trailer: Buffer) => void;
  /** Bytes behind the data of all chunks. */
  readonly gap?: Uint8Array;
  readonly licence?: boolean;
  readonly segments?: number;
}

const sector = 512;

/** A UDIF image, byte by byte: data fork, list of resources, trailer. */
export function buildDmg(shape: DmgShape): Buffer {
  const { tables, trailerAt = "end", list = "xml" } = shape;
  const lead = trailerAt === "end" ? 0 : sector;
  const data: Buffer[] = [];
  let offset = 0;
  let firstSector = 0;
  const checksums: Buffer[] = [];
  const built = tables.map((table) => {
    const put = (bytes: Uint8Array): number => {
      data.push(Buffer.from(bytes));
      offset += bytes.byteLength;
      return offset - bytes.byteLength;
    };
    const { bytes, sectors, checksum } = tableBytes(table, firstSector, put);
    firstSector += sectors;
    checksums.push(checksum);
    return { name: table.name ?? "disk image (Apple_HFS : 1)", bytes: table.bytes?.(bytes) ?? bytes };
  });
  const fork = Buffer.concat([...data, shape.gap ?? Buffer.alloc(0)]);
  const plist = Buffer.from((shape.xml ?? ((text) => text))(xmlList(built, shape.licence ?? false)));
  const resources = list === "xml" ? plist : resourceFork(built);
  const trailer = Buffer.alloc(sector);
  trailer.write("koly");
  trailer.writeUInt32BE(4, 4);
  trailer.writeUInt32BE(sector, 8);
  trailer.writeUInt32BE(1, 12);
  write64(trailer, 24, [lead, fork.byteLength]);
  write64(trailer, list === "xml" ? 216 : 40, [lead + fork.byteLength, resources.byteLength]);
  trailer.writeUInt32BE(1, 56);
  trailer.writeUInt32BE(shape.segments ?? 1, 60);
  writeChecksum(trailer, 80, shape.dataCrc ?? crc32(fork));
  writeChecksum(trailer, 352, shape.masterCrc ?? crc32(Buffer.concat(checksums)));
  trailer.writeUInt32BE(1, 488);
  write64(trailer, 492, [firstSector]);
  shape.trailer?.(trailer);
  const body = Buffer.concat([fork, resources]);
  if (trailerAt === "end") return Buffer.concat([body, trailer]);
  return Buffer.concat(trailerAt === "start" ? [trailer, body] : [trailer, body, trailer]);
}

function tableBytes(table: TableShape, firstSector: number, put: (bytes: Uint8Array) => number): { readonly bytes: Buffer; readonly sectors: number; readonly checksum: Buffer } {
  let next = 0;
  let crc = 0;
  const row = (chunk: ChunkShape): Buffer => {
    const kind = typeof chunk.kind === "number" ? chunk.kind : kinds[chunk.kind];
    const stored = chunk.stored ?? storedForm(chunk);
    const sectors = chunk.sectors ?? (chunk.plain?.byteLength ?? 0) / sector;
    const offset = stored.byteLength === 0 ? 0 : put(stored);
    const bytes = Buffer.alloc(40);
    bytes.writeUInt32BE(kind, 0);
    write64(bytes, 8, [chunk.sector ?? next, sectors, chunk.offset ?? offset, chunk.length ?? stored.byteLength]);
    if (chunk.kind !== "ignore") crc = crc32(chunk.plain ?? Buffer.alloc(sectors * sector), crc);
    next = (chunk.sector ?? next) + sectors;
    return bytes;
  };
  const rows = table.chunks.map(row);
  const sectors = table.sectors ?? next;
  if (table.open !== true) {
    const end = Buffer.alloc(40);
    end.writeUInt32BE(kinds.end, 0);
    write64(end, 8, [next]);
    rows.push(end, ...(table.behindEnd ?? []).map(row));
  }
  const header = Buffer.alloc(204);
  header.write("mish");
  header.writeUInt32BE(1, 4);
  write64(header, 8, [firstSector, sectors]);
  header.writeUInt32BE(2056, 32);
  writeChecksum(header, 64, table.crc ?? crc, table.checksumKind);
  header.writeUInt32BE(table.declaredChunks ?? rows.length, 200);
  return { bytes: Buffer.concat([header, ...rows]), sectors, checksum: header.subarray(72, 76) };
}

function storedForm({ kind, plain = Buffer.alloc(0) }: ChunkShape): Uint8Array {
  switch (kind) {
    case "raw":
      return plain;
    case "adc":
      return buildAdc(plain);
    case "zlib":
      return deflateSync(plain);
    case "lzfse":
      return buildLzfse(plain);
    default:
      return Buffer.alloc(0);
  }
}

function writeChecksum(into: Buffer, at: number, crc: number, kind = 2): void {
  into.writeUInt32BE(kind, at);
  into.writeUInt32BE(32, at + 4);
  into.writeUInt32BE(crc, at + 8);
}

function write64(into: Buffer, at: number, values: readonly number[]): void {
  values.forEach((value, index) => into.writeBigUInt64BE(BigInt.asUintN(64, BigInt(value)), at + index * 8));
}

interface NamedTable {
  readonly name: string;
  readonly bytes: Buffer;
}

function xmlList(tables: readonly NamedTable[], licence: boolean): string {
  const rows = tables.map(({ name, bytes }, index) => dictionary({ Attributes: "<string>0x0050</string>", Data: `<data>\n${bytes.toString("base64")}\n</data>`, ID: `<string>${String(index)}</string>`, Name: `<string>${name}</string>` }));
  const licences = licence ? `<key>LPic</key><array>${dictionary({ Data: "<data>AAAA</data>", Name: "<string></string>" })}</array>` : "";
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0"><dict><key>resource-fork</key><dict>${licences}<key>blkx</key><array>${rows.join("")}</array></dict></dict></plist>\n`;
}

function dictionary(fields: { readonly [key: string]: string }): string {
  return `<dict>${Object.entries(fields)
    .map(([key, value]) => `<key>${key}</key>${value}`)
    .join("")}</dict>`;
}

/** A classic resource fork with one type. */
function resourceFork(tables: readonly NamedTable[]): Buffer {
  const data = tables.map(({ bytes }) => Buffer.concat([u32(bytes.byteLength), bytes]));
  const names = tables.map(({ name }) => Buffer.concat([Buffer.from([name.length]), Buffer.from(name)]));
  const dataBytes = data.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const mapAt = 256 + dataBytes;
  const references = Buffer.alloc(tables.length * 12);
  let [dataAt, nameAt] = [0, 0];
  tables.forEach((_, index) => {
    references.writeUInt16BE(index, index * 12);
    references.writeUInt16BE(nameAt, index * 12 + 2);
    references.writeUInt32BE(dataAt, index * 12 + 4);
    dataAt += data[index]?.byteLength ?? 0;
    nameAt += names[index]?.byteLength ?? 0;
  });
  const types = Buffer.alloc(10);
  types.write("blkx", 2);
  types.writeUInt16BE(tables.length - 1, 6);
  types.writeUInt16BE(10, 8);
  const map = Buffer.alloc(28);
  map.writeUInt16BE(28, 24);
  map.writeUInt16BE(28 + types.byteLength + references.byteLength, 26);
  const mapBytes = Buffer.concat([map, types, references, ...names]);
  const header = Buffer.alloc(256);
  [256, mapAt, dataBytes, mapBytes.byteLength].forEach((value, index) => header.writeUInt32BE(value, index * 4));
  return Buffer.concat([header, ...data, mapBytes]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
