import { crc32 } from "node:zlib";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { brokenData } from "../broken-data.js";

/** What a gzip member says before its data (RFC 1952 §2.3). */
export interface GzipHeader {
  readonly name: Uint8Array | undefined;
  readonly commentBytes: number | undefined;
  readonly extraBytes: number | undefined;
}

const longestText = 65_536;

/** True when a gzip member starts here. */
export function startsGzipMember(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
}

/** Reads a member's header and checks its CRC when it has one. */
export async function readGzipHeader(reader: SequentialReader): Promise<GzipHeader> {
  const fields = new HeaderFields(reader);
  const fixed = await fields.take(10);
  if (!startsGzipMember(fixed)) throw brokenData("A gzip member does not start with its magic.", reader.position);
  const flags = fixed[3] ?? 0;
  if ((flags & 0xe0) !== 0) throw brokenData("A gzip member has reserved flags set.", reader.position);
  const extra = (flags & 4) === 0 ? undefined : await fields.take((await fields.take(2)).readUInt16LE(0));
  const name = (flags & 8) === 0 ? undefined : await fields.text();
  const comment = (flags & 16) === 0 ? undefined : await fields.text();
  if ((flags & 2) !== 0) await fields.compareCrc();
  return { name, commentBytes: comment?.byteLength, extraBytes: extra?.byteLength };
}

class HeaderFields {
  readonly #reader: SequentialReader;
  #crc = 0;

  constructor(reader: SequentialReader) {
    this.#reader = reader;
  }

  async take(length: number): Promise<Buffer> {
    const bytes = Buffer.from(await this.#reader.read(length));
    if (bytes.byteLength < length) throw brokenData("A gzip header is cut short.", this.#reader.position);
    this.#crc = crc32(bytes, this.#crc);
    return bytes;
  }

  /** Bytes up to a NUL, which is taken too. */
  async text(): Promise<Buffer> {
    const seen = await this.#reader.peek(longestText);
    const end = seen.indexOf(0);
    if (end < 0) throw brokenData("A text of a gzip header does not end.", this.#reader.position);
    return (await this.take(end + 1)).subarray(0, end);
  }

  async compareCrc(): Promise<void> {
    const computed = this.#crc & 0xffff;
    if ((await this.take(2)).readUInt16LE(0) !== computed) throw brokenData("The checksum of a gzip header does not hold.", this.#reader.position);
  }
}
