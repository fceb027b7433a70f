/** How a browser of ours is to run. */
export interface BrowserAppearance {
  /** Absolute directory that only this browser uses. */
  readonly profile: string;
  readonly headless: boolean;
  /**
   * `disabled` passes `--no-sandbox`: pages then run with all rights of the user. Never chosen for the caller, and always
   * told in the result.
   */
  readonly sandbox: BrowserSandbox;
  /** Size of the window in CSS pixels. */
  readonly window?: { readonly width: number; readonly height: number };
  /** Opened first; default `about:blank`. */
  readonly url?: string;
  /** The only hosts whose names and addresses are found; default all. */
  readonly hosts?: readonly string[];
}

export type BrowserSandbox = "enabled" | "disabled";

/** What the browser would do on its own beside what a page makes it do. */
const quietFeatures = [
  "AutofillServerCommunication",
  "CertificateTransparencyComponentUpdater",
  "DialMediaRouteProvider",
  "InterestFeedContentSuggestions",
  "MediaRouter",
  "OptimizationHints",
  "Translate",
] as const;

const quiet = [
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-background-networking",
  "--disable-breakpad",
  "--disable-client-side-phishing-detection",
  "--disable-component-extensions-with-background-pages",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-field-trial-config",
  "--disable-quic",
  "--disable-search-engine-choice-screen",
  "--disable-sync",
  "--metrics-recording-only",
  "--mute-audio",
  "--no-pings",
  "--no-service-autorun",
  "--password-store=basic",
  "--use-mock-keychain",
  `--disable-features=${quietFeatures.join(",")}`,
] as const;

/**
 * Arguments for a browser that only we debug: an own profile, a free port of the loopback interface, none of the traffic that
 * a browser makes by itself, nothing of the user's key stores.
 */
export function browserArguments({ profile, headless, sandbox, window, hosts, url = "about:blank" }: BrowserAppearance): readonly string[] {
  return [
    `--user-data-dir=${profile}`,
    "--remote-debugging-port=0",
    ...quiet,
    ...(headless ? ["--headless=new", "--disable-gpu"] : []),
    // Containers give 64 MB of shared memory; the profile's own directory takes its place.
    ...(process.platform === "linux" ? ["--disable-dev-shm-usage"] : []),
    ...(sandbox === "disabled" ? ["--no-sandbox"] : []),
    ...(window === undefined ? [] : [`--window-size=${String(window.width)},${String(window.height)}`]),
    ...(hosts === undefined ? [] : [`--host-resolver-rules=${["MAP * ~NOTFOUND", ...hosts.filter(isHost).map((host) => `EXCLUDE ${host}`)].join(" , ")}`]),
    url,
  ];
}

/** As the host of a URL is written; anything else could be a rule of its own. */
function isHost(host: string): boolean {
  return /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])$/.test(host);
}
