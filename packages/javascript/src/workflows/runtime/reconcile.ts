import { coverageOf, omission, type LoadState, type Omission, type RuntimeMatch, type RuntimeReconciliation, type StaticLoad } from "@rea/core";
import { combinedGraph } from "./combined-graph.js";
import { loadStates } from "./load-states.js";
import { matchScript, type RuntimeObservation } from "./match-scripts.js";
import { StaticLayer, type LayerInput } from "./static-layer.js";

export interface ReconciledRuntime {
  readonly reconciliation: Omit<RuntimeReconciliation, "matches" | "static_items" | "combined" | "cited_records">;
  readonly matches: readonly RuntimeMatch[];
  readonly items: readonly StaticLoad[];
  readonly omissions: readonly Omission[];
  readonly combined: ReturnType<typeof combinedGraph>;
}

/** Ties scripts that were seen to run to the files they came from. Pure. */
export function reconcile(inputs: readonly LayerInput[], observations: readonly RuntimeObservation[]): ReconciledRuntime {
  const layers = inputs.map((input, index) => new StaticLayer(index, input));
  const scripts = observations.flatMap(({ evidenceId, scripts: seen }) => seen.map((script) => matchScript(script, evidenceId, layers)));
  const isComplete = observations.every((one) => one.isComplete);
  const items = loadStates(layers, scripts, isComplete);
  const omissions = omissionsOf(layers, observations);
  const matches = scripts.map(({ match }) => match).sort(byTelling);
  return {
    reconciliation: {
      layers: layers.map(({ index, input, assets }) => ({ layer: index, role: input.role, graph_id: input.graph.graph_id, graph_sha256: input.graphSha256, root_artifact_sha256: input.rootSha256, assets: assets.length })),
      observations: observations.map(({ evidenceId, operation, scripts: seen, isComplete: whole }) => ({ evidence_id: evidenceId, operation, scripts: seen.length, scripts_complete: whole })),
      summary: summaryOf(matches),
      load_summary: loadsOf(items),
      coverage: coverageOf(omissions),
      limitations: [
        "A script that was not seen is not shown to be unused: captures see one window of one target.",
        "Digests are what the engine gives; a file that a loader changes before it runs has another one.",
        "Scripts inside pages have no file of their own and match none.",
        ...(matches.some(({ basis }) => basis === "unique-location") ? ["A match by place alone says nothing of the content."] : []),
      ],
    },
    matches,
    items,
    omissions,
    combined: combinedGraph({ layers, observations, scripts }),
  };
}

function summaryOf(matches: readonly RuntimeMatch[]): RuntimeReconciliation["summary"] {
  const states = { matched: 0, ambiguous: 0, mismatch: 0, unmatched: 0 };
  const bases = { "digest-and-location": 0, "unique-digest": 0, "unique-location": 0 };
  for (const { state, basis } of matches) {
    states[state] += 1;
    if (basis !== null) bases[basis] += 1;
  }
  return { ...states, by_basis: { digest_and_location: bases["digest-and-location"], unique_digest: bases["unique-digest"], unique_location: bases["unique-location"] } };
}

function loadsOf(items: readonly StaticLoad[]): { [S in LoadState]: number } {
  const counts = { loaded: 0, resident_in_loaded_asset: 0, not_observed_in_capture: 0, unknown: 0 };
  for (const { load_state } of items) counts[load_state] += 1;
  return counts;
}

function omissionsOf(layers: readonly StaticLayer[], observations: readonly RuntimeObservation[]): readonly Omission[] {
  const found: Omission[] = [];
  const partial = layers.filter(({ side }) => !side.isComplete).length;
  if (partial > 0) found.push(omission("Layers that were not read whole.", "analysis_incomplete", { count: partial, how_to_continue: "See the coverage of their analyses." }));
  const cut = observations.filter(({ isComplete }) => !isComplete).length;
  if (cut > 0) found.push(omission("Observations that do not hold every script of their window.", "analysis_incomplete", { count: cut, how_to_continue: "Observe again with greater limits and all origins allowed." }));
  return found;
}

const ranks: { readonly [S in RuntimeMatch["state"]]: number } = { mismatch: 0, ambiguous: 1, matched: 2, unmatched: 3 };

function byTelling(a: RuntimeMatch, b: RuntimeMatch): number {
  const [mine, theirs] = [`${a.url}\0${a.observation}\0${a.script_id}`, `${b.url}\0${b.observation}\0${b.script_id}`];
  return ranks[a.state] - ranks[b.state] || (mine < theirs ? -1 : mine > theirs ? 1 : 0);
}
