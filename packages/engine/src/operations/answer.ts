import type { Address, Confidence, EvidenceLocation, JsonObject } from "@rea/core";
import { formatAddress } from "@rea/core";

/** What an operation found, before it crosses to the main thread. */
export interface Answer<T> {
  readonly result: T;
  readonly confidence: Confidence;
  readonly limitations: readonly string[];
  readonly locations: readonly EvidenceLocation[];
  /** Values that stood in for inputs the caller left out. */
  readonly resolved: JsonObject;
  /** Where the cursor stands from now on; undefined when it did not move. */
  readonly cursor: Address | undefined;
}

interface AnswerParts {
  readonly confidence?: Confidence;
  readonly limitations?: readonly string[];
  readonly at?: Address;
  readonly resolved?: JsonObject;
  readonly cursor?: Address;
}

/** An answer with the usual parts defaulted: `observed`, no limitations, no location. `at` becomes the one location. */
export function answer<T>(result: T, parts: AnswerParts = {}): Answer<T> {
  return {
    result,
    confidence: parts.confidence ?? "observed",
    limitations: [...new Set(parts.limitations ?? [])],
    locations: parts.at === undefined ? [] : [{ kind: "address", address: formatAddress(parts.at) }],
    resolved: parts.resolved ?? {},
    cursor: parts.cursor,
  };
}
