import { ReaError } from "@rea/core";

/** Bounds shared by one whole recursive walk. */
export interface ArtifactLimits {
  /** Occurrences, the root not counted. */
  readonly maxEntries: number;
  /** Bytes of member contents read, all containers together. */
  readonly maxTotalBytes: number;
  /** Bytes of one member's content. */
  readonly maxEntryBytes: number;
  /** Bytes that come out for each byte that went in. */
  readonly maxCompressionRatio: number;
  /** Containers inside containers; 0 reads the root's members and opens none of them. */
  readonly maxDepth: number;
  /** Bytes of one logical path in UTF-8. */
  readonly maxPathBytes: number;
}

export const defaultLimits: ArtifactLimits = {
  maxEntries: 10_000,
  maxTotalBytes: 1_073_741_824,
  maxEntryBytes: 268_435_456,
  maxCompressionRatio: 1000,
  maxDepth: 20,
  maxPathBytes: 4096,
};

/** Least and greatest value of each bound. */
export const limitRanges: { readonly [K in keyof ArtifactLimits]: readonly [least: number, greatest: number] } = {
  maxEntries: [1, 1_000_000],
  maxTotalBytes: [1, 17_179_869_184],
  maxEntryBytes: [1, 4_294_967_296],
  maxCompressionRatio: [1, 100_000],
  maxDepth: [0, 100],
  maxPathBytes: [1, 65_535],
};

const names = ["maxEntries", "maxTotalBytes", "maxEntryBytes", "maxCompressionRatio", "maxDepth", "maxPathBytes"] as const;

/** The default bounds with the given ones in their place; throws `invalid_request` for one outside its range. */
export function limitsWith(given: Partial<ArtifactLimits> = {}): ArtifactLimits {
  const limits = { ...defaultLimits, ...given };
  const issues = names.flatMap((name) => {
    const [least, greatest] = limitRanges[name];
    const value = limits[name];
    if (Number.isSafeInteger(value) && value >= least && value <= greatest) return [];
    return [{ path: `limits.${name}`, reason: "out_of_range" as const, minimum: least, maximum: greatest }];
  });
  const [first] = issues;
  if (first === undefined) return limits;
  throw new ReaError("invalid_request", {
    message: `${first.path} must be a whole number from ${String(first.minimum)} to ${String(first.maximum)}.`,
    details: { operation: "artifact_limits", issues },
  });
}
