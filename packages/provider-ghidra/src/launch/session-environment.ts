import { posix, win32 } from "node:path";
import type { GhidraHost } from "../ghidra-host.js";

/** Directories of the session that stand for the user's own. */
export interface SessionDirectories {
  readonly home: string;
  readonly tmp: string;
  readonly config: string;
  readonly cache: string;
  readonly data: string;
}

const heap = "2G";

/** The whole environment of the headless analyser: its own home and temporary directories, the user's programs, nothing else. */
export function sessionEnvironment({ env, platform }: GhidraHost, javaHome: string, directories: SessionDirectories): Record<string, string> {
  const { home, tmp, config, cache, data } = directories;
  const common = {
    JAVA_HOME: javaHome,
    GHIDRA_HEADLESS_MAXMEM: heap,
    JDK_JAVA_OPTIONS: javaOptions({
      "user.home": home,
      "java.io.tmpdir": tmp,
      "application.settingsdir": config,
      "application.cachedir": cache,
      "application.tempdir": tmp,
    }),
    XDG_CONFIG_HOME: config,
    XDG_CACHE_HOME: cache,
    XDG_DATA_HOME: data,
    XDG_STATE_HOME: data,
    XDG_RUNTIME_DIR: tmp,
  };
  if (platform === "win32") {
    const system = env["SystemRoot"] ?? env["SYSTEMROOT"] ?? "C:\\Windows";
    const path = [win32.join(javaHome, "bin"), win32.join(system, "System32"), system].join(";");
    return { ...common, PATH: path, SystemRoot: system, USERPROFILE: home, APPDATA: config, LOCALAPPDATA: cache, TEMP: tmp, TMP: tmp };
  }
  const programs = [posix.join(javaHome, "bin"), ...programDirectories(env["PATH"])];
  return { ...common, PATH: programs.join(":"), HOME: home, TMPDIR: tmp, LC_ALL: platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8" };
}

/** The absolute elements of a `PATH`: a relative one would depend on where a program stands. The system's own come last. */
export function programDirectories(path: string | undefined): readonly string[] {
  const given = (path ?? "").split(":").filter((element) => element.startsWith("/"));
  return [...new Set([...given, "/usr/bin", "/bin", "/usr/sbin", "/sbin"])];
}

/** For `JDK_JAVA_OPTIONS`, which is split at blanks outside quotes and has no escape (java(1)). */
function javaOptions(properties: Readonly<Record<string, string>>): string {
  return Object.entries(properties)
    .filter(([, value]) => !(value.includes('"') && value.includes("'")))
    .map(([name, value]) => {
      const quote = value.includes('"') ? "'" : '"';
      return `${quote}-D${name}=${value}${quote}`;
    })
    .join(" ");
}
