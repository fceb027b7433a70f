import { statSync, type Stats } from "node:fs";
import { posix, win32 } from "node:path";
import type { GhidraHost } from "../ghidra-host.js";
import { isSafeQuoted } from "../launch/shell-safe.js";
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
export function findInstallation(host: GhidraHost): { readonly installation: Installation } | { readonly refusal: Unavailable } {
  const { platform } = host;
  const path = platform === "win32" ? win32 : posix;
  const named = installDirectory(host);
  if ("refusal" in named) return named;
  const { directory } = named;
  const launcher = path.join(directory, "support", platform === "win32" ? "analyzeHeadless.bat" : "analyzeHeadless");
  const problem = launcherProblem(launcher, platform);
  if (problem !== null) {
    const reason = `The directory of GHIDRA_INSTALL_DIR has no headless launcher that can be run (support/analyzeHeadless). ${example}`;
    return unavailable("executable_missing", reason, { setting, problem });
  }
  const release = readRelease(path.join(directory, "Ghidra", "application.properties"));
  return "refusal" in release ? release : { installation: { directory, launcher, ...release } };
}

/** What the setting names, when it can be an installation's directory at all. */
function installDirectory({ env, platform }: GhidraHost): { readonly directory: string } | { readonly refusal: Unavailable } {
  const directory = env[setting] ?? "";
  const refuse = (problem: string, what: string) => unavailable("not_configured", `${what}${example}`, { setting, problem });
  if (directory === "") return refuse("not_set", "");
  const isAbsolute = (platform === "win32" ? win32 : posix).isAbsolute(directory);
  if (!isAbsolute || directory.includes("\0")) return refuse("not_absolute", "GHIDRA_INSTALL_DIR is not an absolute path and is not used. ");
  if (platform !== "win32" && !isSafeQuoted(directory)) {
    return refuse("unusable_characters", "The path in GHIDRA_INSTALL_DIR holds characters that Ghidra's launcher does not take. ");
  }
  if (stat(directory)?.isDirectory() === true) return { directory };
  return unavailable("executable_missing", `GHIDRA_INSTALL_DIR does not lead to a directory. ${example}`, { setting, problem: "no_directory" });
}

function readRelease(file: string): Pick<Installation, "version" | "releaseName"> | { readonly refusal: Unavailable } {
  const text = readSmallTextFile(file);
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
  return { version, releaseName: /^[A-Za-z0-9_.-]{1,32}$/.test(releaseName) ? releaseName : null };
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
