import { createAnalysisProfile, type AnalysisProfile, type ProviderIdentity } from "@rea/core";
import type { Target } from "@rea/provider";
import { bridgeVersion, hopperBounds } from "./hopper-bounds.js";
import { digestOfArguments, type HopperSettings } from "./hopper-settings.js";
import { loaderArguments } from "./loader-arguments.js";

export const hopperIdentity: ProviderIdentity = { id: "hopper", name: "Hopper Disassembler", version: null };

/**
 * The arguments the launcher gets before it is told what to open: the user's own, else what the target asks for. A database
 * has been loaded before, so it gets none.
 */
export function chosenLoaderArguments(target: Target, { loaderArguments: own }: HopperSettings): readonly string[] {
  return usesOwnArguments(target, own) ? own : loaderArguments(target);
}

function usesOwnArguments({ kind }: Target, own: HopperSettings["loaderArguments"]): own is readonly string[] {
  return own !== null && own !== "invalid" && kind !== "database";
}

/** Everything that changes answers, every default explicit. */
export function hopperProfile(target: Target, settings: HopperSettings, version: string): AnalysisProfile {
  const own = usesOwnArguments(target, settings.loaderArguments);
  const given = chosenLoaderArguments(target, settings);
  return createAnalysisProfile({
    provider: { ...hopperIdentity, version },
    provider_profile_schema_version: 1,
    parameters: {
      analysis: "standard",
      bridge_version: bridgeVersion,
      slice: target.architecture,
      loader_arguments: own ? null : given,
      loader_arguments_source: own ? "environment" : "target",
      loader_arguments_count: given.length,
      loader_arguments_sha256: digestOfArguments(given),
      max_inventory_items: hopperBounds.inventoryItems,
      max_function_instructions: hopperBounds.functionInstructions,
      max_list_code_points: hopperBounds.listCodePoints,
      max_search_code_points: hopperBounds.searchCodePoints,
    },
  });
}
