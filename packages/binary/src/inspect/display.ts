import { formatAddress, omission, truncateCodePoints, type Omission } from "@rea/core";
import { escapeName } from "../name-text.js";
import type { BinaryImage, FileRange } from "../image.js";

const textLimit = 1024;

/** Puts model values into the shapes of results and remembers what had to be cut on the way. */
export class Display {
  readonly #sourceOffset: number;
  #cut = 0;

  constructor(image: BinaryImage) {
    this.#sourceOffset = image.sourceOffset;
  }

  /** Untrusted text: cut at 1,024 code points, then escaped. */
  text(value: string): string {
    const { text, truncated } = truncateCodePoints(value, textLimit);
    if (truncated) this.#cut += 1;
    return escapeName(text);
  }

  optionalText(value: string | undefined): string | null {
    return value === undefined ? null : this.text(value);
  }

  address(value: bigint | undefined): string | null {
    return value === undefined ? null : formatAddress(value);
  }

  /** Offsets count from the start of the file on disk, also for a slice. */
  range(file: FileRange | undefined): { readonly file_offset: number | null; readonly size: number | null } {
    return file === undefined ? { file_offset: null, size: null } : { file_offset: this.offset(file.offset), size: file.size };
  }

  offset(value: number): number {
    return this.#sourceOffset + value;
  }

  /** Omissions with their own text made safe, and one for texts that were cut since the last call. */
  omissions(found: readonly Omission[], scope: string): Omission[] {
    const cut = this.#cut;
    this.#cut = 0;
    if (cut === 0) return [...found];
    const more = { count: cut, limit: textLimit, how_to_continue: "Read the bytes at the item's file offset." };
    return [...found, omission(`${scope} texts`, "limit_entry_bytes", more)];
  }
}

/** Sizes beyond the safe integers, which no file or memory has, become the largest one. */
export function countOf(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}

/** The first `limit` items, and an omission for the rest. */
export function bounded<T>(
  items: readonly T[],
  limit: number,
  scope: string,
): { readonly items: readonly T[]; readonly omissions: readonly Omission[] } {
  if (items.length <= limit) return { items, omissions: [] };
  const rest = { count: items.length - limit, limit, how_to_continue: "Use the library, which lists all of them." };
  return { items: items.slice(0, limit), omissions: [omission(scope, "limit_items", rest)] };
}
