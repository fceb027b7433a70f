/** Browsers that speak the DevTools Protocol and can be launched with a profile of our own. */
export const browserIds = ["chrome", "chromium", "edge", "brave"] as const;
export type BrowserId = (typeof browserIds)[number];

/** Where one browser lies when its own installer, or a distribution's package, put it there. */
export interface KnownBrowser {
  readonly id: BrowserId;
  readonly name: string;
  readonly linux: {
    /** Absolute files. */
    readonly paths: readonly string[];
    /** Names to look for in the directories of PATH. */
    readonly commands: readonly string[];
  };
  /** Bundle and the program in it, below `/Applications` and `~/Applications`. */
  readonly darwin: readonly string[];
  /** Below the directories for programs (`%ProgramFiles%`, `%ProgramFiles(x86)%`, `%LocalAppData%`). */
  readonly win32: readonly string[];
}

/** In the order in which one is chosen when none is named. */
export const knownBrowsers: readonly KnownBrowser[] = [
  {
    id: "chrome",
    name: "Google Chrome",
    linux: {
      paths: [
        "/usr/bin/google-chrome-stable",
        "/usr/bin/google-chrome",
        "/opt/google/chrome/chrome",
        "/usr/local/bin/google-chrome",
        "/var/lib/flatpak/exports/bin/com.google.Chrome",
      ],
      commands: ["google-chrome-stable", "google-chrome", "google-chrome-beta"],
    },
    darwin: ["Google Chrome.app/Contents/MacOS/Google Chrome", "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"],
    win32: ["Google\\Chrome\\Application\\chrome.exe"],
  },
  {
    id: "chromium",
    name: "Chromium",
    linux: {
      paths: [
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/local/bin/chromium",
        "/snap/bin/chromium",
        "/var/lib/flatpak/exports/bin/org.chromium.Chromium",
      ],
      commands: ["chromium", "chromium-browser"],
    },
    darwin: ["Chromium.app/Contents/MacOS/Chromium"],
    win32: ["Chromium\\Application\\chrome.exe"],
  },
  {
    id: "edge",
    name: "Microsoft Edge",
    linux: {
      paths: [
        "/usr/bin/microsoft-edge-stable",
        "/usr/bin/microsoft-edge",
        "/opt/microsoft/msedge/msedge",
        "/var/lib/flatpak/exports/bin/com.microsoft.Edge",
      ],
      commands: ["microsoft-edge-stable", "microsoft-edge"],
    },
    darwin: ["Microsoft Edge.app/Contents/MacOS/Microsoft Edge"],
    win32: ["Microsoft\\Edge\\Application\\msedge.exe"],
  },
  {
    id: "brave",
    name: "Brave",
    linux: {
      paths: [
        "/usr/bin/brave-browser-stable",
        "/usr/bin/brave-browser",
        "/opt/brave.com/brave/brave",
        "/snap/bin/brave",
        "/var/lib/flatpak/exports/bin/com.brave.Browser",
      ],
      commands: ["brave-browser-stable", "brave-browser", "brave"],
    },
    darwin: ["Brave Browser.app/Contents/MacOS/Brave Browser"],
    win32: ["BraveSoftware\\Brave-Browser\\Application\\brave.exe"],
  },
];
