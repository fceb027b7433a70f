import { createHash, type Hash } from "node:crypto";
import type { DeclaredCheck } from "../format.js";
import type { FailedCheck } from "./failed-check.js";

type BlockCheck = Extract<DeclaredCheck, { readonly kind: "blocks" }>;

/** Compares the digests of equal blocks (the last may be shorter) with a declared list while the bytes pass. */
export class BlockDigests {
  readonly #check: BlockCheck;
  readonly #blockBytes: number;
  #hash: Hash | undefined;
  #inBlock = 0;
  #block = 0;
  #wrong: string | undefined;
  #only: string | undefined;

  constructor(check: BlockCheck) {
    this.#check = check;
    this.#blockBytes = Math.max(1, check.blockBytes);
  }

  /** Instead of all updates: the digest of a content that may be one block of it. False when it is not. */
  takeOnly(bytes: number, sha256: string): boolean {
    if (this.#check.algorithm !== "sha256" || bytes === 0 || bytes > this.#blockBytes) return false;
    this.#inBlock = bytes;
    this.#only = sha256;
    return true;
  }

  update(piece: Uint8Array): void {
    for (let at = 0; at < piece.byteLength; ) {
      const part = piece.subarray(at, at + this.#blockBytes - this.#inBlock);
      this.#hash ??= createHash(this.#check.algorithm);
      this.#hash.update(part);
      this.#inBlock += part.byteLength;
      at += part.byteLength;
      if (this.#inBlock === this.#blockBytes) this.#endBlock();
    }
  }

  /** The first block that differs, or the wrong number of blocks. */
  finish(): readonly FailedCheck[] {
    // An empty content has one block of nothing, or none: both are written by packers.
    if (this.#inBlock > 0 || (this.#block === 0 && this.#check.hex.length === 1)) this.#endBlock();
    if (this.#wrong === undefined && this.#block === this.#check.hex.length) return [];
    return [{ check: this.#check, observed: this.#wrong ?? `${String(this.#block)} blocks` }];
  }

  #endBlock(): void {
    const digest = this.#only ?? (this.#hash ?? createHash(this.#check.algorithm)).digest("hex");
    if (digest !== this.#check.hex[this.#block]?.toLowerCase()) this.#wrong ??= digest;
    this.#hash = undefined;
    this.#inBlock = 0;
    this.#block += 1;
  }
}
