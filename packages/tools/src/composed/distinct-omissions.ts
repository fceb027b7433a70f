import type { Omission } from "@rea/core";

/** Every page repeats the coverage of its list, and lists of one program share theirs: each omission once. */
export function distinctOmissions(omissions: readonly Omission[]): Omission[] {
  return [...new Map(omissions.map((left) => [JSON.stringify(left), left])).values()];
}
