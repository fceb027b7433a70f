import { bufferOf } from "../../reading/piece-window.js";
import type { ByteSource } from "@rea/core";

const directoryEntryBytes = 128;
/** No entry. */
export const nowhere = 0xffffffff;

export type EntryType = "unused" | "storage" | "stream" | "root" | "unknown";

/** An entry of the directory ([MS-CFB] §2.6). */
export interface DirectoryEntry {
  readonly id: number;
  /** UTF-16LE. */
  readonly name: Buffer;
  readonly type: EntryType;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  /** As hexadecimal text. */
  readonly classId: string;
  readonly start: number;
  /** Infinite beyond 2^53, which no file reaches. */
  readonly bytes: number;
}

const types: { readonly [type: number]: EntryType | undefined } = { 0: "unused", 1: "storage", 2: "stream", 5: "root" };

/** The directory of a compound file. Entries are read when they are asked for. */
export class Directory {
  readonly #source: ByteSource;
  readonly #wide: boolean;
  readonly count: number;

  /** Versions before 4 give sizes of 32 bits. */
  constructor(source: ByteSource, major: number) {
    this.#source = source;
    this.#wide = major >= 4;
    this.count = Math.floor(source.size / directoryEntryBytes);
  }

  entry(id: number): DirectoryEntry {
    const bytes = bufferOf(this.#source.read(id * directoryEntryBytes, directoryEntryBytes));
    const nameBytes = Math.min(64, Math.max(0, bytes.readUInt16LE(64) - 2));
    const size = this.#wide ? bytes.readBigUInt64LE(120) : BigInt(bytes.readUInt32LE(120));
    return {
      id,
      name: Buffer.from(bytes.subarray(0, nameBytes - (nameBytes % 2))),
      type: types[bytes.readUInt8(66)] ?? "unknown",
      left: bytes.readUInt32LE(68),
      right: bytes.readUInt32LE(72),
      child: bytes.readUInt32LE(76),
      classId: bytes.subarray(80, 96).toString("hex"),
      start: bytes.readUInt32LE(116),
      bytes: size > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(size),
    };
  }
}
