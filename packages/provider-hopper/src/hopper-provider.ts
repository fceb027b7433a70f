import { ReaError, throwIfAborted } from "@rea/core";
import type { ProcessLauncher } from "@rea/lineage";
import type { AnalysisProvider } from "@rea/provider";
import { availabilityOf, findLauncher, hopperHost, type HopperHost } from "./find-launcher.js";
import { hopperCapabilities } from "./hopper-capabilities.js";
import { HopperClient } from "./client/hopper-client.js";
import { chosenLoaderArguments, hopperIdentity, hopperProfile } from "./hopper-profile.js";
import { readHopperSettings, type HopperEnvironment } from "./hopper-settings.js";
import { launcherVersion } from "./launcher-version.js";
import { hopperTargetSupport } from "./target-support.js";

export interface HopperProviderOptions {
  /**
   * `HOPPER_LAUNCHER_PATH`, `HOPPER_LOADER_ARGS_JSON`, `REA_HOPPER_STARTUP_TIMEOUT_MS` and `HOME` are read, now; of
   * the rest, what a program with a licence and a language needs is passed on to Hopper.
   */
  readonly env: HopperEnvironment;
  /** Starts Hopper and its display; closed by its owner, not here. */
  readonly launcher: ProcessLauncher;
  /** Default: this host's. */
  readonly platform?: NodeJS.Platform;
  /** Default: where this platform has its programs. */
  readonly host?: Partial<HopperHost>;
  /** Where private directories are made; default: the host's temporary directories. */
  readonly parents?: readonly string[];
}

/** The deep provider `hopper`: drives a Hopper that the user has, one process for each client. Nothing is started here. */
export function createHopperProvider(options: HopperProviderOptions): AnalysisProvider {
  const settings = readHopperSettings(options.env);
  const host = { ...hopperHost(options.platform ?? process.platform, settings.home), ...options.host };
  return {
    embedded: false,
    identity: () => hopperIdentity,
    capabilities: hopperCapabilities,
    inspectAvailability: () => availabilityOf(findLauncher(settings, host)),
    inspectTargetSupport: hopperTargetSupport,
    async resolveAnalysisProfile(target, { signal }) {
      throwIfAborted(signal, "resolve_analysis_profile");
      const search = findLauncher(settings, host);
      if (!search.found) throw notThere(search.reason);
      return hopperProfile(target, settings, await launcherVersion(search.path, signal));
    },
    createClient(target, profile, { runId }) {
      const { env, launcher, parents } = options;
      const version = profile.provider.version ?? "";
      const own = chosenLoaderArguments(target, settings);
      return Promise.resolve(new HopperClient({ env, settings, host, launcher, parents, target, version, loaderArguments: own, runId }));
    },
  };
}

function notThere(message: string): ReaError {
  return new ReaError("provider_unavailable", { message, details: { provider_id: hopperIdentity.id, reason: "not_available" } });
}
