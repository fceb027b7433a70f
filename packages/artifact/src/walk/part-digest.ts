import { createHash, type Hash } from "node:crypto";
import type { DeclaredCheck } from "../format.js";
import type { FailedCheck } from "./failed-check.js";

type PartCheck = Extract<DeclaredCheck, { readonly kind: "part" }>;

/** Compares the digest of a part of the content, which the first bytes tell, while the bytes pass. */
export class PartDigest {
  readonly #check: PartCheck;
  readonly #hash: Hash;
  #head = Buffer.alloc(0);
  #part: { readonly offset: number; readonly length: number } | undefined;
  #at = 0;
  #taken = 0;

  constructor(check: PartCheck) {
    this.#check = check;
    this.#hash = createHash(check.algorithm);
  }

  update(piece: Uint8Array): void {
    const { headBytes, part } = this.#check;
    let rest = piece;
    if (this.#part === undefined) {
      const missing = headBytes - this.#head.byteLength;
      if (missing > 0) this.#head = Buffer.concat([this.#head, piece.subarray(0, missing)]);
      if (this.#head.byteLength < headBytes) return;
      this.#part = part(this.#head) ?? { offset: 0, length: -1 };
      this.#take(this.#head);
      rest = piece.subarray(Math.max(0, missing));
    }
    this.#take(rest);
  }

  #take(piece: Uint8Array): void {
    const { offset, length } = this.#part ?? { offset: 0, length: 0 };
    const wanted = piece.subarray(Math.max(0, offset - this.#at), Math.max(0, offset + length - this.#at));
    this.#hash.update(wanted);
    this.#taken += wanted.byteLength;
    this.#at += piece.byteLength;
  }

  /** The digest when it is another, or that the part is not there. */
  finish(): readonly FailedCheck[] {
    if (this.#part === undefined || this.#part.length < 0 || this.#taken < this.#part.length) return [{ check: this.#check, observed: "the content has no such header" }];
    const observed = this.#hash.digest("hex");
    return observed === this.#check.hex.toLowerCase() ? [] : [{ check: this.#check, observed }];
  }
}
