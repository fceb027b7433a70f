import { posix, win32 } from "node:path";
import type { GhidraHost } from "../ghidra-host.js";
import { isSafeQuoted } from "../launch/shell-safe.js";
import { stat } from "./installation.js";
import { readProperties } from "./properties.js";
import { readSmallTextFile } from "./small-text-file.js";
import { unavailable, type Unavailable } from "./unavailable.js";

const setting = "JAVA_HOME";
const example = "Set JAVA_HOME to the absolute path of a 64-bit JDK 21 or newer, such as /usr/lib/jvm/java-21-openjdk.";
const oldest = 21;
const wide: readonly string[] = ["x86_64", "amd64", "aarch64", "arm64", "ppc64", "ppc64le", "riscv64", "s390x", "loongarch64"];

export interface JavaRuntime {
  readonly home: string;
  /** Such as `21.0.5`. */
  readonly version: string;
}

/** Judges the JDK that `JAVA_HOME` names by its `release` file and what lies in it; nothing of it is started. */
export function findJavaRuntime({ env, platform }: GhidraHost): { readonly java: JavaRuntime } | { readonly refusal: Unavailable } {
  const path = platform === "win32" ? win32 : posix;
  const home = env[setting];
  const missing = (problem: string, what: string, more: { readonly version?: string } = {}) =>
    unavailable("runtime_missing", `${what} ${example}`, { setting, problem, ...more });
  if (home === undefined || home === "") return missing("not_set", "Ghidra needs a JDK and JAVA_HOME is not set.");
  if (!path.isAbsolute(home) || home.includes("\0")) return missing("not_absolute", "JAVA_HOME is not an absolute path and is not used.");
  if (platform !== "win32" && !isSafeQuoted(home)) return missing("unusable_characters", "The path in JAVA_HOME holds characters that Ghidra's launcher does not take.");
  const text = readSmallTextFile(path.join(home, "release"));
  if (text === null) return missing("no_release_file", "The directory of JAVA_HOME has no release file, so it is not known to be a JDK.");
  const release = readProperties(text);
  const version = unquoted(release.get("JAVA_VERSION"));
  const major = /^(\d{1,4})(?:[.+_-]|$)/.exec(version)?.[1];
  if (major === undefined) return missing("no_version", "The release file in JAVA_HOME tells no Java version.");
  const shown = { version: /^[0-9A-Za-z._+-]{1,64}$/.test(version) ? version : major };
  if (Number(major) < oldest) return missing("too_old", `JAVA_HOME holds Java ${shown.version}; Ghidra 12.1 needs 21 or newer.`, shown);
  if (!wide.includes(unquoted(release.get("OS_ARCH")))) return missing("not_64_bit", "The JDK of JAVA_HOME is not a 64-bit one.", shown);
  const suffix = platform === "win32" ? ".exe" : "";
  if (!isProgram(path.join(home, "bin", `java${suffix}`), platform)) return missing("no_java", "The directory of JAVA_HOME has no bin/java.", shown);
  const modules = release.get("MODULES");
  const compiles = modules === undefined ? isProgram(path.join(home, "bin", `javac${suffix}`), platform) : unquoted(modules).split(/\s+/).includes("jdk.compiler");
  if (!compiles) return missing("no_compiler", "JAVA_HOME holds a runtime without a compiler; Ghidra compiles the bridge script.", shown);
  return { java: { home, version: shown.version } };
}

function unquoted(value: string | undefined): string {
  return (value ?? "").replace(/^"(.*)"$/, "$1");
}

function isProgram(path: string, platform: NodeJS.Platform): boolean {
  const found = stat(path);
  return found?.isFile() === true && (platform === "win32" || (found.mode & 0o111) !== 0);
}
