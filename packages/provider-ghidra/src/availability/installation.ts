import { statSync, type Stats } from "node:fs";
import { posix, win32 } from "node:path";
import type { GhidraHost } from "../ghidra-host.js";
import { readProperties } from "./properties.js";
import { readSmallTextFile } from "./small-text-file.js";
import { unavailable, type Unavailable } from "./unavailable.js";

const setting = "GHIDRA_INSTALL_DIR";
const example = "Set GHIDRA_INSTALL_DIR to the absolute path of an unpacked Ghidra 12.1 release, such as /opt/ghidra_12.1_PUBLIC.";

export interface Installation {
  readonly directory: string;
  /** The headless analyser's launcher. */
  readonly launcher: string;
  /** Such as `12.1.2`. */
  readonly version: string;
  /** Such as `PUBLIC`; null when the release does not say. */
  readonly releaseName: string | null;
}

/** Finds the Ghidra that `GHIDRA_INSTALL_DIR` names, by reading; nothing is started. */
export function findInstallation({ env, platform }: GhidraHost): { readonly installation: Installation } | { readonly refusal: Unavailable } {
  const path = platform === "win32" ? win32 : posix;
  const directory = env[setting];
  if (directory === undefined || directory === "") return unavailable("not_configured", example, { setting, problem: "not_set" });
  if (!path.isAbsolute(directory) || directory.includes("\0")) {
    return unavailable("not_configured", `GHIDRA_INSTALL_DIR is not an absolute path and is not used. ${example}`, { setting, problem: "not_absolute" });
  }
  if (!stat(directory)?.isDirectory()) {
    return unavailable("executable_missing", `GHIDRA_INSTALL_DIR does not lead to a directory. ${example}`, { setting, problem: "no_directory" });
  }
  const launcher = path.join(directory, "support", platform === "win32" ? "analyzeHeadless.bat" : "analyzeHeadless");
  const problem = launcherProblem(launcher, platform);
  if (problem !== null) {
    const reason = `The directory of GHIDRA_INSTALL_DIR has no headless launcher that can be run (support/analyzeHeadless). ${example}`;
    return unavailable("executable_missing", reason, { setting, problem });
  }
  const text = readSmallTextFile(path.join(directory, "Ghidra", "application.properties"));
  const properties = text === null ? null : readProperties(text);
  const version = properties?.get("application.version");
  if (version === undefined || !/^\d{1,4}(\.\d{1,4}){1,3}$/.test(version)) {
    const reason = `Ghidra/application.properties in the directory of GHIDRA_INSTALL_DIR tells no version. ${example}`;
    return unavailable("version_unresolved", reason, { setting, problem: text === null ? "no_properties" : "no_version" });
  }
  if (!/^12\.1(\.|$)/.test(version)) {
    const reason = `GHIDRA_INSTALL_DIR holds Ghidra ${version}; REA drives 12.1.x. ${example}`;
    return unavailable("unsupported_version", reason, { setting, problem: "version", version });
  }
  const releaseName = properties?.get("application.release.name") ?? "";
  return { installation: { directory, launcher, version, releaseName: /^[A-Za-z0-9_.-]{1,32}$/.test(releaseName) ? releaseName : null } };
}

function launcherProblem(launcher: string, platform: NodeJS.Platform): string | null {
  const found = stat(launcher);
  if (found === null) return "no_launcher";
  if (!found.isFile()) return "launcher_not_a_file";
  return platform === "win32" || (found.mode & 0o111) !== 0 ? null : "launcher_not_executable";
}

export function stat(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
