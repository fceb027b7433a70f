import { crc32, deflateRawSync } from "node:zlib";

/** Values of a header that are not to be what they should. */
export interface HeaderValues {
  readonly name?: string | Uint8Array;
  readonly method?: number;
  readonly flags?: number;
  readonly crc32?: number;
  readonly compressedBytes?: number;
  readonly bytes?: number;
  readonly extra?: Uint8Array;
  readonly versionNeeded?: number;
}

export interface CentralValues extends HeaderValues {
  readonly host?: number;
  readonly mode?: number;
  readonly disk?: number;
  readonly offset?: number;
  readonly comment?: string;
}

export type DescriptorForm = "signed" | "unsigned" | "signed64" | "unsigned64";

export interface ZipMember {
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  /** 0 unless said otherwise; 8 deflates the content. */
  readonly method?: number;
  readonly flags?: number;
  /** The data as it stands in the archive, in the place of what content and method give. */
  readonly data?: Uint8Array;
  readonly descriptor?: DescriptorForm;
  /** What the descriptor says in the place of the truth. */
  readonly descriptorValues?: HeaderValues;
  readonly local?: HeaderValues;
  readonly central?: CentralValues;
  /** No central record. */
  readonly hidden?: boolean;
  /** No local header and data: the record points at the data of the member with this number. */
  readonly sharesDataOf?: number;
  /** Bytes between the member before and this one. */
  readonly gapBefore?: Uint8Array;
  readonly gapAfter?: Uint8Array;
  /** Sizes and offset in zip64 fields of both headers. */
  readonly zip64?: boolean;
}

export interface ZipShape {
  /** Bytes in front; offsets count from behind them unless `adjusted`. */
  readonly prefix?: Uint8Array;
  readonly adjusted?: boolean;
  readonly beforeDirectory?: Uint8Array;
  readonly afterDirectory?: Uint8Array;
  readonly comment?: string | Uint8Array;
  readonly commentBytes?: number;
  readonly trailing?: Uint8Array;
  readonly end?: {
    readonly entries?: number;
    readonly directoryBytes?: number;
    readonly directoryOffset?: number;
    readonly disk?: number;
  };
  /** `all`: record and locator with all fields; `locator`: a locator that leads nowhere. */
  readonly zip64?: "all" | "locator" | { readonly entries?: number; readonly directoryOffset?: number };
  readonly noEnd?: boolean;
}

interface Header {
  readonly name: Uint8Array;
  readonly method: number;
  readonly flags: number;
  readonly crc32: number;
  readonly compressedBytes: number;
  readonly bytes: number;
  readonly extra: Uint8Array;
  readonly versionNeeded: number;
}

export function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value & 0xffff);
  return bytes;
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

export function u64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

export function extraField(id: number, data: Uint8Array): Buffer {
  return Buffer.concat([u16(id), u16(data.byteLength), data]);
}

const bytesOf = (value: string | Uint8Array): Uint8Array => (typeof value === "string" ? Buffer.from(value, "utf8") : value);

/** An archive as it is described, right unless the description says otherwise. */
export function buildZip(members: readonly ZipMember[], shape: ZipShape = {}): Buffer {
  const prefix = shape.prefix ?? Buffer.alloc(0);
  const bias = shape.adjusted === true ? 0 : prefix.byteLength;
  const pieces: Uint8Array[] = [prefix];
  let at = prefix.byteLength;
  const put = (bytes: Uint8Array): void => {
    pieces.push(bytes);
    at += bytes.byteLength;
  };
  const offsets: number[] = [];
  for (const member of members) {
    put(member.gapBefore ?? Buffer.alloc(0));
    offsets.push(member.sharesDataOf === undefined ? at - bias : (offsets[member.sharesDataOf] ?? 0));
    if (member.sharesDataOf === undefined) put(localPart(member));
    put(member.gapAfter ?? Buffer.alloc(0));
  }
  put(shape.beforeDirectory ?? Buffer.alloc(0));
  const directoryOffset = at - bias;
  const listed = members.flatMap((member, index) => (member.hidden === true ? [] : [centralPart(member, offsets[index] ?? 0)]));
  const directory = Buffer.concat(listed);
  put(directory);
  put(shape.afterDirectory ?? Buffer.alloc(0));
  if (shape.noEnd === true) return Buffer.concat(pieces);
  put(endPart(shape, { entries: listed.length, directoryBytes: directory.byteLength, directoryOffset, at: at - bias }));
  put(shape.trailing ?? Buffer.alloc(0));
  return Buffer.concat(pieces);
}

