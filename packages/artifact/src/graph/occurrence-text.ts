import type { Place } from "../walk/place.js";
import { quoted } from "./ids.js";

/** Texts between what differs from place to place, the same for all places with one role. */
interface Role {
  readonly place: Place;
  readonly parts: readonly [start: string, kind: string, checks: string, flags: string, media: string];
}

/** Values that vary, as they stand in the text: ids without their prefixes, "" for null; the path as JSON. */
export interface OccurrenceIds {
  readonly artifact: string;
  readonly occurrence: string;
  readonly parent: string;
  readonly path: string;
}

/**
 * Places as canonical JSON. Most places of a tree share a role with the one before, so that the text of everything but ids,
 * sizes and path is made once.
 */
export class OccurrenceText {
  readonly #roles = new Map<string, Role>();
  #last: Role | undefined;

  of(place: Place, { artifact, occurrence, parent, path }: OccurrenceIds): string {
    const [start, kind, checks, flags, media] = this.#roleOf(place).parts;
    const { compressedBytes, declaredBytes, location, linkTarget, rawName, limitations } = place;
    const content = artifact === "" ? "null" : `"art_${artifact}"`;
    const sizes = `${String(compressedBytes)},"declared_bytes":${String(declaredBytes)}`;
    const link = linkTarget === null ? "null" : quoted(linkTarget);
    const noted = limitations.length === 0 ? "[]" : JSON.stringify(limitations);
    const above = parent === "" ? "null" : `"occ_${parent}"`;
    const name = rawName === null ? "null" : quoted(rawName);
    const stands = location === null ? "null" : `{"length":${String(location.length)},"offset":${String(location.offset)}}`;
    return `${start}${content}${kind}${sizes}${checks}${String(place.duplicateIndex)}${flags}${noted},"link_target":${link},"logical_path":${path}${media}"occ_${occurrence}","parent_occurrence_id":${above},"raw_name":${name},"source_location":${stands}}`;
  }

  #roleOf(place: Place): Role {
    const last = this.#last;
    if (last !== undefined && haveOneRole(last.place, place)) return last;
    const parts = partsOf(place);
    const key = parts.join("");
    const role = this.#roles.get(key) ?? { place, parts };
    this.#roles.set(key, role);
    this.#last = role;
    return role;
  }
}

function haveOneRole(a: Place, b: Place): boolean {
  return (
    a.mediaType === b.mediaType &&
    a.format === b.format &&
    a.kind === b.kind &&
    a.executable === b.executable &&
    a.entryKind === b.entryKind &&
    a.hashStatus === b.hashStatus &&
    a.declaredChecks === b.declaredChecks &&
    a.architecture === b.architecture &&
    a.encrypted === b.encrypted
  );
}

function partsOf(place: Place): Role["parts"] {
  const text = (value: string | null): string => (value === null ? "null" : quoted(value));
  return [
    `{"architecture":${text(place.architecture)},"artifact_format":${quoted(place.format)},"artifact_id":`,
    `,"artifact_kind":${quoted(place.kind)},"compressed_bytes":`,
    `,"declared_checks":${String(place.declaredChecks)},"duplicate_index":`,
    `,"encrypted":${String(place.encrypted)},"entry_kind":${quoted(place.entryKind)},"executable":${String(place.executable)},"hash_status":${quoted(place.hashStatus)},"limitations":`,
    `,"media_type":${text(place.mediaType)},"occurrence_id":`,
  ];
}
