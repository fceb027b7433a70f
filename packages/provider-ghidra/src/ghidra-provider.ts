import { ReaError, throwIfAborted, type AnalysisProfile } from "@rea/core";
import type { ProcessLauncher } from "@rea/lineage";
import type { AnalysisProvider, Target } from "@rea/provider";
import { ghidraAvailability, inspectGhidra, type UsableGhidra } from "./availability/inspect-ghidra.js";
import { GhidraClient } from "./client/ghidra-client.js";
import { ghidraCapabilities } from "./ghidra-capabilities.js";
import type { GhidraHost } from "./ghidra-host.js";
import { ghidraIdentity, ghidraProfile } from "./ghidra-profile.js";
import { ghidraTargetSupport } from "./ghidra-target-support.js";

export interface GhidraProviderOptions {
  /** Read: `GHIDRA_INSTALL_DIR`, `JAVA_HOME`, `REA_GHIDRA_STARTUP_TIMEOUT_MS`, `PATH`. Looked at anew each time. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: this host's. */
  readonly platform?: NodeJS.Platform;
  /** Starts the headless analyser; belongs to the caller, who closes it. */
  readonly launcher: ProcessLauncher;
  /** Where private directories are made; default: the host's temporary directories. */
  readonly parents?: readonly string[];
}

/**
 * The deep provider `ghidra`: drives a Ghidra 12.1 that the user has, headless and read-only, on a copy of the target.
 * Nothing is started before the first call of a client.
 */
export function createGhidraProvider({ env, platform = process.platform, launcher, parents }: GhidraProviderOptions): AnalysisProvider {
  const host: GhidraHost = { env, platform };
  return {
    embedded: false,
    identity: () => ghidraIdentity,
    capabilities: ghidraCapabilities,
    inspectAvailability: () => ghidraAvailability(host),
    inspectTargetSupport: (target) => ghidraTargetSupport(target, host),
    async resolveAnalysisProfile(target, { signal }) {
      throwIfAborted(signal, "resolve_analysis_profile");
      return Promise.resolve(ghidraProfile(target, usableGhidra(host).installation));
    },
    async createClient(target, profile, { runId }) {
      const usable = usableGhidra(host);
      refuseOtherVersion(profile, usable);
      return Promise.resolve(new GhidraClient({ launcher, parents, host, usable, target, sha256: digestOf(target), profile, runId }));
    },
  };
}

function usableGhidra(host: GhidraHost): UsableGhidra {
  const found = inspectGhidra(host);
  if ("usable" in found) return found.usable;
  const { code, reason, diagnostics } = found.refusal;
  throw new ReaError("provider_unavailable", { message: reason, details: { provider_id: ghidraIdentity.id, reason: code, diagnostics } });
}

/** The installation may have been replaced since the target was bound. */
function refuseOtherVersion({ provider }: AnalysisProfile, { installation }: UsableGhidra): void {
  if (provider.version === installation.version) return;
  throw new ReaError("provider_unavailable", {
    message: "The Ghidra of GHIDRA_INSTALL_DIR is of another version than when the target was opened. Open the target again.",
    details: { provider_id: ghidraIdentity.id, reason: "version_mismatch" },
  });
}

function digestOf({ sha256 }: Target): string {
  if (sha256 !== null) return sha256;
  throw new ReaError("target_unavailable", {
    message: "The target has no digest, so a copy of it could not be checked. Open the file itself.",
    details: { reason: "not_regular" },
  });
}
