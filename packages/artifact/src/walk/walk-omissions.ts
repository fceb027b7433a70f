import { omission, ReaError, type Omission } from "@rea/core";
import type { Unavailable } from "../format.js";
import type { ArtifactLimits } from "../limits.js";
import type { Contradiction } from "./judge.js";

/** One member that a bound stopped. */
export function stopOmission(reason: "entry_bytes" | "ratio", limits: ArtifactLimits): Omission {
  return reason === "entry_bytes"
    ? omission("Contents larger than the bound on one member.", "limit_entry_bytes", {
        count: 1,
        limit: limits.maxEntryBytes,
        how_to_continue: "Call again with a greater limits.max_entry_bytes.",
      })
    : omission("Contents that grow more than the bound on compression allows.", "limit_ratio", {
        count: 1,
        limit: limits.maxCompressionRatio,
        how_to_continue: "Call again with a greater limits.max_compression_ratio.",
      });
}

const sentences: { readonly [R in Unavailable["reason"]]: readonly [scope: string, next: string] } = {
  encrypted: ["Encrypted members.", "Decrypt the artifact with its own program and inspect the result."],
  unsupported_method: ["Members compressed in a way that is not read.", "Extract them with the program that packed them and inspect the result."],
  missing_companion: ["Members whose bytes lie beside the container and are missing.", "Inspect the container at its place in the application."],
  malformed: ["Contents of damaged members.", "Get an undamaged copy of the artifact."],
  unreadable: ["Members the host refused to read.", "Check their permissions and call again."],
  limit: ["Members that take more memory or decoding than one of them may.", "Extract them with the program that packed them and inspect the result."],
};

/** One member whose content cannot be had. */
export function unavailableOmission(reason: Unavailable["reason"]): Omission {
  const [scope, next] = sentences[reason];
  return omission(scope, reason === "limit" ? "limit_operations" : reason, { count: 1, how_to_continue: next });
}

/** The same thing left out many times is said once, with the sum. */
export function mergedOmissions(omissions: readonly Omission[]): readonly Omission[] {
  const merged = new Map<string, Omission>();
  for (const one of omissions) {
    const key = JSON.stringify([one.scope, one.reason, one.limit, one.how_to_continue]);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, one);
    else merged.set(key, { ...one, count: one.count === null || known.count === null ? null : one.count + known.count });
  }
  return [...merged.values()];
}

/** The refusal of policy `fail`. */
export function integrityMismatch({ place, algorithm, declared, observed, unpacked }: Contradiction): ReaError {
  const cause = unpacked ? " The usual cause is a native file signed or stripped after packing." : "";
  return new ReaError("artifact_integrity_mismatch", {
    message: `A member does not have the ${algorithm} digest that is declared for it.${cause}`,
    details: {
      logical_path: place.logicalPath,
      ...(algorithm === "sha256" ? { declared_sha256: declared, calculated_sha256: observed } : { algorithm, declared, calculated: observed }),
      unpacked,
    },
  });
}
