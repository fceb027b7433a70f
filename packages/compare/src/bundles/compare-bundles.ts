import {
  canonicalSha256,
  compareCodePoints,
  pageOf,
  ReaError,
  type BundleChange,
  type BundleComparison,
  type UnknownRevision,
} from "@rea/core";

/** One record of a bundle, as far as a comparison needs it. */
export interface BundledRecord {
  readonly evidence_id: string;
  readonly operation: string;
  readonly subject_sha256: string | null;
  /** Digest of each top-level part that can differ between two records. */
  readonly parts: { readonly [part: string]: string };
}

/** What was read of a bundle. */
export interface BundleContents {
  readonly sha256: string;
  readonly records: ReadonlyMap<string, BundledRecord>;
  readonly unknowns: readonly UnknownRevision[];
  /** Ids that records link to but the bundle does not hold. */
  readonly unresolved: number;
}

export interface BundlePairing {
  readonly left_evidence_id: string;
  readonly right_evidence_id: string;
}

interface Request {
  readonly pairs: readonly BundlePairing[];
  readonly offset: number;
  readonly limit: number;
}

/**
 * Compares two bundles. Records pair by equal id, or as the caller pairs them; nothing is matched by likeness. Throws
 * `invalid_request` for a pair that names a record which a bundle does not hold, or names one twice.
 */
export function compareBundles(left: BundleContents, right: BundleContents, request: Request): BundleComparison {
  const partners = partnersOf(left, right, request.pairs);
  const records = recordChanges(left, right, partners);
  const unknowns = unknownChanges(left.unknowns, right.unknowns);
  const changes = [...records.changes, ...unknowns].sort((a, b) => compareCodePoints(sortKey(a), sortKey(b)));
  const count = (what: BundleChange["what"], state: BundleChange["state"]): number => changes.filter((one) => one.what === what && one.state === state).length;
  return {
    status: changes.length > 0 ? "changed" : "unchanged",
    left_bundle_sha256: left.sha256,
    right_bundle_sha256: right.sha256,
    summary: {
      records_added: count("record", "added"),
      records_removed: count("record", "removed"),
      records_changed: count("record", "changed"),
      records_unchanged: records.unchanged,
      unknowns_added: count("unknown", "added"),
      unknowns_removed: count("unknown", "removed"),
      unknowns_changed: count("unknown", "changed"),
      unresolved: left.unresolved + right.unresolved,
    },
    changes: pageOf(changes, request, (change) => change),
    limitations: ["Records pair by equal id or as the request pairs them; others count as added and removed."],
  };
}

function partnersOf(left: BundleContents, right: BundleContents, pairs: readonly BundlePairing[]): ReadonlyMap<string, string> {
  const partners = new Map<string, string>();
  const taken = new Set<string>();
  pairs.forEach(({ left_evidence_id: from, right_evidence_id: to }, index) => {
    requirePair(left.records.has(from) && !partners.has(from), `record_pairs.${String(index)}.left_evidence_id`);
    requirePair(right.records.has(to) && !taken.has(to), `record_pairs.${String(index)}.right_evidence_id`);
    partners.set(from, to);
    taken.add(to);
  });
  for (const id of left.records.keys()) {
    if (!partners.has(id) && right.records.has(id) && !taken.has(id)) partners.set(id, id);
  }
  return partners;
}

function requirePair(holds: boolean, path: string): void {
  if (holds) return;
  throw new ReaError("invalid_request", {
    message: `${path} must name a record of its bundle that no other pair names.`,
    details: { operation: "compare_bundles", issues: [{ path, reason: "invalid_value", expected: "an id of a record of that bundle, once" }] },
  });
}

function recordChanges(left: BundleContents, right: BundleContents, partners: ReadonlyMap<string, string>): { readonly changes: BundleChange[]; readonly unchanged: number } {
  const changes: BundleChange[] = [];
  const paired = new Set(partners.values());
  let unchanged = 0;
  for (const [id, before] of left.records) {
    const after = right.records.get(partners.get(id) ?? "");
    if (after === undefined) {
      changes.push({ what: "record", state: "removed", left: recordSide(before), right: null, parts: [] });
      continue;
    }
    const parts = differentParts(before, after);
    if (parts.length === 0) unchanged += 1;
    else changes.push({ what: "record", state: "changed", left: recordSide(before), right: recordSide(after), parts });
  }
  for (const [id, after] of right.records) {
    if (!paired.has(id)) changes.push({ what: "record", state: "added", left: null, right: recordSide(after), parts: [] });
  }
  return { changes, unchanged };
}

function differentParts(before: BundledRecord, after: BundledRecord): string[] {
  const names = new Set([...Object.keys(before.parts), ...Object.keys(after.parts)]);
  return [...names].filter((name) => before.parts[name] !== after.parts[name]).sort(compareCodePoints);
}

function unknownChanges(left: readonly UnknownRevision[], right: readonly UnknownRevision[]): BundleChange[] {
  const [before, after] = [latest(left), latest(right)];
  const ids = new Set([...before.keys(), ...after.keys()]);
  return [...ids].flatMap((id): BundleChange[] => {
    const [was, is] = [before.get(id), after.get(id)];
    if (was?.revision_digest === is?.revision_digest) return [];
    const state = was === undefined ? "added" : is === undefined ? "removed" : "changed";
    const parts = was === undefined || is === undefined ? [] : unknownParts(was, is);
    return [{ what: "unknown", state, left: unknownSide(was), right: unknownSide(is), parts }];
  });
}

function latest(revisions: readonly UnknownRevision[]): Map<string, UnknownRevision> {
  const found = new Map<string, UnknownRevision>();
  for (const revision of revisions) {
    if ((found.get(revision.unknown_id)?.revision ?? 0) < revision.revision) found.set(revision.unknown_id, revision);
  }
  return found;
}

function unknownParts(before: UnknownRevision, after: UnknownRevision): string[] {
  const others = new Map(Object.entries(after));
  return Object.entries(before)
    .filter(([key, value]) => !key.endsWith("_digest") && canonicalSha256(value) !== canonicalSha256(others.get(key)))
    .map(([key]) => key);
}

function recordSide({ evidence_id, operation, subject_sha256 }: BundledRecord): BundleChange["left"] {
  return { evidence_id, operation, subject_sha256 };
}

function unknownSide(revision: UnknownRevision | undefined): BundleChange["left"] {
  if (revision === undefined) return null;
  const { unknown_id, revision: number, status, revision_digest } = revision;
  return { unknown_id, revision: number, status, revision_digest };
}

/** The same from both sides, so that swapping the bundles keeps the order. */
function sortKey({ what, left, right }: BundleChange): string {
  const idOf = (side: BundleChange["left"]): string => (side === null ? "" : "evidence_id" in side ? side.evidence_id : side.unknown_id);
  return `${what} ${[idOf(left), idOf(right)].filter((id) => id !== "").sort().join(" ")}`;
}
