import type { AnalysisProfile } from "./analysis-profile.js";
import type { WholeKind } from "./bundle-schema.js";
import type { Confidence, Environment, EvidenceLocation, ProviderIdentity, Subject } from "./evidence.js";
import type { JsonObject, JsonValue } from "./json.js";
import type { ProgressReporter } from "./progress.js";
import type { UnknownRevision } from "./unknown-revision.js";

/** What every admitted call carries; both are passed all the way down. */
export interface OperationContext {
  readonly signal: AbortSignal;
  readonly progress: ProgressReporter;
}

/** An answer together with everything Evidence needs to say about where it came from. */
export interface Execution<R> {
  readonly result: R;
  readonly raw_result: JsonValue | null;
  readonly provider: ProviderIdentity;
  readonly analysis_profile: AnalysisProfile | null;
  readonly subject: Subject | null;
  readonly confidence: Confidence;
  /** Order is meaningful; no duplicates. */
  readonly limitations: readonly string[];
  readonly locations: readonly EvidenceLocation[];
  /**
   * Defaults that only the session knows (document, cursor address, `annotations_sha256`), merged over the parsed
   * input before it enters Evidence.
   */
  readonly resolved_parameters: JsonObject;
  /** Default `rea.analysis/v2`. */
  readonly predicate_type?: string;
  /** Where it was observed; default none. */
  readonly environment?: Environment | null;
  /** What the session keeps whole because the result commits to it by digest. */
  readonly wholes?: readonly RetainedWhole[];
  /** The revision of an unknown that this record reports; added together with the record, or neither is. */
  readonly unknown_revision?: UnknownRevision;
  /**
   * Takes back what the operation left on the host. Called when the answer is not delivered after all (cancelled or
   * refused before its record was written). Throws `cleanup_incomplete` when something is left.
   */
  readonly undo?: () => Promise<void>;
}

/** A result too large for a reply, kept whole under the digest of its canonical JSON. */
export interface RetainedWhole {
  readonly kind: WholeKind;
  readonly sha256: string;
  /** Bytes of the canonical JSON. */
  readonly bytes: number;
  /** The value, or its canonical JSON in UTF-8 where that was written already. */
  readonly content: object | Uint8Array;
}
