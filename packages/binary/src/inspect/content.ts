import { createHash } from "node:crypto";
import { omission, type ByteSource, type Omission } from "@rea/core";
import { entropyMillibits } from "../entropy.js";
import type { FileRange } from "../image.js";

export interface ContentFacts {
  readonly sha256: string | null;
  readonly entropy_millibits: number | null;
}

const nothing: ContentFacts = { sha256: null, entropy_millibits: null };
const pieceBytes = 16 * 1024 * 1024;

/**
 * Digest and entropy of file ranges. Each range is read once. All ranges together may hold four times the file plus
 * 64 MiB: headers that name the same bytes again and again do not multiply the work.
 */
export class ContentReader {
  readonly #source: ByteSource;
  readonly #known = new Map<string, ContentFacts>();
  readonly #limit: number;
  #left: number;
  #refused = 0;

  constructor(source: ByteSource) {
    this.#source = source;
    this.#limit = source.size * 4 + 64 * 1024 * 1024;
    this.#left = this.#limit;
  }

  of(file: FileRange | undefined): ContentFacts {
    if (file === undefined || file.size === 0) return nothing;
    const key = `${String(file.offset)}+${String(file.size)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (file.size > this.#left) {
      this.#refused += 1;
      return nothing;
    }
    this.#left -= file.size;
    const facts = { sha256: this.#digest(file), entropy_millibits: entropyMillibits(this.#source, file) };
    this.#known.set(key, facts);
    return facts;
  }

  /** An omission for ranges refused since the last call. */
  omissions(scope: string): readonly Omission[] {
    const count = this.#refused;
    this.#refused = 0;
    if (count === 0) return [];
    const more = { count, limit: this.#limit, how_to_continue: "Hash the file range of the item directly." };
    return [omission(`${scope} digests`, "limit_total_bytes", more)];
  }

  #digest(file: FileRange): string {
    const hash = createHash("sha256");
    for (let at = 0; at < file.size; at += pieceBytes) {
      hash.update(this.#source.read(file.offset + at, Math.min(pieceBytes, file.size - at)));
    }
    return hash.digest("hex");
  }
}
