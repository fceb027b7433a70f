import { accessSync, constants, existsSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { AvailabilityCode, Diagnostics, ProviderAvailability } from "@rea/provider";
import type { HopperSettings } from "./hopper-settings.js";

/** What a host has of Hopper; found by looking only, nothing is started. */
export interface HopperHost {
  readonly platform: NodeJS.Platform;
  /** Absolute paths of an Xvfb program, in the order they are tried. */
  readonly displayPrograms: readonly string[];
  /** Absolute paths at which the vendor's installer puts the launcher. */
  readonly usualPlaces: readonly string[];
  /** macOS: the system's own program that starts applications; null where there is none. */
  readonly opener: string | null;
  /** Milliseconds a dialog may stay on the private display while Hopper starts. */
  readonly dialogPatienceMs: number;
}

export type LauncherSearch =
  | { readonly found: true; readonly path: string; readonly displayProgram: string | null }
  | { readonly found: false; readonly code: AvailabilityCode; readonly reason: string; readonly diagnostics: Diagnostics };

/** The host as its platform has it. */
export function hopperHost(platform: NodeJS.Platform, home: string | null): HopperHost {
  return {
    platform,
    displayPrograms: ["/usr/bin/Xvfb", "/usr/local/bin/Xvfb"],
    usualPlaces: usualPlaces(platform, home),
    opener: platform === "darwin" ? "/usr/bin/open" : null,
    dialogPatienceMs: 30_000,
  };
}

/** Finds the launcher and, where Hopper needs a display of ours, the program that makes one. */
export function findLauncher(settings: HopperSettings, host: HopperHost): LauncherSearch {
  const { platform } = host;
  if (platform !== "linux" && platform !== "darwin") {
    return missing("unsupported_host", "Hopper runs on macOS and Linux only. Use another provider on this host.", { platform });
  }
  if (settings.loaderArguments === "invalid") {
    const reason = "HOPPER_LOADER_ARGS_JSON must be a JSON list of at most 64 texts. Correct or unset it, and start REA again.";
    return missing("open_options_invalid", reason, { setting: "HOPPER_LOADER_ARGS_JSON" });
  }
  if (settings.startupMs === null) {
    const reason = "REA_HOPPER_STARTUP_TIMEOUT_MS must be a whole number from 1 to 2147483647. Correct or unset it, and start REA again.";
    return missing("open_options_invalid", reason, { setting: "REA_HOPPER_STARTUP_TIMEOUT_MS" });
  }
  const path = settings.launcherPath ?? host.usualPlaces.find((place) => existsSync(place)) ?? null;
  if (path === null) {
    const reason = "No Hopper was found where its installer puts it. Set HOPPER_LAUNCHER_PATH to the absolute path of its launcher.";
    return missing("not_configured", reason, { setting: "HOPPER_LAUNCHER_PATH" });
  }
  if (!isAbsolute(path) || path.includes("\0")) {
    const reason = "HOPPER_LAUNCHER_PATH is not an absolute path, so it is never run. Set it to the absolute path of Hopper's launcher.";
    return missing("not_configured", reason, { setting: "HOPPER_LAUNCHER_PATH" });
  }
  const problem = problemOf(path);
  if (problem !== null) {
    const reason = `The Hopper launcher ${problem}. Set HOPPER_LAUNCHER_PATH to the absolute path of the executable.`;
    return missing("executable_missing", reason, { setting: "HOPPER_LAUNCHER_PATH", configured: settings.launcherPath !== null });
  }
  if (platform === "darwin") return { found: true, path, displayProgram: null };
  const displayProgram = host.displayPrograms.find((program) => problemOf(program) === null);
  if (displayProgram !== undefined) return { found: true, path, displayProgram };
  const reason = "Hopper needs a display, and Xvfb, which gives it a private one, was not found. Install the package xvfb.";
  return missing("runtime_missing", reason, { program: "Xvfb" });
}

export function availabilityOf(search: LauncherSearch): ProviderAvailability {
  if (search.found) return { status: "available", diagnostics: { launcher: search.path } };
  const { code, reason, diagnostics } = search;
  return { status: "unavailable", code, reason, diagnostics };
}

function problemOf(path: string): string | null {
  try {
    if (!statSync(path).isFile()) return "is not a file";
    accessSync(path, constants.X_OK);
    return null;
  } catch {
    return existsSync(path) ? "cannot be executed" : "does not exist";
  }
}

function usualPlaces(platform: NodeJS.Platform, home: string | null): readonly string[] {
  if (platform === "linux") return ["/opt/hopper/bin/Hopper", "/opt/hopper-v6/bin/Hopper", "/opt/hopper-v5/bin/Hopper", "/opt/hopper-v4/bin/Hopper"];
  const applications = ["/Applications", ...(home !== null && isAbsolute(home) ? [join(home, "Applications")] : [])];
  const bundles = ["Hopper Disassembler.app", "Hopper Disassembler v5.app", "Hopper Disassembler v4.app"];
  return applications.flatMap((directory) => bundles.map((bundle) => join(directory, bundle, "Contents", "MacOS", "hopper")));
}

function missing(code: AvailabilityCode, reason: string, diagnostics: Diagnostics): LauncherSearch {
  return { found: false, code, reason, diagnostics };
}
