import { createHash, randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readdirSync, readSync, renameSync, rmSync, utimesSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Text } from "../text/decode.js";
import { packFileName as packName, packMagic as magic, standardCacheBytes as standardBytes, temporaryPackName as temporaryName } from "./pack-names.js";

/** Where facts are kept between runs. */
export interface FactCacheSettings {
  readonly directory: string;
  /** Name of the code that found them; facts of other code are not used. */
  readonly version: string;
  readonly maximumBytes?: number;
}

/**
 * A pack: magic · version digest · digest of the rest · length of the index · index · texts. The index is a JSON list of
 * `[key, offset, length]`. A pack is used when all of it is as it was written.
 */
const headerBytes = magic.length + 32 + 32 + 8;
const mostPacks = 64;
const mostIndexBytes = 64 * 1024 * 1024;
const staleMs = 60 * 60_000;

interface Pack {
  readonly name: string;
  readonly usedAt: number;
  readonly bytes: number;
}

/** Facts of contents that earlier runs read, by key. Whatever goes wrong here only means that they are read again. */
export class FactCache {
  readonly #settings: FactCacheSettings;
  readonly #version: Buffer;
  /** Packs by the keys that their indexes name; undefined before the first question. */
  #places: Map<string, string> | undefined;
  readonly #packs = new Map<string, ReadonlyMap<string, Buffer>>();

  constructor(settings: FactCacheSettings) {
    this.#settings = settings;
    this.#version = createHash("sha256").update(settings.version).digest();
  }

  /** The text kept under a key. */
  get(key: string): string | undefined {
    return this.bytes(key)?.toString("utf8");
  }

  /** What is kept under a key as bytes. */
  bytes(key: string): Buffer | undefined {
    this.#places ??= this.#indexes();
    const name = this.#places.get(key);
    return name === undefined ? undefined : this.#pack(name).get(key);
  }

  /** As `bytes`: a view of the pack. Whoever hands its buffer on takes the pack away from this cache. */
  text(key: string): Text | undefined {
    const found = this.bytes(key);
    if (found === undefined) return undefined;
    const { buffer, byteOffset, byteLength } = found;
    return buffer instanceof ArrayBuffer ? new Uint8Array(buffer, byteOffset, byteLength) : new Uint8Array(found);
  }

  /** Whether an index names the key; the pack may still turn out to be damaged. */
  has(key: string): boolean {
    this.#places ??= this.#indexes();
    return this.#places.has(key);
  }

