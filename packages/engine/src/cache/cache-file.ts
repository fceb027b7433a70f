import { createHash, randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, futimesSync, openSync, readSync } from "node:fs";
import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { isOwn, isSystemError } from "./cache-directory.js";
import { DamagedCache, type SectionWriter } from "./sections.js";

/**
 * A cache file: magic · format version · byte order · digests of version, target and profile · digest and length of the
 * body · body. A file is used when all of it is as it was written.
 */

/** What an analysis is of; digests as 64 hex digits. */
export interface CacheKey {
  readonly version: string;
  readonly target: string;
  readonly profile: string;
}

const magic = Buffer.from("\x89REAPRG\n", "latin1");
const headerBytes = 160;
const place = { format: 8, order: 12, version: 16, target: 48, profile: 80, body: 112, length: 144 } as const;
const byteOrder = 0x0102_0304;
const batchBytes = 4 * 1024 * 1024;

/** Size of the file that holds a body. */
export function fileBytes(body: SectionWriter): number {
  return headerBytes + body.byteLength;
}

export function fileName({ version, target, profile }: CacheKey): string {
  return `${sha256(`${sha256(version)}${target}${profile}`)}.program`;
}

/**
 * The body of the file, at a multiple of eight in its buffer; undefined when there is none. Throws `DamagedCache` for a
 * file that is not one for this key, whole and ours.
 */
export function readCacheFile(path: string, key: CacheKey, limits: { readonly format: number; readonly bytes: number }): Uint8Array | undefined {
  const file = readWhole(path, limits.bytes);
  if (file === undefined) return undefined;
  const body = file.subarray(headerBytes);
  if (!file.subarray(0, headerBytes).equals(header(key, limits.format, { digest: digestOf([body]), length: body.byteLength }))) {
    throw new DamagedCache("the file is damaged or of another version");
  }
  return body;
}

/** What a file's header says it is of; undefined when it is no header of ours. */
export function describeCacheFile(path: string): { readonly target: string; readonly isOf: (version: string, format: number) => boolean } | undefined {
  const bytes = readHeader(path);
  if (bytes?.subarray(0, magic.length).equals(magic) !== true) return undefined;
  const text = (at: number): string => bytes.subarray(at, at + 32).toString("hex");
  const format = bytes.readUInt32LE(place.format);
  return { target: text(place.target), isOf: (version, wanted) => format === wanted && text(place.version) === sha256(version) };
}

function readHeader(path: string): Buffer | undefined {
  const handle = openSafely(path);
  if (handle === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(headerBytes);
    return readSync(handle, bytes, 0, headerBytes, 0) === headerBytes ? bytes : undefined;
  } finally {
    closeSync(handle);
  }
}

function readWhole(path: string, most: number): Buffer | undefined {
  const handle = openSafely(path);
  if (handle === undefined) return undefined;
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile() || !isOwn(stats)) throw new DamagedCache("the file is not ours");
    if (stats.size < headerBytes || stats.size > most) throw new DamagedCache("the file has a size that none of ours has");
    const bytes = Buffer.allocUnsafeSlow(stats.size);
    for (let done = 0; done < bytes.byteLength; ) {
      const count = readSync(handle, bytes, done, bytes.byteLength - done, done);
      if (count === 0) throw new DamagedCache("the file became shorter");
      done += count;
    }
    markUsed(handle);
    return bytes;
  } finally {
    closeSync(handle);
  }
}

/** Neither through a link nor waiting for a pipe. */
function openSafely(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "ENOENT") return undefined;
    throw new DamagedCache("the file cannot be opened");
  }
}

function markUsed(handle: number): void {
  try {
    const now = new Date();
    futimesSync(handle, now, now);
  } catch (error) {
    // On a read-only file system the order of use is not kept.
    if (!isSystemError(error)) throw error;
  }
}

/** Writes the file whole or not at all. Throws what the file system says; nothing is left behind then. */
export async function writeCacheFile(path: string, key: CacheKey, format: number, body: SectionWriter): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString("hex")}.tmp`;
  const handle = await open(temporary, "wx", 0o600);
  try {
    await writeBody(handle, key, format, body).finally(() => handle.close());
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeBody(handle: FileHandle, key: CacheKey, format: number, body: SectionWriter): Promise<void> {
  const hash = createHash("sha256");
  await handle.writeFile(Buffer.alloc(headerBytes));
  for (const batch of batches(body.pieces)) {
    hash.update(batch);
    await handle.writeFile(batch);
  }
  const finished = header(key, format, { digest: hash.digest(), length: body.byteLength });
  await handle.write(finished, 0, headerBytes, 0);
}

/** Small pieces together, large ones in parts. */
function* batches(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let small: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    if (bytes + piece.byteLength > batchBytes) {
      yield Buffer.concat(small);
      small = [];
      bytes = 0;
    }
    if (piece.byteLength <= batchBytes) {
      small.push(piece);
      bytes += piece.byteLength;
      continue;
    }
    for (let at = 0; at < piece.byteLength; at += batchBytes) yield piece.subarray(at, at + batchBytes);
  }
  yield Buffer.concat(small);
}

function header({ version, target, profile }: CacheKey, format: number, body: { readonly digest: Buffer; readonly length: number }): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  magic.copy(bytes);
  bytes.writeUInt32LE(format, place.format);
  new Uint32Array(bytes.buffer, bytes.byteOffset + place.order, 1)[0] = byteOrder;
  bytes.write(sha256(version), place.version, "hex");
  bytes.write(target, place.target, "hex");
  bytes.write(profile, place.profile, "hex");
  body.digest.copy(bytes, place.body);
  bytes.writeBigUInt64LE(BigInt(body.length), place.length);
  return bytes;
}

function digestOf(parts: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
