import { createAnalysisProfile, type AnalysisProfile, type ProviderIdentity } from "@rea/core";
import type { Target } from "@rea/provider";
import { standardLimits } from "./analysis/work-bounds.js";
import { stringScan } from "./native-settings.js";

export const nativeIdentity: ProviderIdentity = { id: "rea-native", name: "REA native analysis", version: "1" };

/** Everything that changes answers, every default explicit. */
export function nativeProfile({ architecture, raw }: Pick<Target, "architecture" | "raw">): AnalysisProfile {
  return createAnalysisProfile({
    provider: nativeIdentity,
    provider_profile_schema_version: 1,
    parameters: {
      slice: architecture,
      raw_architecture: raw?.architecture ?? null,
      raw_base: raw?.base ?? null,
      raw_endian: raw?.endian ?? null,
      max_instructions: standardLimits.instructions,
      max_functions: standardLimits.functions,
      max_function_instructions: standardLimits.functionInstructions,
      string_minimum_length: stringScan.minimumLength,
      string_encodings: stringScan.encodings,
      max_strings: stringScan.maximumCount,
    },
  });
}
