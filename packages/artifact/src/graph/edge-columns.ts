import type { Place } from "../walk/place.js";
import type { Pace } from "../walk/paced-sort.js";
import type { Edge } from "./graph.js";
import { edgeDigits } from "./ids.js";
import type { PlaceColumns } from "./place-columns.js";

const edgesAtOnce = 64;

/** What ties contents to one another, a column each; places as their positions. */
export interface EdgeColumns {
  /** Digits of the ids. */
  readonly edges: readonly string[];
  readonly parents: readonly number[];
  readonly children: readonly number[];
  /** Where the child stands. */
  readonly places: readonly number[];
  readonly ordinals: readonly number[];
  readonly relations: readonly Edge["relation"][];
}

/** The edges of all places, those of one container together and in file order. */
export async function edgeColumns(columns: PlaceColumns, pace: Pace): Promise<EdgeColumns> {
  const made: Made = { edges: [], parents: [], children: [], places: [], ordinals: [], relations: [] };
  const adding = new Adding(columns, made);
  for (const place of columns.places) {
    if (place.children.length === 0) continue;
    let maps = false;
    for (const [ordinal, child] of place.children.entries()) {
      if (ordinal % edgesAtOnce === 0 && pace.due()) await pace.take();
      maps ||= child.logicalPath.endsWith(".map");
      adding.add({ parent: place, child, place: child, ordinal, relation: child.relation });
    }
    if (maps) adding.addSourceMaps(place);
  }
  return made;
}

interface Tie {
  readonly parent: Place;
  readonly child: Place;
  readonly place: Place;
  readonly ordinal: number;
  readonly relation: Edge["relation"];
}

type Made = { readonly [K in keyof EdgeColumns]: EdgeColumns[K][number][] };

class Adding {
  readonly #columns: PlaceColumns;
  readonly #made: Made;

  constructor(columns: PlaceColumns, made: Made) {
    this.#columns = columns;
    this.#made = made;
  }

  /** Only contents that are known have edges. */
  add({ parent, child, place, ordinal, relation }: Tie): void {
    const { artifacts, occurrences } = this.#columns;
    const from = artifacts[parent.position] ?? "";
    const to = artifacts[child.position] ?? "";
    if (from === "" || to === "") return;
    const { edges, parents, children, places, ordinals, relations } = this.#made;
    edges.push(edgeDigits({ parent_artifact_id: `art_${from}`, child_artifact_id: `art_${to}`, relation, occurrence_id: `occ_${occurrences[place.position] ?? ""}` }));
    parents.push(parent.position);
    children.push(child.position);
    places.push(place.position);
    ordinals.push(ordinal);
    relations.push(relation);
  }

  /** `x.js.map` beside `x.js` maps its source. */
  addSourceMaps({ children }: Place): void {
    const siblings = new Map(children.map((child) => [child.logicalPath, child] as const));
    const maps = children.filter(({ logicalPath }) => logicalPath.endsWith(".map"));
    for (const [ordinal, map] of maps.entries()) {
      const script = siblings.get(map.logicalPath.slice(0, -".map".length));
      if (script !== undefined) this.add({ parent: map, child: script, place: map, ordinal, relation: "maps-source" });
    }
  }
}
