import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseBrowser, findBrowsers, type BrowserHost } from "./find-browsers.js";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "rea-test-browsers-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, mode = 0o755): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), "#!/bin/sh\n");
  chmodSync(join(root, path), mode);
}

function link(path: string, to: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(join(root, to), join(root, path));
}

function host(platform: NodeJS.Platform, environment: BrowserHost["environment"] = {}): BrowserHost {
  return { platform, environment, root };
}

describe("the search for browsers", () => {
  it("finds what installers of each system leave, in the order of preference", () => {
    for (const path of ["/usr/bin/brave-browser", "/usr/bin/chromium", "/opt/microsoft/msedge/msedge", "/usr/bin/google-chrome"]) put(path);
    expect(findBrowsers(host("linux")).browsers.map(({ id }) => id)).toEqual(["chrome", "chromium", "edge", "brave"]);
    put("/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge");
    put("/Users/ada/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
    expect(findBrowsers(host("darwin", { HOME: "/Users/ada" })).browsers).toEqual([
      { id: "chrome", name: "Google Chrome", path: "/Users/ada/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", source: "known_path" },
      { id: "edge", name: "Microsoft Edge", path: "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge", source: "known_path" },
    ]);
    put("/C/Program Files (x86)/Microsoft/Edge/Application/msedge.exe", 0o644);
    put("/D/local/BraveSoftware/Brave-Browser/Application/brave.exe", 0o644);
    const windows = host("win32", { PROGRAMFILES: "C:\\Program Files", "ProgramFiles(x86)": "C:\\Program Files (x86)", LOCALAPPDATA: "D:\\local" });
    expect(findBrowsers(windows).browsers.map(({ path }) => path)).toEqual([
      "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
      "D:\\local\\BraveSoftware\\Brave-Browser\\Application\\brave.exe",
    ]);
  });

  it("counts one program once, however many links lead to it", () => {
    put("/opt/google/chrome/chrome");
    link("/usr/bin/google-chrome-stable", "/opt/google/chrome/chrome");
    link("/usr/bin/google-chrome", "/usr/bin/google-chrome-stable");
    expect(findBrowsers(host("linux")).browsers).toEqual([
      { id: "chrome", name: "Google Chrome", path: "/usr/bin/google-chrome-stable", source: "known_path" },
    ]);
  });

  it("looks into absolute entries of PATH only", () => {
    put("/home/ada/bin/chromium");
    expect(findBrowsers(host("linux", { PATH: "home/ada/bin:.:/home/ada/bin" })).browsers).toEqual([
      { id: "chromium", name: "Chromium", path: "/home/ada/bin/chromium", source: "path_variable" },
    ]);
  });

  it("passes over files that may not be run, directories and links that lead nowhere", () => {
    put("/usr/bin/chromium", 0o644);
    mkdirSync(join(root, "/usr/bin/brave-browser"), { recursive: true });
    link("/usr/bin/google-chrome", "/nowhere");
    expect(findBrowsers(host("linux")).browsers).toEqual([]);
  });

  it("prefers what the setting names, and knows it when it is a known one", () => {
    put("/usr/bin/google-chrome");
    put("/usr/bin/chromium");
    put("/srv/own-build");
    expect(findBrowsers(host("linux", { REA_BROWSER_PATH: "/usr/bin/chromium" })).browsers.map(({ id, source }) => [id, source])).toEqual([
      ["chromium", "setting"],
      ["chrome", "known_path"],
    ]);
    expect(chooseBrowser(host("linux", { REA_BROWSER_PATH: "/srv/own-build" }))).toMatchObject({ id: "custom", path: "/srv/own-build" });
  });

  it("names the setting that cannot be used, and keeps what was found", () => {
    put("/usr/bin/chromium");
    for (const path of ["usr/bin/chromium", "/usr/bin/nothing", "/usr/bin"]) {
      const given = host("linux", { REA_BROWSER_PATH: path });
      expect(findBrowsers(given)).toMatchObject({ browsers: [{ id: "chromium" }], refused: { setting: "REA_BROWSER_PATH" } });
      expect(() => chooseBrowser(given)).toThrow(expect.objectContaining({ code: "configuration_invalid" }));
    }
  });

  it("says what to install when there is none", () => {
    expect(() => chooseBrowser(host("linux"))).toThrow(
      expect.objectContaining({ code: "provider_unavailable", details: { reason: "browser_missing", looked_for: ["Google Chrome", "Chromium", "Microsoft Edge", "Brave"] } }),
    );
  });
});
