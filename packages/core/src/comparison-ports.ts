import type { Page } from "./page.js";
import type { Execution, OperationContext } from "./execution.js";
import type { BinaryComparison } from "./operations/binary-comparison.js";
import type { BundleComparison } from "./operations/bundle-comparison.js";
import type { ProviderComparison } from "./operations/provider-comparison.js";
import type { UnknownRevision, UnknownState } from "./unknown-revision.js";

/** Two programs at once, beside the session's target. */
export interface BinariesPort {
  /**
   * Analyses two executables with the embedded engine and compares them whole; the session's binding stays as it is. Throws
   * `target_unavailable`, `capability_unavailable` for what the engine does not analyse, `cancelled`.
   */
  compare(
    input: {
      readonly left: string;
      readonly right: string;
      readonly architecture?: string | undefined;
      readonly names: boolean;
      readonly offset: number;
      readonly limit: number;
    },
    context: OperationContext,
  ): Promise<Execution<BinaryComparison> & { readonly digests: { readonly left: string; readonly right: string } }>;
}

/** Several deep providers on one program, beside the session's binding. */
export interface ProvidersPort {
  /**
   * Analyses the program at `path`, or the open one, with each provider and compares what they say. A provider that cannot be
   * asked is an answer, with its reason. Throws `capability_unavailable` for an id that is not registered,
   * `target_unavailable`, `cancelled`, and `cleanup_incomplete` when an engine left something behind.
   */
  compare(
    input: { readonly path?: string | undefined; readonly providers: readonly string[]; readonly offset: number; readonly limit: number },
    context: OperationContext,
  ): Promise<Execution<ProviderComparison>>;
}

/** Work on bundle files beside the session's own ledger. */
export interface BundlesPort {
  /**
   * Compares two bundle files, which are checked as on import and not imported. Throws `target_unavailable`,
   * `evidence_integrity_mismatch`, `truncated`, `invalid_request` for a pair that a bundle does not hold.
   */
  compare(
    input: {
      readonly left_bundle_path: string;
      readonly right_bundle_path: string;
      readonly record_pairs: readonly { readonly left_evidence_id: string; readonly right_evidence_id: string }[];
      readonly offset: number;
      readonly limit: number;
    },
    context: OperationContext,
  ): Promise<Execution<BundleComparison>>;
}

/** What a page of unknowns is chosen by. */
export interface UnknownFilter {
  readonly status?: UnknownState["status"] | undefined;
  readonly severity?: UnknownState["severity"] | undefined;
  readonly domain?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Questions that the work on the target has not settled; each change is a record and a revision, both or neither. */
export interface UnknownsPort {
  /** Latest revisions of all, by id. */
  latest(): readonly UnknownRevision[];
  /** Latest revisions, by id. */
  list(filter: UnknownFilter): Page<UnknownRevision>;
  /**
   * Asks a question about the active target, or about none. The same question again changes nothing and gives its latest
   * revision. Throws `evidence_integrity_mismatch` for records and unknowns that are not retained.
   */
  record(
    input: { readonly domain: string; readonly question: string; readonly state: UnknownState },
    context: OperationContext,
  ): Promise<Execution<{ readonly unknown: UnknownRevision; readonly created: boolean }>>;
  /**
   * Gives an unknown a new state. Throws `revision_conflict`, `evidence_integrity_mismatch` (`missing`, `unknown_graph`).
   */
  update(
    input: { readonly unknown_id: string; readonly expected_revision: number; readonly state: UnknownState },
    context: OperationContext,
  ): Promise<Execution<{ readonly unknown: UnknownRevision }>>;
  /** The latest revision, and whether its resolution holds on the records retained now. */
  verify(unknownId: string): { readonly unknown: UnknownRevision; readonly valid: boolean; readonly truth_verified: boolean };
}
