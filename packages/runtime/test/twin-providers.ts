import { createAnalysisProfile } from "@rea/core";
import { createNativeProvider } from "@rea/engine";
import type { AnalysisProvider } from "@rea/provider";

/** The embedded provider, and once more under another id. */
export function twinProviders(stateDirectory: string): AnalysisProvider[] {
  const native = createNativeProvider({ stateDirectory, clientName: "test", clientVersion: "1" });
  const twin = { id: "rea-twin", name: "Twin", version: "1" };
  return [
    native,
    {
      embedded: false,
      identity: () => twin,
      capabilities: () => native.capabilities(),
      inspectAvailability: () => native.inspectAvailability(),
      inspectTargetSupport: (target) => native.inspectTargetSupport(target),
      resolveAnalysisProfile: async (target, options) => {
        const { parameters, provider_profile_schema_version } = await native.resolveAnalysisProfile(target, options);
        return createAnalysisProfile({ provider: twin, provider_profile_schema_version, parameters });
      },
      createClient: async (target, _profile, options) => native.createClient(target, await native.resolveAnalysisProfile(target, { signal: new AbortController().signal }), options),
    },
  ];
}
