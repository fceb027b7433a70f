import { createAnalysisProfile, type AnalysisProfile, type ProviderIdentity } from "@rea/core";
import type { Target } from "@rea/provider";
import type { Installation } from "./availability/installation.js";

/** Version null: it is the installed release's, known once that was read. */
export const ghidraIdentity: ProviderIdentity = { id: "ghidra", name: "Ghidra", version: null };

/** Seconds; analysis that takes longer is cut short, and then refused. */
export const analysisTimeoutSeconds = 300;

/** Bounds that the bridge keeps; part of the profile, as they change answers. */
const bridgeBounds = {
  inventory_items: 1_000_000,
  function_instructions: 100_000,
  parameters: 64,
  jump_tables: 4,
  list_value_code_points: 1_024,
  search_value_code_points: 4_096,
  decompile_seconds: 30,
} as const;

/** Raised when the bridge answers differently. */
const bridgeVersion = 1;

/** Everything that changes answers, every default explicit: heap and processors do not. */
export function ghidraProfile({ architecture }: Pick<Target, "architecture">, { version, releaseName }: Installation): AnalysisProfile {
  return createAnalysisProfile({
    provider: { ...ghidraIdentity, version },
    provider_profile_schema_version: 1,
    parameters: {
      slice: architecture,
      release_name: releaseName,
      bridge_version: bridgeVersion,
      loader: "automatic",
      analyzers: "defaults",
      analysis_timeout_seconds: analysisTimeoutSeconds,
      bounds: bridgeBounds,
    },
  });
}
