import { formatAddress, weakestConfidence, type Confidence } from "@rea/core";
import type { Program, Reference } from "../program.js";

/** So many cells are named one by one. */
const namedCells = 20;

/** What holds of an answer that rests on these references. */
export interface ReferenceBasis {
  readonly confidence: Confidence;
  readonly limitations: readonly string[];
}

/**
 * `confidence` lowered to inferred, and a sentence that names them, where some of the references are cells of data that only
 * their value makes a pointer.
 */
export function referenceBasis(program: Program, references: Iterable<Reference>, confidence: Confidence): ReferenceBasis {
  const cells = new Set<number>();
  for (const { from, byValue } of references) if (byValue === true) cells.add(from);
  if (cells.size === 0) return { confidence, limitations: [] };
  const sorted = [...cells].sort((a, b) => a - b);
  const named = sorted.slice(0, namedCells).map((rva) => formatAddress(program.toVa(rva)));
  const more = sorted.length - named.length;
  return {
    confidence: weakestConfidence([confidence, "inferred"]),
    limitations: [
      `${String(sorted.length)} of the references come from words of data whose value is the address; no relocation proves that they are pointers: ${named.join(", ")}${more > 0 ? ` and ${String(more)} more` : ""}.`,
    ],
  };
}
