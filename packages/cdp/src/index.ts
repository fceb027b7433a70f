export { browserSetting, chooseBrowser, findBrowsers, type BrowserHost, type BrowserSearch, type FoundBrowser } from "./browsers/find-browsers.js";
export type { BrowserSandbox } from "./browsers/browser-flags.js";
export { launchBrowser, type BrowserCleanup, type BrowserResource, type LaunchedBrowser, type LaunchRequest } from "./browsers/launch-browser.js";
export { compareScreenshots, type ComparedScreenshots, type ScreenshotPair } from "./compare/compare-screenshots.js";
