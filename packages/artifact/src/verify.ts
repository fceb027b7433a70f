import type { SignatureResult } from "@rea/binary";
import { electronVerdicts, type ElectronVerdict } from "./integrity/electron.js";
import type { ManifestVerdict, PlacedSignature } from "./integrity/verdicts.js";
import type { HashStatus, Inventory } from "./graph/graph.js";
import { walkArtifact, type FinishedWalk, type InventoryOptions } from "./inventory.js";
import { memberPrefix } from "./logical-path.js";
import type { Artifact } from "./open-artifact.js";

/** What is declared of one member, and whether its bytes have it. */
export interface MemberVerdict {
  readonly logical_path: string;
  readonly duplicate_index: number;
  /** `read`: nothing is declared of it, and it was read in full. */
  readonly verdict: "holds" | "broken" | "read" | "not_verified";
  readonly hash_status: HashStatus;
  /** Checks that were run: sizes, checksums and digests. */
  readonly declared_checks: number;
  /** Who declared the digests that do not hold. */
  readonly broken_by: readonly string[];
  readonly sha256: string | null;
}

/** The signatures of one executable. */
export interface ExecutableVerdict {
  readonly logical_path: string;
  readonly verdict: SignatureResult["verdict"];
  readonly problems: readonly string[];
  /** All that `inspect_signature` tells. */
  readonly signature: SignatureResult;
}

export interface Verification {
  /**
   * `broken`: something declared does not hold. `incomplete`: nothing is broken, and not everything could be looked at.
   * `holds`: everything declared holds. `nothing_declared`: there is nothing to verify, and all of it was read.
   */
  readonly verdict: "holds" | "broken" | "incomplete" | "nothing_declared";
  /** Files and slices in path order. */
  readonly members: readonly MemberVerdict[];
  readonly manifests: readonly ManifestVerdict[];
  readonly signatures: readonly PlacedSignature[];
  readonly executables: readonly ExecutableVerdict[];
  readonly electron: readonly ElectronVerdict[];
  /** The inventory that was made on the way: its anomalies and omissions belong to the verdict. */
  readonly inventory: Inventory;
  readonly limitations: readonly string[];
}

/**
 * Reads an artifact in full and says of every member, list of digests and signature whether what is declared holds.
 * Signatures are checked with the keys of the certificates they carry; no certificate chain is built and nobody is
 * trusted. Takes and throws what `inventory` does: under policy `fail`, the default, the first broken digest is thrown
 * as `artifact_integrity_mismatch`; ask for `record-and-continue` to get every verdict.
 */
export async function verify(artifact: Artifact, options: InventoryOptions = {}): Promise<Verification> {
  return verificationOf(await walkArtifact(artifact, { ...options, signatures: true }));
}

function verificationOf(finished: FinishedWalk): Verification {
  const { inventory } = finished;
  const executables = finished.inspected.map(({ place, found }): ExecutableVerdict => ({ logical_path: place.logicalPath, verdict: found.verdict, problems: found.problems, signature: found }));
  const found = { members: memberVerdicts(finished), manifests: inventory.manifests, signatures: inventory.signatures, executables, electron: electronOf(finished) };
  return {
    verdict: overall(found, inventory),
    ...found,
    inventory,
    limitations: ["No certificate chain is built and no trust is evaluated: what holds was not changed since it was declared, whoever declared it."],
  };
}

function memberVerdicts({ inventory, failures }: FinishedWalk): readonly MemberVerdict[] {
  const brokenBy = new Map<string, string[]>();
  for (const { place, declaredBy } of failures) {
    const key = `${place.logicalPath}\0${String(place.duplicateIndex)}`;
    brokenBy.set(key, [...(brokenBy.get(key) ?? []), declaredBy]);
  }
  const digests = new Map(inventory.graph.nodes.map((node) => [node.artifact_id, node.sha256] as const));
  const files = inventory.graph.occurrences.filter(({ entry_kind }) => entry_kind === "file" || entry_kind === "slice" || entry_kind === "volume");
  return files
    .map(({ logical_path, duplicate_index, hash_status, declared_checks, artifact_id }): MemberVerdict => ({
      logical_path,
      duplicate_index,
      verdict: hash_status === "mismatched" ? "broken" : hash_status !== "verified" ? "not_verified" : declared_checks > 0 ? "holds" : "read",
      hash_status,
      declared_checks,
      broken_by: brokenBy.get(`${logical_path}\0${String(duplicate_index)}`) ?? [],
      sha256: artifact_id === null ? null : (digests.get(artifact_id) ?? null),
    }))
    .sort((a, b) => (a.logical_path === b.logical_path ? a.duplicate_index - b.duplicate_index : a.logical_path < b.logical_path ? -1 : 1));
}

function electronOf({ inventory, inspected, failures, manifests }: FinishedWalk): readonly ElectronVerdict[] {
  const isHeader = ({ declaredBy }: FinishedWalk["failures"][number]): boolean => /ElectronAsar/u.test(declaredBy);
  return electronVerdicts({
    occurrences: inventory.graph.occurrences,
    programs: inspected.map(({ place, found }) => ({ path: place.logicalPath, found })),
    declared: new Set(manifests.filter(({ kind }) => kind === "asar-integrity").flatMap(({ container, named }) => named.map((path) => memberPrefix(container.logicalPath) + path))),
    headersBroken: new Set(failures.filter(isHeader).map(({ place }) => place.logicalPath)),
    membersBroken: failures.filter((one) => !isHeader(one)).map(({ place }) => place.logicalPath),
  });
}

function overall(found: Pick<Verification, "members" | "manifests" | "signatures" | "executables" | "electron">, { omissions }: Inventory): Verification["verdict"] {
  const verdicts = [...found.members, ...found.manifests, ...found.signatures, ...found.executables].map(({ verdict }) => verdict);
  if (verdicts.includes("broken") || verdicts.includes("extended") || found.electron.some(({ verdict }) => verdict === "would_refuse")) return "broken";
  if (omissions.length > 0 || found.members.some(({ verdict }) => verdict === "not_verified")) return "incomplete";
  return verdicts.includes("holds") ? "holds" : "nothing_declared";
}
