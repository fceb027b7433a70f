import { checkRange, type ByteReader } from "@rea/core";

import type { Findings } from "./findings.js";
import { decodeName } from "./name-text.js";

const longestName = 65_536;
const firstLook = 256;

/**
 * NUL-terminated names of one table. The same offset is decoded once, and all names together may not hold more bytes
 * than four times the file plus 1 MiB: overlapping names of a hostile table cannot multiply its size.
 */
export class StringPool {
  readonly #reader: ByteReader;
  readonly #kept = new Map<number, string>();
  readonly #limit: number;
  #used = 0;
  #refused = 0;

  constructor(reader: ByteReader) {
    this.#reader = reader;
    this.#limit = reader.size * 4 + (1 << 20);
  }

  /**
   * The name at `offset`, ending before `end` (exclusive; default end of data) or after 64 KiB at the latest. Throws the
   * range error when `offset` is outside the data. Empty once the budget is used up.
   */
  at(offset: number, end = this.#reader.size): string {
    const kept = this.#kept.get(offset);
    if (kept !== undefined) return kept;
    checkRange(offset, 0, this.#reader.size);
    if (this.#used >= this.#limit) {
      this.#refused += 1;
      return "";
    }
    const bytes = this.#bytes(offset, Math.min(end, this.#reader.size) - offset);
    this.#used += bytes.byteLength;
    const name = decodeName(bytes);
    this.#kept.set(offset, name);
    return name;
  }

  /** Reports what the budget left out so far. */
  report(findings: Findings, scope: string): void {
    if (this.#refused > 0) findings.limited(scope, "limit_total_bytes", this.#refused, this.#limit);
  }

  #bytes(offset: number, available: number): Uint8Array {
    const short = this.#reader.cstring(offset, Math.max(0, Math.min(firstLook, available)));
    if (short.terminated || available <= firstLook) return short.bytes;
    return this.#reader.cstring(offset, Math.min(longestName, available)).bytes;
  }
}

/** A fixed-size name field: up to the first NUL or its end. */
export function fixedName(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decodeName(end < 0 ? bytes : bytes.subarray(0, end));
}
