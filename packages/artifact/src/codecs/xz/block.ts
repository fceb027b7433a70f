import { crc32 } from "node:zlib";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { brokenData } from "../broken-data.js";
import { decodeLzma2 } from "../lzma/lzma2.js";
import type { DecoderOptions } from "../reader-codec.js";
import { filterChain, type FilterRecord } from "./filters.js";
import { integrityCheck } from "./integrity-check.js";
import type { PieceFilter } from "./piece-filter.js";
import { variableInteger } from "./variable-integer.js";

/** Sizes of a block as the index repeats them: header, data and check without padding; what came out. */
export interface BlockSizes {
  readonly unpadded: number;
  readonly plain: number;
}

interface BlockHeader {
  readonly filters: readonly FilterRecord[];
  readonly packedBytes: number | undefined;
  readonly plainBytes: number | undefined;
}

/** Decodes a block whose header starts at the reader (the .xz file format, §3); answers its sizes. */
export async function* decodeBlock(reader: SequentialReader, checkId: number, options: DecoderOptions): AsyncGenerator<Uint8Array, BlockSizes, undefined> {
  const start = reader.position;
  const header = parseHeader(await headerBytes(reader));
  const chain = filterChain(header.filters);
  const check = integrityCheck(checkId);
  const dataStart = reader.position;
  let plain = 0;
  for await (const piece of filtered(decodeLzma2(reader, chain.dictionaryBytes, options), chain.filters)) {
    check.update(piece);
    plain += piece.byteLength;
    yield piece;
  }
  const packed = reader.position - dataStart;
  if (packed !== (header.packedBytes ?? packed) || plain !== (header.plainBytes ?? plain)) {
    throw brokenData("An xz block has other sizes than its header says.", start);
  }
  const unpadded = reader.position - start + check.sizeBytes;
  await checkPadding(reader, packed);
  await compareCheck(reader, check);
  return { unpadded, plain };
}

async function headerBytes(reader: SequentialReader): Promise<Buffer> {
  const [size] = await reader.peek(1);
  const length = ((size ?? 0) + 1) * 4;
  const bytes = Buffer.from(await reader.read(length));
  if (bytes.byteLength < length) throw brokenData("An xz block header is cut short.", reader.position);
  if (crc32(bytes.subarray(0, -4)) !== bytes.readUInt32LE(length - 4)) throw brokenData("The checksum of an xz block header does not hold.", reader.position - length);
  return bytes.subarray(0, -4);
}

function parseHeader(bytes: Buffer): BlockHeader {
  const flags = bytes[1] ?? 0;
  if ((flags & 0x3c) !== 0) throw brokenData("An xz block header has reserved flags set.");
  const at = { value: 2 };
  const packedBytes = (flags & 0x40) === 0 ? undefined : variableInteger(bytes, at);
  const plainBytes = (flags & 0x80) === 0 ? undefined : variableInteger(bytes, at);
  const filters: FilterRecord[] = [];
  for (let left = (flags & 3) + 1; left > 0; left -= 1) filters.push(filterRecord(bytes, at));
  if (bytes.subarray(at.value).some((byte) => byte !== 0)) throw brokenData("The padding of an xz block header is not zero.");
  return { filters, packedBytes, plainBytes };
}

function filterRecord(bytes: Buffer, at: { value: number }): FilterRecord {
  const id = variableInteger(bytes, at);
  const size = variableInteger(bytes, at);
  if (at.value + size > bytes.byteLength) throw brokenData("Filter properties reach past their xz block header.");
  const properties = bytes.subarray(at.value, at.value + size);
  at.value += size;
  return { id, properties };
}

async function* filtered(pieces: AsyncGenerator<Uint8Array, void, undefined>, filters: readonly PieceFilter[]): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) {
    const out = through(filters, piece);
    if (out.byteLength > 0) yield out;
  }
  // What one filter held back passes through those behind it.
  for (const [index, filter] of filters.entries()) {
    const out = through(filters.slice(index + 1), filter.finish());
    if (out.byteLength > 0) yield out;
  }
}

function through(filters: readonly PieceFilter[], piece: Uint8Array): Uint8Array {
  let out = piece;
  for (const filter of filters) out = filter.push(out);
  return out;
}

async function checkPadding(reader: SequentialReader, packed: number): Promise<void> {
  const padding = await reader.read((4 - (packed % 4)) % 4);
  if (padding.some((byte) => byte !== 0)) throw brokenData("The padding of an xz block is not zero.", reader.position);
}

async function compareCheck(reader: SequentialReader, check: { readonly sizeBytes: number; digest(): Uint8Array | undefined }): Promise<void> {
  const declared = await reader.read(check.sizeBytes);
  if (declared.byteLength < check.sizeBytes) throw brokenData("The xz data ends inside a block's check.", reader.position);
  const computed = check.digest();
  if (computed !== undefined && Buffer.compare(computed, declared) !== 0) throw brokenData("The check of an xz block does not hold.", reader.position);
}
