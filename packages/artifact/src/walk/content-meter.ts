import { createHash, type Hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { emptySha256, isReaError, sha256Hex, type ByteSource } from "@rea/core";
import type { DeclaredCheck } from "../format.js";
import { covers, type Fetched } from "../reading/fetched.js";
import { BlockDigests } from "./block-digests.js";
import { PartDigest } from "./part-digest.js";
import type { FailedCheck } from "./failed-check.js";
import type { Budget } from "./budget.js";
import type { Turns } from "./turns.js";

/** Output below this is read whatever was compressed into how little. */
const ratioFloorBytes = 1024 * 1024;

const none: readonly never[] = [];

export type StopReason = "entry_bytes" | "total_bytes" | "ratio";

/** Thrown through the readers of a content whose reading a bound has ended. */
export class BoundReached extends Error {}

export interface MeterOptions {
  readonly checks: readonly DeclaredCheck[];
  readonly budget: Budget;
  readonly turns: Turns;
  /** True when declarations may follow behind the data. */
  readonly lateChecks: boolean;
  /** Bytes that went in so far; undefined for contents that are not compressed. */
  readonly inputBytes: (() => number) | undefined;
  /** False for the root, which no bound on members concerns. */
  readonly bounded: boolean;
}

/** Measures a content while it passes: digest, size, declared checks, bounds. */
export class ContentMeter {
  readonly #options: MeterOptions;
  /** Made with the first piece that passes. */
  #sha256: Hash | undefined;
  /** The digest of a content that was at hand whole. */
  #wholeSha256: string | undefined;
  /** What was measured ahead. */
  #fetched: Fetched | undefined;
  readonly #digests = new Map<string, Hash>();
  readonly #blocks: readonly BlockDigests[];
  readonly #parts: readonly PartDigest[];
  #crc: number | undefined;
  #bytes = 0;
  #stopped: StopReason | undefined;
  #broken: string | undefined;

  constructor(options: MeterOptions) {
    this.#options = options;
    let blocks: BlockDigests[] | undefined;
    let parts: PartDigest[] | undefined;
    if (options.lateChecks) this.#crc = 0;
    for (const check of options.checks) {
      if (check.kind === "digest" && check.algorithm !== "sha256") this.#digests.set(check.algorithm, createHash(check.algorithm));
      else if (check.kind === "blocks") (blocks ??= []).push(new BlockDigests(check));
      else if (check.kind === "part") (parts ??= []).push(new PartDigest(check));
      else if (check.kind === "crc32") this.#crc = 0;
    }
    this.#blocks = blocks ?? none;
    this.#parts = parts ?? none;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Which bound ended the reading, if one did. */
  get stopped(): StopReason | undefined {
    return this.#stopped;
  }

  /** How the data broke off, if it did. */
  get broken(): string | undefined {
    return this.#broken;
  }

  /**
   * Passes the pieces on; ends early where the data breaks. At a bound it throws, so that a reader that lives on the
   * pieces does not call the data cut short.
   */
  async *through(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for await (const piece of pieces) {
        if (this.#options.turns.due()) await this.#options.turns.take();
        this.#stopped = this.#boundHitBy(piece.byteLength);
        const passed = this.#stopped === undefined ? piece : piece.subarray(0, this.#room());
        if (passed.byteLength > 0) {
          this.#measure(passed);
          yield passed;
        }
        if (this.#stopped !== undefined) throw new BoundReached();
      }
    } catch (error) {
      if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
      this.#broken = error.message;
    }
  }

  /** The first bytes of a source, not measured; empty where the source cannot give them, which breaks the content. */
  head(source: ByteSource, length: number): Uint8Array {
    try {
      return source.read(0, Math.min(length, source.size));
    } catch (error) {
      if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
      this.#broken = error.message;
      return new Uint8Array(0);
    }
  }

  /** Measures a content that is at hand whole, as far as it was not before. False when a bound forbids it. */
  whole(content: Uint8Array, fetched?: Fetched): boolean {
    this.#stopped = this.#boundHitBy(content.byteLength);
    if (this.#stopped !== undefined) return false;
    const sha256 = fetched?.sha256 ?? sha256Hex(content);
    this.#wholeSha256 = sha256;
    this.#count(content.byteLength);
    if (this.#crc !== undefined) this.#crc = fetched?.crc32 ?? crc32(content, this.#crc);
    for (const hash of this.#digests.values()) hash.update(content);
    for (const blocks of this.#blocks) if (!blocks.takeOnly(content.byteLength, sha256)) blocks.update(content);
    for (const part of this.#parts) part.update(content);
    return true;
  }

  /** Takes over what was measured ahead. False when that is not all, or a bound forbids it: the content is to be read then. */
  adopt(fetched: Fetched): boolean {
    const { lateChecks, checks } = this.#options;
    if (lateChecks || !covers(fetched, checks) || this.#boundHitBy(fetched.bytes) !== undefined) return false;
    this.#fetched = fetched;
    this.#wholeSha256 = fetched.sha256;
    this.#count(fetched.bytes);
    if (this.#crc !== undefined) this.#crc = fetched.crc32;
    return true;
  }

  /** The content was another at the end of the reading than at its start. */
  noteChange(): void {
    this.#broken ??= "The content changed while it was read.";
  }

  /** SHA-256 of everything that passed. Ends the measuring. */
  digest(): string {
    return this.#wholeSha256 ?? this.#sha256?.digest("hex") ?? emptySha256;
  }

  /** Declarations the content disproves, to be asked after everything has passed. */
  failedChecks(late: readonly DeclaredCheck[], sha256: string): readonly FailedCheck[] {
    const digests = this.#fetched === undefined ? this.#ownDigests() : new Map<string, string>(this.#fetched.digests);
    digests.set("sha256", sha256);
    const failed: FailedCheck[] = [];
    const compare = (check: DeclaredCheck): void => {
      const observed = this.#observed(check, digests);
      if (observed !== undefined) failed.push({ check, observed });
    };
    this.#options.checks.forEach(compare);
    late.forEach(compare);
    for (const blocks of this.#fetched === undefined ? this.#blocks : none) failed.push(...blocks.finish());
    for (const [check, observed] of this.#fetched?.blocks ?? none) if (observed !== undefined) failed.push({ check, observed });
    for (const part of this.#parts) failed.push(...part.finish());
    return failed;
  }

  #ownDigests(): Map<string, string> {
    const digests = new Map<string, string>();
    for (const [name, hash] of this.#digests) digests.set(name, hash.digest("hex"));
    return digests;
  }

  /** What was seen instead of the declared value; undefined when it holds. */
  #observed(check: DeclaredCheck, digests: ReadonlyMap<string, string>): string | undefined {
    switch (check.kind) {
      case "size":
        return check.bytes === this.#bytes ? undefined : String(this.#bytes);
      case "crc32":
        return check.value === this.#crc ? undefined : (this.#crc ?? 0).toString(16).padStart(8, "0");
      case "digest": {
        const seen = digests.get(check.algorithm);
        return seen === undefined || seen === check.hex.toLowerCase() ? undefined : seen;
      }
      case "measured": {
        const seen = check.observed();
        return seen === check.hex.toLowerCase() ? undefined : seen;
      }
      case "blocks":
      case "part":
        return undefined;
    }
  }

  #measure(piece: Uint8Array): void {
    this.#sha256 ??= createHash("sha256");
    this.#sha256.update(piece);
    this.#measureRest(piece);
  }

  /** Everything but the digest that every content has. */
  #measureRest(piece: Uint8Array): void {
    this.#count(piece.byteLength);
    if (this.#crc !== undefined) this.#crc = crc32(piece, this.#crc);
    for (const hash of this.#digests.values()) hash.update(piece);
    for (const blocks of this.#blocks) blocks.update(piece);
    for (const part of this.#parts) part.update(piece);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#options.budget.spend(bytes, this.#options.bounded);
  }

  /** Bytes that may still pass when a bound stands in the middle of a piece. */
  #room(): number {
    const { budget } = this.#options;
    if (this.#stopped === "ratio") return 0;
    return Math.max(0, Math.min(budget.limits.maxEntryBytes - this.#bytes, budget.bytesLeft));
  }

  #boundHitBy(more: number): StopReason | undefined {
    const { budget, bounded, inputBytes } = this.#options;
    if (!bounded) return undefined;
    const total = this.#bytes + more;
    if (total > budget.limits.maxEntryBytes) return "entry_bytes";
    if (more > budget.bytesLeft) return "total_bytes";
    if (inputBytes === undefined || total <= ratioFloorBytes) return undefined;
    return total > Math.max(1, inputBytes()) * budget.limits.maxCompressionRatio ? "ratio" : undefined;
  }
}
