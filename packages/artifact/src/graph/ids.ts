import { createHash } from "node:crypto";
import { canonicalSha256, sha256Hex } from "@rea/core";
import type { EntryKind } from "../format.js";
import type { Place } from "../walk/place.js";
import { artifactDigitsOf } from "./artifact-digits.js";
import { pacedSort, type Pace } from "../walk/paced-sort.js";

/** Id of a content: over its SHA-256 alone. */
export function artifactId(sha256: string): string {
  return `art_${artifactDigitsOf(sha256)}`;
}

/** Digits of the id of a place's content, computed once. Of a place with a digest only. */
export function artifactDigits(place: Pick<Place, "sha256" | "artifactDigits">): string {
  place.artifactDigits ??= artifactDigitsOf(place.sha256 ?? "");
  return place.artifactDigits;
}

export interface OccurrenceKey {
  readonly root_artifact_id: string | null;
  readonly parent_occurrence_id: string | null;
  /** The logical path as JSON. */
  readonly path: string;
  readonly duplicate_index: number;
  readonly entry_kind: EntryKind;
}

const idText = (id: string | null) => (id === null ? "null" : `"${id}"`);
/** Printable ASCII without quotes and backslashes stands in JSON as it is. */
const plain = /^[ !#-[\]-~]*$/u;

/** A text as JSON, in canonical form. */
export function quoted(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

/**
 * Digits of the id of a place. Written out in canonical form by hand (the same digest as of `canonicalJson`), because large
 * trees make a hundred thousand of them.
 */
export function occurrenceDigits(key: OccurrenceKey): string {
  return sha256Hex(
    `{"duplicate_index":${String(key.duplicate_index)},"entry_kind":"${key.entry_kind}",` +
      `"logical_path":${key.path},"parent_occurrence_id":${idText(key.parent_occurrence_id)},` +
      `"root_artifact_id":${idText(key.root_artifact_id)}}`,
  );
}

export interface EdgeKey {
  readonly parent_artifact_id: string;
  readonly child_artifact_id: string;
  readonly relation: string;
  readonly occurrence_id: string;
}

/** Digits of the id of an edge; its position among its siblings takes no part. */
export function edgeDigits(key: EdgeKey): string {
  return sha256Hex(
    `{"child_artifact_id":"${key.child_artifact_id}","occurrence_id":"${key.occurrence_id}",` +
      `"parent_artifact_id":"${key.parent_artifact_id}","relation":"${key.relation}"}`,
  );
}

export interface ContradictionKey {
  readonly occurrence_id: string;
  readonly declared_sha256: string;
  readonly observed_sha256: string;
}

export function contradictionId(key: ContradictionKey): string {
  return `ic_${canonicalSha256({ ...key })}`;
}

export interface DirectoryChild {
  readonly name: string;
  readonly artifact_id: string;
  readonly entry_kind: EntryKind;
}

const childrenAtOnce = 1024;

/** Digest of a directory: over its children, sorted by name (UTF-16 code units), then by id. */
export async function directoryDigest(children: readonly DirectoryChild[], pace: Pace): Promise<string> {
  const sorted = await pacedSort(children, (a, b) => order(a.name, b.name) || order(a.artifact_id, b.artifact_id), pace);
  const hash = createHash("sha256").update("[");
  for (let at = 0; at < sorted.length; at += childrenAtOnce) {
    if (pace.due()) await pace.take();
    const items = sorted
      .slice(at, at + childrenAtOnce)
      .map(({ name, artifact_id, entry_kind }) => `{"artifact_id":"${artifact_id}","entry_kind":"${entry_kind}","name":${JSON.stringify(name)}}`);
    hash.update(`${at === 0 ? "" : ","}${items.join(",")}`);
  }
  return hash.update("]").digest("hex");
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
