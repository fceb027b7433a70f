import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { posix, win32 } from "node:path";
import { ReaError } from "@rea/core";
import { knownBrowsers, type BrowserId, type KnownBrowser } from "./known-browsers.js";

/** The host as the search for browsers sees it. */
export interface BrowserHost {
  readonly platform: NodeJS.Platform;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Put before every path that is looked at: a stand-in for the root of the file system. Default none. */
  readonly root?: string;
}

export interface FoundBrowser {
  /** `custom`: named by `REA_BROWSER_PATH`, whatever it is. */
  readonly id: BrowserId | "custom";
  readonly name: string;
  /** Absolute, as the host names it. */
  readonly path: string;
  readonly source: "setting" | "known_path" | "path_variable";
}

/** What was found, and why the setting could not be used. */
export interface BrowserSearch {
  /** In order of preference; one entry for each program, links followed. */
  readonly browsers: readonly FoundBrowser[];
  /** Set when `REA_BROWSER_PATH` is set and cannot be used. */
  readonly refused: { readonly setting: typeof browserSetting; readonly constraint: string } | null;
}

export const browserSetting = "REA_BROWSER_PATH";

/**
 * Looks for browsers at the places that their installers use, then in PATH; a browser that `REA_BROWSER_PATH` names comes
 * first. Starts nothing. Relative entries of PATH are not looked at.
 */
export function findBrowsers(host: BrowserHost = { platform: process.platform, environment: process.env }): BrowserSearch {
  const named = namedBrowser(host);
  const candidates = [...(named.browser === null ? [] : [named.browser]), ...knownBrowsers.flatMap((known) => candidatesOf(known, host))];
  const browsers: FoundBrowser[] = [];
  const seen = new Set<string>();
  for (const candidate of candidates) {
    const real = programAt(candidate.path, host);
    if (real === null || seen.has(real)) continue;
    seen.add(real);
    browsers.push(candidate);
  }
  return { browsers, refused: named.refused };
}

/** The browser to launch when the request names none. Throws `configuration_invalid` and `provider_unavailable`. */
export function chooseBrowser(host?: BrowserHost): FoundBrowser {
  const { browsers, refused } = findBrowsers(host);
  if (refused !== null) {
    throw new ReaError("configuration_invalid", {
      message: `${refused.setting} must be ${refused.constraint}. Correct or unset it.`,
      details: refused,
    });
  }
  const [first] = browsers;
  if (first !== undefined) return first;
  throw new ReaError("provider_unavailable", {
    message: "No browser was found on this host. Install Chrome, Chromium, Edge or Brave, or let REA_BROWSER_PATH name one.",
    details: { reason: "browser_missing", looked_for: knownBrowsers.map(({ name }) => name) },
    action: "Install a browser (on Debian: apt-get install chromium), or set REA_BROWSER_PATH to its absolute path.",
  });
}

function namedBrowser(host: BrowserHost): { readonly browser: FoundBrowser | null; readonly refused: BrowserSearch["refused"] } {
  const path = host.environment[browserSetting];
  if (path === undefined || path === "") return { browser: null, refused: null };
  const refuse = (constraint: string) => ({ browser: null, refused: { setting: browserSetting, constraint } }) as const;
  if (!pathsOf(host).isAbsolute(path)) return refuse("an absolute path");
  const real = programAt(path, host);
  if (real === null) return refuse("an existing program that may be executed");
  const known = knownBrowsers.find((each) => candidatesOf(each, host).some((candidate) => programAt(candidate.path, host) === real));
  return { browser: { id: known?.id ?? "custom", name: known?.name ?? "The browser that REA_BROWSER_PATH names", path, source: "setting" }, refused: null };
}

function candidatesOf(known: KnownBrowser, host: BrowserHost): FoundBrowser[] {
  const { id, name } = known;
  const at = (path: string, source: FoundBrowser["source"]): FoundBrowser => ({ id, name, path, source });
  const installed = installedPaths(known, host).map((path) => at(path, "known_path"));
  if (host.platform === "win32" || host.platform === "darwin") return installed;
  const directories = (host.environment["PATH"] ?? "").split(":").filter((directory) => posix.isAbsolute(directory));
  const inPath = known.linux.commands.flatMap((command) => directories.map((directory) => at(posix.join(directory, command), "path_variable")));
  return [...installed, ...inPath];
}

function installedPaths(known: KnownBrowser, { platform, environment }: BrowserHost): string[] {
  if (platform === "darwin") {
    const home = environment["HOME"];
    const directories = ["/Applications", ...(home === undefined || !posix.isAbsolute(home) ? [] : [posix.join(home, "Applications")])];
    return directories.flatMap((directory) => known.darwin.map((program) => posix.join(directory, program)));
  }
  if (platform === "win32") {
    const directories = ["ProgramFiles", "ProgramFiles(x86)", "LocalAppData"].map((name) => variable(environment, name));
    return directories.flatMap((directory) =>
      directory === undefined || !win32.isAbsolute(directory) ? [] : known.win32.map((program) => win32.join(directory, program)),
    );
  }
  return [...known.linux.paths];
}

/** Names of Windows variables have no letter case. */
function variable(environment: BrowserHost["environment"], name: string): string | undefined {
  const entry = Object.entries(environment).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return entry?.[1];
}

/** Real path of a program that may be run; null when there is none. */
function programAt(path: string, host: BrowserHost): string | null {
  try {
    const real = realpathSync(lookedAt(path, host));
    if (!statSync(real).isFile()) return null;
    if (host.platform !== "win32") accessSync(real, constants.X_OK);
    return real;
  } catch {
    return null;
  }
}

/** Below a stand-in root, a Windows path becomes `root/C/…`. */
function lookedAt(path: string, { root, platform }: BrowserHost): string {
  if (root === undefined) return path;
  return posix.join(root, platform === "win32" ? path.replaceAll("\\", "/").replace(/^([A-Za-z]):/, "$1") : path);
}

function pathsOf({ platform }: BrowserHost): typeof posix {
  return platform === "win32" ? win32 : posix;
}
