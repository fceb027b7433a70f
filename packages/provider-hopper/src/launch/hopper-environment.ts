import type { HopperEnvironment } from "../hopper-settings.js";

/** What a program with a licence, a language and settings of its own needs of its user's environment. */
const passedOn = ["HOME", "USER", "LOGNAME", "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "XDG_CONFIG_HOME", "XDG_DATA_HOME"] as const;

export interface DisplayPlace {
  /** `:` and a number. */
  readonly name: string;
  /** Absolute path of the file with the cookie. */
  readonly authority: string;
}

/** All that Hopper gets: nothing of it leads to the user's own display or desktop session. */
export function hopperEnvironment(given: HopperEnvironment, own: { readonly temporary: string; readonly runtime: string; readonly display: DisplayPlace | null }): Record<string, string> {
  const kept = passedOn.flatMap((name) => {
    const value = given[name];
    return value === undefined || value.includes("\0") ? [] : [[name, value] as const];
  });
  const environment = { PATH: "/usr/bin:/bin", ...Object.fromEntries(kept), TMPDIR: own.temporary };
  if (own.display === null) return environment;
  return {
    ...environment,
    DISPLAY: own.display.name,
    XAUTHORITY: own.display.authority,
    XDG_RUNTIME_DIR: own.runtime,
    QT_QPA_PLATFORM: "xcb",
  };
}
