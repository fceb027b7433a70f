import type { ProviderAvailability } from "@rea/provider";
import type { GhidraHost } from "../ghidra-host.js";
import { findInstallation, type Installation } from "./installation.js";
import { findJavaRuntime, type JavaRuntime } from "./java-runtime.js";
import { startupTimeout } from "./startup-timeout.js";
import { unavailable, type Unavailable } from "./unavailable.js";

const platforms: readonly NodeJS.Platform[] = ["linux", "darwin", "win32"];

/** All that a start needs of the host. */
export interface UsableGhidra {
  readonly installation: Installation;
  readonly java: JavaRuntime;
  readonly startupMs: number;
}

/** Reads a few small files; starts nothing and changes nothing. */
export function inspectGhidra(host: GhidraHost): { readonly usable: UsableGhidra } | { readonly refusal: Unavailable } {
  if (!platforms.includes(host.platform)) {
    return unavailable("unsupported_host", "Ghidra is driven on Linux, macOS and Windows. Use the embedded provider here.", { platform: host.platform });
  }
  const found = findInstallation(host);
  if ("refusal" in found) return found;
  const runtime = findJavaRuntime(host);
  if ("refusal" in runtime) return runtime;
  const timeout = startupTimeout(host);
  if ("refusal" in timeout) return timeout;
  return { usable: { installation: found.installation, java: runtime.java, startupMs: timeout.startupMs } };
}

export function ghidraAvailability(host: GhidraHost): ProviderAvailability {
  const found = inspectGhidra(host);
  if ("refusal" in found) return { status: "unavailable", ...found.refusal };
  const { installation, java, startupMs } = found.usable;
  return {
    status: "available",
    diagnostics: { version: installation.version, java_version: java.version, startup_timeout_ms: startupMs },
  };
}