function headerOf(member: ZipMember, values: HeaderValues): Header {
  const content = bytesOf(member.content ?? "");
  const method = member.method ?? 0;
  const data = dataOf(member);
  return {
    name: bytesOf(values.name ?? member.name),
    method: values.method ?? method,
    flags: values.flags ?? (member.flags ?? 0) | (member.descriptor === undefined ? 0 : 8),
    crc32: values.crc32 ?? crc32(content),
    compressedBytes: values.compressedBytes ?? data.byteLength,
    bytes: values.bytes ?? content.byteLength,
    extra: values.extra ?? Buffer.alloc(0),
    versionNeeded: values.versionNeeded ?? 20,
  };
}

function dataOf(member: ZipMember): Uint8Array {
  const content = bytesOf(member.content ?? "");
  return member.data ?? (member.method === 8 ? deflateRawSync(content) : content);
}

function localPart(member: ZipMember): Buffer {
  const values = member.local ?? {};
  const blank = member.descriptor === undefined ? {} : { crc32: 0, compressedBytes: 0, bytes: 0 };
  const header = headerOf(member, { ...blank, ...values });
  const wide = member.zip64 === true;
  const extra = wide ? Buffer.concat([extraField(1, Buffer.concat([u64(header.bytes), u64(header.compressedBytes)])), header.extra]) : header.extra;
  return Buffer.concat([
    u32(0x04034b50),
    u16(header.versionNeeded),
    u16(header.flags),
    u16(header.method),
    u32(0x5a21_0000),
    u32(header.crc32),
    u32(wide ? 0xffffffff : header.compressedBytes),
    u32(wide ? 0xffffffff : header.bytes),
    u16(header.name.byteLength),
    u16(extra.byteLength),
    header.name,
    extra,
    dataOf(member),
    descriptorPart(member),
  ]);
}

function descriptorPart(member: ZipMember): Buffer {
  const form = member.descriptor;
  if (form === undefined) return Buffer.alloc(0);
  const header = headerOf(member, member.descriptorValues ?? {});
  const size = form.endsWith("64") ? u64 : u32;
  const signature = form.startsWith("signed") ? u32(0x08074b50) : Buffer.alloc(0);
  return Buffer.concat([signature, u32(header.crc32), size(header.compressedBytes), size(header.bytes)]);
}

function centralPart(member: ZipMember, offset: number): Buffer {
  const values = member.central ?? {};
  const header = headerOf(member, values);
  const wide = member.zip64 === true;
  const at = values.offset ?? offset;
  const zip64 = extraField(1, Buffer.concat([u64(header.bytes), u64(header.compressedBytes), u64(at)]));
  const extra = wide ? Buffer.concat([zip64, header.extra]) : header.extra;
  const comment = bytesOf(values.comment ?? "");
  return Buffer.concat([
    u32(0x02014b50),
    u16(((values.host ?? 3) << 8) | 30),
    u16(header.versionNeeded),
    u16(header.flags),
    u16(header.method),
    u32(0x5a21_0000),
    u32(header.crc32),
    u32(wide ? 0xffffffff : header.compressedBytes),
    u32(wide ? 0xffffffff : header.bytes),
    u16(header.name.byteLength),
    u16(extra.byteLength),
    u16(comment.byteLength),
    u16(values.disk ?? 0),
    u16(0),
    u32((values.mode ?? 0) * 65536),
    u32(wide ? 0xffffffff : at),
    header.name,
    extra,
    comment,
  ]);
}

interface Ending {
  readonly entries: number;
  readonly directoryBytes: number;
  readonly directoryOffset: number;
  readonly at: number;
}

function endPart(shape: ZipShape, ending: Ending): Buffer {
  const comment = bytesOf(shape.comment ?? "");
  const all = shape.zip64 === "all";
  const disk = u16(shape.end?.disk ?? 0);
  const entries = u16(shape.end?.entries ?? (all ? 0xffff : ending.entries));
  return Buffer.concat([
    zip64Part(shape, ending),
    u32(0x06054b50),
    disk,
    disk,
    entries,
    entries,
    u32(shape.end?.directoryBytes ?? (all ? 0xffffffff : ending.directoryBytes)),
    u32(shape.end?.directoryOffset ?? (all ? 0xffffffff : ending.directoryOffset)),
    u16(shape.commentBytes ?? comment.byteLength),
    comment,
  ]);
}

function zip64Part(shape: ZipShape, ending: Ending): Buffer {
  if (shape.zip64 === undefined) return Buffer.alloc(0);
  if (shape.zip64 === "locator") return Buffer.concat([u32(0x07064b50), u32(0), u64(7), u32(1)]);
  const forged = shape.zip64 === "all" ? {} : shape.zip64;
  const entries = u64(forged.entries ?? ending.entries);
  return Buffer.concat([
    u32(0x06064b50),
    u64(44),
    u16(45),
    u16(45),
    u32(0),
    u32(0),
    entries,
    entries,
    u64(ending.directoryBytes),
    u64(forged.directoryOffset ?? ending.directoryOffset),
    u32(0x07064b50),
    u32(0),
    u64(ending.at),
    u32(1),
  ]);
}
