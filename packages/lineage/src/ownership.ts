/** How it was proved that a process is ours, strongest first (contract: `ownership_proof`). */
export const ownershipProofs = ["pid_namespace", "cgroup", "job_object", "group_and_token", "group_only", "unproven"] as const;
export type OwnershipProof = (typeof ownershipProofs)[number];

/** Why a stronger proof was not used for a run. */
export interface ProofRefusal {
  readonly proof: OwnershipProof;
  readonly reason: string;
}

/** The proof a run stands on, and why not a stronger one. */
export interface Ownership {
  readonly proof: OwnershipProof;
  /** Present exactly with `unproven`. */
  readonly reason?: string;
  /** Strongest first. */
  readonly stronger: readonly ProofRefusal[];
  /** What the proof does not cover, in sentences. */
  readonly limitations: readonly string[];
}

/** How one process was found to belong to a run. */
export type Confirmation =
  /** It is the process we started. */
  | "root"
  /** It is in the run's pid namespace or cgroup. */
  | "container"
  /** It is in a session (or group) that the run made; sessions are left by will and never joined. */
  | "session"
  /** Its parent belongs to the run. */
  | "ancestry"
  /** It carries the run's token. */
  | "token"
  /** It has the run's mark among its limits. */
  | "mark"
  /** It was found in one of these ways before, and is still the same process. */
  | "known";

/** What a cleanup could not release, in the shape of `cleanup_incomplete`. */
export interface ProcessResource {
  readonly kind: "process_group";
  readonly detail: {
    readonly pid: number;
    /** `not_ended`: ours, killed, and still there; the others could not be verified and were not signalled. */
    readonly reason: "environment_unreadable" | "token_mismatch" | "identity_changed" | "not_ended";
  };
}

/** The outcome of ending a run, as results of launching tools carry it. */
export interface CleanupReport {
  /** `unproven`: nothing is known to remain, and nothing proves that. */
  readonly state: "proven" | "unproven" | "incomplete";
  readonly ownership_proof: OwnershipProof;
  readonly ownership_reason?: string;
  /** Sorted by pid. */
  readonly resources: readonly ProcessResource[];
}
