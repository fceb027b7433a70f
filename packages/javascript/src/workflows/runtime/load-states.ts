import type { ApplicationNode, LoadState, StaticLoad } from "@rea/core";
import type { MatchedScript } from "./match-scripts.js";
import type { StaticLayer } from "./static-layer.js";

const deepest = 4;

/** What was seen of each file, chunk and module of the layers; what was seen first. Not seen never means not used. */
export function loadStates(layers: readonly StaticLayer[], scripts: readonly MatchedScript[], isComplete: boolean): readonly StaticLoad[] {
  const loaded = new Set(scripts.flatMap(({ asset }) => asset?.node ?? []));
  const contested = new Set(scripts.flatMap((script) => script.contested.map(({ node }) => node)));
  const found: StaticLoad[] = [];
  for (const layer of layers) {
    for (const { node } of layer.assets) {
      const state = stateOf(node, { loaded, contested, isComplete });
      found.push(loadOf(layer, node, state));
      for (const inner of insideOf(layer, node)) found.push(loadOf(layer, inner, { load_state: state.load_state === "loaded" ? "resident_in_loaded_asset" : state.load_state, reason: state.reason }));
    }
  }
  return found.sort((a, b) => ranks[a.load_state] - ranks[b.load_state] || a.layer - b.layer || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.node_id < b.node_id ? -1 : 1));
}

const ranks: { readonly [S in LoadState]: number } = { loaded: 0, resident_in_loaded_asset: 1, unknown: 2, not_observed_in_capture: 3 };

interface Seen {
  readonly loaded: ReadonlySet<ApplicationNode>;
  readonly contested: ReadonlySet<ApplicationNode>;
  readonly isComplete: boolean;
}

function stateOf(node: ApplicationNode, { loaded, contested, isComplete }: Seen): Pick<StaticLoad, "load_state" | "reason"> {
  if (loaded.has(node)) return { load_state: "loaded", reason: null };
  if (contested.has(node)) return { load_state: "unknown", reason: "A script that was seen may be it." };
  if (!isComplete) return { load_state: "unknown", reason: "An observation does not hold every script of its window." };
  return { load_state: "not_observed_in_capture", reason: null };
}

function loadOf({ index }: StaticLayer, { node_id, kind, name }: ApplicationNode, state: Pick<StaticLoad, "load_state" | "reason">): StaticLoad {
  return { layer: index, node_id, kind, name, ...state };
}

/** Chunks and modules that a file holds. */
export function* insideOf({ side }: Pick<StaticLayer, "side">, node: ApplicationNode, depth = 0): Generator<ApplicationNode> {
  if (depth > deepest) return;
  for (const { relation, to } of side.from(node.node_id)) {
    const inner = relation === "contains" ? side.node(to) : undefined;
    if (inner === undefined || (inner.kind !== "javascript-chunk" && inner.kind !== "javascript-module")) continue;
    yield inner;
    yield* insideOf({ side }, inner, depth + 1);
  }
}
