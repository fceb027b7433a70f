/** Settings of the analysis that change its answers; all of them stand in the analysis profile. */

export const stringScan = {
  minimumLength: 4,
  maximumCount: 1_000_000,
  encodings: ["ascii", "utf-16be", "utf-16le", "utf-8"],
} as const;
