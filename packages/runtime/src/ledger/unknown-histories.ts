import { canonicalJson, evidenceFacts, ReaError, sortedSet, unknownSortKey, type Evidence, type UnknownRevision } from "@rea/core";

/** Every revision of the unknowns of a session, and which records reported them. */
export class UnknownHistories {
  readonly #revisions = new Map<string, UnknownRevision>();
  readonly #latest = new Map<string, UnknownRevision>();
  /** Ids of mutation records by the digest of the revision that they report. */
  readonly #mutations = new Map<string, string>();
  #bytes = 0;

  get count(): number {
    return this.#revisions.size;
  }

  /** Canonical bytes of all revisions. */
  get bytes(): number {
    return this.#bytes;
  }

  has(revision: UnknownRevision): boolean {
    return this.#revisions.has(unknownSortKey(revision));
  }

  /** The revision of the same number of the same unknown. */
  same(revision: UnknownRevision): UnknownRevision | undefined {
    return this.#revisions.get(unknownSortKey(revision));
  }

  /** Sorted by id, then number. */
  all(): UnknownRevision[] {
    return sortedSet(this.#revisions.keys()).flatMap((key) => this.#revisions.get(key) ?? []);
  }

  /** Sorted by id. */
  latest(): UnknownRevision[] {
    return sortedSet(this.#latest.keys()).flatMap((id) => this.#latest.get(id) ?? []);
  }

  latestOf(unknownId: string): UnknownRevision | undefined {
    return this.#latest.get(unknownId);
  }

  /** Throws `revision_conflict` when a revision neither is there already nor follows the latest. */
  requireNext(revision: UnknownRevision): void {
    const latest = this.#latest.get(revision.unknown_id)?.revision ?? 0;
    const there = this.same(revision);
    const expected = revision.revision - 1;
    if (there === undefined ? latest === expected : there.revision_digest === revision.revision_digest) return;
    throw revisionConflict(expected, latest);
  }

  put(revision: UnknownRevision): void {
    if (this.has(revision)) return;
    this.#revisions.set(unknownSortKey(revision), revision);
    this.#bytes += Buffer.byteLength(canonicalJson(revision));
    const before = this.#latest.get(revision.unknown_id);
    if (before === undefined || before.revision < revision.revision) this.#latest.set(revision.unknown_id, revision);
  }

  /** Remembers which revision a record reports, when it reports one; the first record of a revision counts. */
  reported(record: Evidence): void {
    const { mutationOf } = evidenceFacts(record);
    if (mutationOf !== null && !this.#mutations.has(mutationOf)) this.#mutations.set(mutationOf, record.evidence_id);
  }

  mutationOf({ revision_digest }: UnknownRevision): string | undefined {
    return this.#mutations.get(revision_digest);
  }

  adoptMutations(other: UnknownHistories): void {
    for (const [digest, id] of other.#mutations) if (!this.#mutations.has(digest)) this.#mutations.set(digest, id);
  }

  clear(): void {
    this.#revisions.clear();
    this.#latest.clear();
    this.#mutations.clear();
    this.#bytes = 0;
  }
}

/** The caller's state starts from a revision that is not the latest. */
export function revisionConflict(expected: number, actual: number): ReaError<"revision_conflict"> {
  return new ReaError("revision_conflict", {
    message: `The unknown is at revision ${String(actual)}, not ${String(expected)}. Read it again and update from there.`,
    details: { expected, actual },
  });
}