  /** Keeps texts in a pack of their own and lets the least recently used packs go. */
  put(entries: ReadonlyMap<string, string | Uint8Array>): void {
    const { directory } = this.#settings;
    if (entries.size === 0 || !prepare(directory)) return;
    const parts = packOf(entries, this.#version);
    const bytes = parts.reduce((sum, part) => sum + part.byteLength, 0);
    if (bytes > (this.#settings.maximumBytes ?? standardBytes) / 4) return;
    const digest = createHash("sha256");
    for (const part of parts) digest.update(part);
    const name = `${digest.digest("hex")}.facts`;
    const temporary = join(directory, `${name}.${randomBytes(8).toString("hex")}.tmp`);
    quietly(() => {
      writeParts(temporary, parts);
      renameSync(temporary, join(directory, name));
    });
    this.#trim(name);
  }

  /** Reads the indexes of the packs that were used last; what they name is believed once a pack proves whole. */
  #indexes(): Map<string, string> {
    const { directory } = this.#settings;
    const places = new Map<string, string>();
    if (!isFit(directory)) return places;
    for (const { name } of packsIn(directory).slice(0, mostPacks)) {
      const index = quietly(() => readIndex(join(directory, name), this.#version));
      for (const [key] of index ?? []) if (!places.has(key)) places.set(key, name);
    }
    return places;
  }

  #pack(name: string): ReadonlyMap<string, Buffer> {
    const known = this.#packs.get(name);
    if (known !== undefined) return known;
    const path = join(this.#settings.directory, name);
    const entries = readPack(path, this.#version, this.#settings.maximumBytes ?? standardBytes) ?? new Map<string, Buffer>();
    this.#packs.set(name, entries);
    const now = new Date();
    quietly(() => utimesSync(path, now, now));
    return entries;
  }

  #trim(keep: string): void {
    const { directory, maximumBytes = standardBytes } = this.#settings;
    let bytes = 0;
    for (const pack of packsIn(directory)) {
      bytes += pack.bytes;
      if (bytes > maximumBytes && pack.name !== keep) quietly(() => rmSync(join(directory, pack.name), { force: true }));
    }
    for (const name of quietly(() => readdirSync(directory)) ?? []) {
      if (!temporaryName.test(name)) continue;
      const stats = quietly(() => lstatSync(join(directory, name)));
      if (stats !== undefined && Date.now() - stats.mtimeMs > staleMs) quietly(() => rmSync(join(directory, name), { force: true }));
    }
  }
}

/** The pieces of a pack in their order. */
function packOf(entries: ReadonlyMap<string, string | Uint8Array>, version: Buffer): readonly Buffer[] {
  const texts: Buffer[] = [];
  const index: [string, number, number][] = [];
  let offset = 0;
  for (const [key, text] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : Buffer.from(text.buffer, text.byteOffset, text.byteLength);
    index.push([key, offset, bytes.byteLength]);
    texts.push(bytes);
    offset += bytes.byteLength;
  }
  const list = Buffer.from(JSON.stringify(index), "utf8");
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(list.byteLength));
  const digest = createHash("sha256").update(length).update(list);
  for (const text of texts) digest.update(text);
  return [magic, version, digest.digest(), length, list, ...texts];
}

function writeParts(path: string, parts: readonly Buffer[]): void {
  const handle = openSync(path, "wx", 0o600);
  try {
    for (const part of parts) {
      for (let at = 0; at < part.byteLength; ) at += writeSync(handle, part, at);
    }
  } finally {
    closeSync(handle);
  }
}

/** Undefined for a pack that is damaged, of other code, somebody else's or reached through a link. */
function readPack(path: string, version: Buffer, maximumBytes: number): ReadonlyMap<string, Buffer> | undefined {
  const file = quietly(() => readOwn(path, maximumBytes));
  if (file === undefined || file.byteLength < headerBytes) return undefined;
  const at = magic.length;
  const isOurs = file.subarray(0, at).equals(magic) && file.subarray(at, at + 32).equals(version);
  if (!isOurs || !createHash("sha256").update(file.subarray(at + 64)).digest().equals(file.subarray(at + 32, at + 64))) return undefined;
  const texts = headerBytes + Number(file.readBigUInt64LE(at + 64));
  const entries = new Map<string, Buffer>();
  for (const [key, offset, length] of indexRows(file.toString("utf8", headerBytes, texts))) entries.set(key, file.subarray(texts + offset, texts + offset + length));
  return entries;
}

/** The index alone. */
function readIndex(path: string, version: Buffer): readonly (readonly [string, number, number])[] | undefined {
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const header = Buffer.alloc(headerBytes);
    if (readSync(handle, header, 0, headerBytes, 0) !== headerBytes) return undefined;
    if (!header.subarray(0, magic.length).equals(magic) || !header.subarray(magic.length, magic.length + 32).equals(version)) return undefined;
    const length = Number(header.readBigUInt64LE(magic.length + 64));
    if (length > Math.min(fstatSync(handle).size, mostIndexBytes)) return undefined;
    const list = Buffer.alloc(length);
    readSync(handle, list, 0, length, headerBytes);
    return indexRows(list.toString("utf8"));
  } finally {
    closeSync(handle);
  }
}

function indexRows(text: string): readonly (readonly [string, number, number])[] {
  const index = quietly((): unknown => JSON.parse(text));
  if (!Array.isArray(index)) return [];
  return index.flatMap((row: unknown): (readonly [string, number, number])[] => {
    if (!Array.isArray(row)) return [];
    const cells: readonly unknown[] = row;
    const [key, offset, length] = cells;
    return typeof key === "string" && typeof offset === "number" && typeof length === "number" ? [[key, offset, length]] : [];
  });
}

function readOwn(path: string, maximumBytes: number): Buffer | undefined {
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile() || stats.size > maximumBytes || !isOwn(stats.uid)) return undefined;
    const bytes = Buffer.allocUnsafe(stats.size);
    let at = 0;
    while (at < bytes.byteLength) {
      const read = readSync(handle, bytes, at, bytes.byteLength - at, at);
      if (read === 0) return undefined;
      at += read;
    }
    return bytes;
  } finally {
    closeSync(handle);
  }
}

/** The last used first. */
function packsIn(directory: string): Pack[] {
  const packs: Pack[] = [];
  for (const name of quietly(() => readdirSync(directory)) ?? []) {
    const stats = packName.test(name) ? quietly(() => lstatSync(join(directory, name))) : undefined;
    if (stats?.isFile() === true && isOwn(stats.uid)) packs.push({ name, usedAt: stats.mtimeMs, bytes: stats.size });
  }
  return packs.sort((a, b) => b.usedAt - a.usedAt || (a.name < b.name ? -1 : 1));
}

/** A directory that is ours, no link, and that nobody else can write to. */
function isFit(directory: string): boolean {
  const stats = quietly(() => lstatSync(directory));
  const parent = quietly(() => lstatSync(dirname(directory)));
  return stats?.isDirectory() === true && parent?.isSymbolicLink() === false && isOwn(stats.uid) && (process.getuid === undefined || (stats.mode & 0o022) === 0);
}

function prepare(directory: string): boolean {
  if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) quietly(() => mkdirSync(directory, { recursive: true, mode: 0o700 }));
  return isFit(directory);
}

function isOwn(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** A cache that cannot be used is one that is not there. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    // The file system refused, or a file is damaged: the contents are read again.
    return undefined;
  }
}
