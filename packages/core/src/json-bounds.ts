import { evidenceRefusal } from "./evidence-refusal.js";

/** What one JSON value may cost. Nested containers count as depth, every value as a node, object keys as strings. */
export interface JsonBounds {
  readonly depth: number;
  readonly nodes: number;
  readonly stringBytes: number;
}

/** Bounds of one record, one revision, or one item of a whole. */
export const jsonBounds: JsonBounds = { depth: 64, nodes: 2_000_000, stringBytes: 16 * 1024 * 1024 };

/** Throws `evidence_integrity_mismatch`, reason `bounds`, naming the bound. */
export function refuseBound(bound: keyof JsonBounds, bounds: JsonBounds): never {
  const name = { depth: "depth", nodes: "nodes", stringBytes: "string_bytes" }[bound];
  throw evidenceRefusal("bounds", `The JSON value exceeds the bound ${name} (${String(bounds[bound])}). Send a smaller value.`, {
    constraint: name,
    expected: bounds[bound],
  });
}

declare global {
  // ECMAScript 2024, in every Node that runs this; a regular expression takes several times as long.
  interface String {
    isWellFormed(): boolean;
  }
}

/** Refuses text over the string bound and text that has no UTF-8 form; returns the text. */
export function checkedText(text: string, bounds: JsonBounds): string {
  // A UTF-16 code unit takes at most three bytes of UTF-8, so short text needs no measuring.
  if (text.length * 3 > bounds.stringBytes && Buffer.byteLength(text) > bounds.stringBytes) {
    refuseBound("stringBytes", bounds);
  }
  if (!text.isWellFormed()) {
    throw evidenceRefusal("non_canonical_text", "A JSON string holds half of a surrogate pair.", {
      constraint: "well_formed_text",
    });
  }
  return text;
}

/** Refuses everything but safe integers; -0 becomes 0. */
export function checkedNumber(value: number): number {
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  throw evidenceRefusal("number_out_of_range", "A JSON number is not a safe integer; such numbers travel as decimal strings.", {
    constraint: "safe_integer",
  });
}
