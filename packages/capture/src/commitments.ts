import { canonicalDigestOfWhole, type CaptureManifest, type ProcessCapture } from "@rea/core";

type Committed = Pick<CaptureManifest, "scenario" | "comparison_contract" | "shim_plan" | "replay_plan">;
type Journaled = Omit<ProcessCapture, "manifest">;

/** The commitments a manifest must carry; recomputed whenever a capture is taken in. */
export function commitmentsOf(manifest: Committed, capture: Journaled): CaptureManifest["commitments"] {
  return {
    scenario_sha256: digest(manifest.scenario),
    comparison_contract_sha256: digest(manifest.comparison_contract),
    shim_plan_sha256: manifest.shim_plan === null ? null : digest(manifest.shim_plan),
    replay_plan_sha256: manifest.replay_plan === null ? null : digest(manifest.replay_plan),
    normalization_sha256: digest(manifest.comparison_contract.normalization),
    journal_sha256: digest(capture.event_journal.map((entry) => ({ ...entry, item: itemOf(capture, entry) }))),
  };
}

/** What an entry of the journal names; null when there is nothing at that place. */
function itemOf(capture: Journaled, { collection, index }: ProcessCapture["event_journal"][number]): unknown {
  switch (collection) {
    case "exit":
    case "settlement":
      return index === 0 ? capture[collection] : null;
    case "reactive_run":
      return capture.reactive_run?.records[index] ?? null;
    default:
      return capture[collection][index] ?? null;
  }
}

function digest(value: unknown): string {
  return canonicalDigestOfWhole(value).sha256;
}
