import type { ProfileDirectory } from "./profile-directory.js";

/** Of the user's environment; the rest, secrets among it, is not the browser's business. */
const inherited = ["PATH", "LANG", "LC_ALL", "TZ", "SYSTEMROOT", "SystemRoot", "WINDIR", "ProgramFiles", "ProgramFiles(x86)", "LD_LIBRARY_PATH"] as const;
const inheritedWithWindow = ["DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"] as const;

/** Home, configuration, caches and temporary files of the browser lie in its own directory and go with it. */
export function browserEnvironment(
  given: { readonly [name: string]: string | undefined },
  { directory, headless }: { readonly directory: ProfileDirectory; readonly headless: boolean },
): Record<string, string> {
  const names: readonly string[] = headless ? inherited : [...inherited, ...inheritedWithWindow];
  const kept = names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]] as const]));
  const { home, temporary } = directory;
  // The bus address of nobody: a headless browser has nothing to tell the user's session.
  const bus: Record<string, string> = headless && process.platform === "linux" ? { DBUS_SESSION_BUS_ADDRESS: "disabled:" } : {};
  return {
    PATH: "/usr/bin:/bin",
    ...Object.fromEntries(kept),
    ...bus,
    HOME: home,
    USERPROFILE: home,
    LOCALAPPDATA: home,
    APPDATA: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_CACHE_HOME: `${home}/.cache`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_RUNTIME_DIR: headless ? temporary : (given["XDG_RUNTIME_DIR"] ?? temporary),
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
  };
}
