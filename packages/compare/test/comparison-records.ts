import type { Evidence } from "@rea/core";
import { recordOf } from "./dossiers.js";

export type State = "unchanged" | "changed" | "unknown" | "contradiction" | "truncated";

/** A record of a comparison of runs. */
export function runs(states: { readonly [dimension: string]: State } = { terminal: "unchanged", exit: "unchanged" }): Evidence {
  const sha256 = "c".repeat(64);
  const side = { capture_sha256: sha256, executable_sha256: sha256, scenario_sha256: sha256, started_at: "2020-01-01T00:00:00.000Z", journal_entries: 1 };
  const of = Object.values(states);
  const status = of.includes("contradiction") ? "contradiction" : of.includes("changed") ? "changed" : of.every((one) => one === "unchanged") ? "unchanged" : "unknown";
  const result = {
    status,
    verdict: status === "unchanged" ? "equivalent" : status === "changed" ? "different" : "unknown",
    comparison_contract_sha256: sha256,
    left: side,
    right: side,
    dimensions: Object.entries(states).map(([dimension, state]) => ({ dimension, status: state, left_count: 1, right_count: 1, left_digest: sha256, right_digest: sha256, differences: 0, first_difference: null, limitations: [] })),
    first_divergence: null,
    divergences: { items: [], returned: 0, total: 0, truncated: false },
    trace: null,
    residual_unknowns: [],
    cited_records: [],
    limitations: [],
  };
  return recordOf(result, { operation: "compare_process_captures" });
}

/** A record of a comparison of files. */
export function files(state: "unchanged" | "changed" | "contradiction" | "unknown"): Evidence {
  const side = { artifact_id: null, sha256: null, bytes: 1, entry_kind: "file", artifact_format: "file" };
  const changes = state === "unchanged" ? [] : [{ logical_path: "bin/app", duplicate_index: 0, state, dimensions: ["content"], left: side, right: side }];
  const counted = { unchanged: 1, added: 0, removed: 0, changed: 0, unknown: 0, contradiction: 0, ...(state === "unchanged" ? {} : { [state]: 1 }) };
  const result = { status: state, left_manifest_id: "a", right_manifest_id: "b", summary: counted, changes, changes_total: changes.length, next_offset: null, moves: [], moves_total: 0, cited_records: [], limitations: [] };
  return recordOf(result, { operation: "compare_artifacts" });
}
