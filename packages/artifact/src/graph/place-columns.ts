import type { Place } from "../walk/place.js";
import type { Pace } from "../walk/paced-sort.js";
import { artifactDigits, occurrenceDigits, quoted } from "./ids.js";

const placesAtOnce = 64;

/** Every place of a finished walk, parents before children, with what its ids are made of, a column each. */
export interface PlaceColumns {
  readonly places: readonly Place[];
  /** Digits of the ids of contents; "" for a place without content. */
  readonly artifacts: readonly string[];
  readonly occurrences: readonly string[];
  /** Logical paths as JSON. */
  readonly paths: readonly string[];
}

/** Puts the places in order, writes into each where it stands, and computes their ids. */
export async function placeColumns(root: Place, pace: Pace): Promise<PlaceColumns> {
  const places = await inOrder(root, pace);
  const artifacts: string[] = [];
  const occurrences: string[] = [];
  const paths: string[] = [];
  const rootId = root.sha256 === undefined ? null : `art_${artifactDigits(root)}`;
  for (const [at, place] of places.entries()) {
    if (at % placesAtOnce === 0 && pace.due()) await pace.take();
    const path = quoted(place.logicalPath);
    const { parent } = place;
    paths.push(path);
    artifacts.push(place.sha256 === undefined ? "" : artifactDigits(place));
    occurrences.push(
      occurrenceDigits({
        root_artifact_id: rootId,
        parent_occurrence_id: parent === undefined ? null : `occ_${occurrences[parent.position] ?? ""}`,
        path,
        duplicate_index: place.duplicateIndex,
        entry_kind: place.entryKind,
      }),
    );
  }
  return { places, artifacts, occurrences, paths };
}

async function inOrder(root: Place, pace: Pace): Promise<readonly Place[]> {
  const places: Place[] = [];
  const waiting = [root];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (places.length % placesAtOnce === 0 && pace.due()) await pace.take();
    place.position = places.length;
    places.push(place);
    const { children } = place;
    for (let index = children.length - 1; index >= 0; index -= 1) {
      const child = children[index];
      if (child !== undefined) waiting.push(child);
    }
  }
  return places;
}
