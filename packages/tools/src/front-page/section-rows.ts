import type { Inspection } from "./inspection.js";

/** One section (or segment, in files without sections) as a row. */
export interface SectionRow {
  readonly name: string;
  readonly address: string | null;
  /** Bytes in memory. */
  readonly size: number;
  readonly entropy_millibits: number | null;
  /** A remark on the entropy, or null. */
  readonly remark: string | null;
}

const maximumRows = 40;
// Compiled code stays near 6 bits a byte, text below 5; compressed and encrypted bytes come close to 8.
const packedMillibits = 7200;
const enoughBytes = 4096;

/** In file order; at most 40. */
export function sectionRows({ sections, segments }: Inspection): SectionRow[] {
  const ranges = sections !== undefined && sections.items.length > 0 ? sections.items : (segments?.items ?? []);
  return ranges.slice(0, maximumRows).map((range) => ({
    name: range.name,
    address: range.address,
    size: range.virtual_size,
    entropy_millibits: range.entropy_millibits,
    remark: remarkOn(range.entropy_millibits, range.size),
  }));
}

function remarkOn(entropy: number | null, bytes: number | null): string | null {
  if (entropy === null || bytes === null || bytes < enoughBytes || entropy < packedMillibits) return null;
  return "compressed or encrypted bytes";
}
