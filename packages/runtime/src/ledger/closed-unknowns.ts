import { sortedSet, type UnknownRevision } from "@rea/core";

/**
 * The complete histories of unknowns all of whose references stay inside the given records and inside the result,
 * sorted by id, then revision.
 */
export function closedUnknowns(revisions: readonly UnknownRevision[], recordIds: ReadonlySet<string>): UnknownRevision[] {
  const histories = new Map<string, UnknownRevision[]>();
  for (const revision of revisions) {
    histories.set(revision.unknown_id, [...(histories.get(revision.unknown_id) ?? []), revision]);
  }
  // Taking one out may leave another without its relation, so go on until nothing changes.
  for (let before = -1; before !== histories.size; ) {
    before = histories.size;
    for (const [id, history] of [...histories]) {
      if (!history.every((revision) => staysInside(revision, recordIds, histories))) histories.delete(id);
    }
  }
  return sortedSet(histories.keys()).flatMap((id) => (histories.get(id) ?? []).sort((a, b) => a.revision - b.revision));
}

function staysInside(
  revision: UnknownRevision,
  recordIds: ReadonlySet<string>,
  histories: ReadonlyMap<string, unknown>,
): boolean {
  const { resolution } = revision;
  const cited = [
    ...revision.supporting_evidence_ids,
    ...revision.contradicting_evidence_ids,
    ...revision.mutation_evidence_ids,
    ...(resolution?.disposition === "verified" ? resolution.evidence_ids : []),
  ];
  return cited.every((id) => recordIds.has(id)) && revision.relationships.every((link) => histories.has(link.unknown_id));
}
