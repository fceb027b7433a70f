import type { Signature } from "../ssa/graph.js";

/** How a result in several registers is written: `rea.h` has a structure that the convention returns so. */
export interface ResultRecord {
  readonly type: string;
  /** The structure with these bits, and the bits of one, as calls of `rea.h`. */
  of(bits: string): string;
  bitsOf(record: string): string;
}

/** The structure that a function returns; undefined where the result is one number or none. */
export function resultRecord({ shape }: Signature): ResultRecord | undefined {
  const name = shape?.record;
  if (name === undefined) return undefined;
  return { type: `rea_${name}`, of: (bits) => `rea_to_${name}(${bits})`, bitsOf: (record) => `rea_from_${name}(${record})` };
}
