export interface HeaderFields {
  readonly name?: string | Buffer;
  readonly prefix?: string | Buffer;
  readonly typeflag?: string;
  /** Bytes the size field declares; those of the data unless given. */
  readonly size?: number | Buffer;
  readonly mode?: number;
  readonly link?: string | Buffer;
  readonly magic?: "v7" | "ustar" | "gnu" | "star";
  readonly data?: Buffer | string;
  readonly checksum?: "unsigned" | "signed" | "bad";
  /** Bytes laid over the finished header before its checksum. */
  readonly patch?: readonly (readonly [offset: number, bytes: Buffer | string])[];
}

const magics = { v7: "", ustar: "ustar\u000000", gnu: "ustar  \u0000", star: "ustar\u000000" } as const;

function put(block: Buffer, value: Buffer | string, offset: number, length: number): void {
  Buffer.from(value).copy(block, offset, 0, length);
}

export function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width - 1, "0")}\0`;
}

export function base256(value: bigint, width: number): Buffer {
  const bytes = Buffer.alloc(width);
  let left = BigInt.asUintN(width * 8, value);
  for (let at = width - 1; at >= 0; at -= 1) {
    bytes[at] = Number(left & 0xffn);
    left >>= 8n;
  }
  bytes[0] = (bytes[0] ?? 0) | 0x80;
  return bytes;
}

/** One header and its padded data. */
export function member(fields: HeaderFields): Buffer {
  const data = Buffer.from(fields.data ?? "");
  const block = Buffer.alloc(512);
  const magic = fields.magic ?? "ustar";
  put(block, fields.name ?? "file", 0, 100);
  put(block, octal(fields.mode ?? 0o644, 8), 100, 8);
  put(block, octal(0, 8), 108, 8);
  put(block, octal(0, 8), 116, 8);
  put(block, Buffer.isBuffer(fields.size) ? fields.size : octal(fields.size ?? data.byteLength, 12), 124, 12);
  put(block, octal(1_700_000_000, 12), 136, 12);
  put(block, fields.typeflag ?? "0", 156, 1);
  put(block, fields.link ?? "", 157, 100);
  put(block, magics[magic], 257, 8);
  put(block, fields.prefix ?? "", 345, magic === "star" ? 131 : 155);
  if (magic === "star") put(block, "tar\0", 508, 4);
  for (const [offset, bytes] of fields.patch ?? []) put(block, bytes, offset, 512 - offset);
  sign(block, fields.checksum ?? "unsigned");
  return Buffer.concat([block, padded(data)]);
}

function sign(block: Buffer, kind: "unsigned" | "signed" | "bad"): void {
  block.fill(0x20, 148, 156);
  const sum = block.reduce((total, byte) => total + (kind === "signed" && byte > 127 ? byte - 256 : byte), 0);
  put(block, `${(sum + (kind === "bad" ? 1 : 0)).toString(8).padStart(6, "0")}\0 `, 148, 8);
}

export function padded(data: Buffer): Buffer {
  return Buffer.concat([data, Buffer.alloc((512 - (data.byteLength % 512)) % 512)]);
}

/** One "length key=value\n" record. */
export function record(key: string, value: string | Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value), Buffer.from("\n")]);
  let length = rest.byteLength + 1;
  while (String(length).length + rest.byteLength !== length) length = String(length).length + rest.byteLength;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}

/** An extended header with records in their order. */
export function pax(records: readonly (readonly [string, string | Buffer])[], typeflag = "x"): Buffer {
  return member({ name: "PaxHeaders/member", typeflag, data: Buffer.concat(records.map(([key, value]) => record(key, value))) });
}

export function gnuLong(typeflag: "L" | "K", text: string): Buffer {
  return member({ name: "././@LongLink", magic: "gnu", typeflag, data: `${text}\0` });
}

export const end = Buffer.alloc(1024);

export function archive(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([...parts, end]);
}

/** The map entries of an old GNU sparse header. */
export function sparseEntries(extents: readonly (readonly [number, number])[]): string {
  return extents.map(([offset, length]) => octal(offset, 12) + octal(length, 12)).join("");
}
