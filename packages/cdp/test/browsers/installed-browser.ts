import { findBrowsers } from "../../src/browsers/find-browsers.js";
import type { BrowserSandbox } from "../../src/browsers/browser-flags.js";

/** The browser of this host that tests run; undefined when there is none, and tests say so. */
export const installedBrowser = findBrowsers().browsers[0]?.path;

/** As root the sandbox of Chromium does not start; tests that run as root open pages of their own only. */
export const sandbox: BrowserSandbox = process.geteuid?.() === 0 ? "disabled" : "enabled";
