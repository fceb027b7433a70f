import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { escapeUntrusted, ReaError, throwIfAborted, truncateCodePoints } from "@rea/core";
import type { CleanupReport, EndedRun, OwnedProcess, ProcessLauncher, ProcessResource } from "@rea/lineage";
import { browserArguments, type BrowserSandbox } from "./browser-flags.js";
import { browserEnvironment } from "./browser-environment.js";
import { ProfileDirectory, type ProfileResource } from "./profile-directory.js";
import { cleanupIncomplete } from "../cleanup-incomplete.js";

const operation = "launch_browser";

export interface LaunchRequest {
  /** Absolute path of the browser. */
  readonly executable: string;
  /** Aborting ends the browser with all its processes, also after the start. */
  readonly signal: AbortSignal;
  /** Milliseconds after which the browser is ended, however it is used. */
  readonly lifetimeMs: number;
  /** Milliseconds until it must have told its port; default 20,000. */
  readonly startupMs?: number;
  /** Default true. */
  readonly headless?: boolean;
  /**
   * Default `enabled`. A browser of Chromium's family refuses to run with its sandbox as root of Linux; that is
   * `unsupported_host`, and only a caller that says `disabled` gets it run without.
   */
  readonly sandbox?: BrowserSandbox;
  readonly window?: { readonly width: number; readonly height: number };
  /** Opened first; default `about:blank`. */
  readonly url?: string;
  /** The only hosts whose names and addresses the browser finds, as URLs write them; default all. */
  readonly hosts?: readonly string[];
  /** What a browser with a window needs of the host: display, session bus. Default that of this process. */
  readonly environment?: { readonly [name: string]: string | undefined };
  /** Where the profile is made; default the host's directory for temporary files. */
  readonly parent?: string;
}

export type BrowserResource = ProcessResource | ProfileResource;

/** How ending a browser came out, as results of launching tools carry it. */
export interface BrowserCleanup {
  readonly state: CleanupReport["state"];
  readonly ownership_proof: CleanupReport["ownership_proof"];
  readonly ownership_reason?: string;
  /** Only what remains. */
  readonly resources: readonly BrowserResource[];
}

/** A browser of ours with a profile of its own. */
export interface LaunchedBrowser {
  /** `http://127.0.0.1:PORT`, for the connections of this package. */
  readonly endpoint: string;
  readonly executable: OwnedProcess["executable"];
  readonly headless: boolean;
  readonly sandbox: BrowserSandbox;
  /** What is to be said wherever this browser's answers are told. */
  readonly limitations: readonly string[];
  /** Settles when the browser is over, by will or not, and its processes and its profile are cleaned up; never rejects. */
  readonly ended: Promise<BrowserCleanup>;
  /** Whether it is over, and how, as far as is known now. */
  exit(): { readonly reason: EndedRun["reason"]; readonly code: number | null; readonly signal: string | null } | null;
  /** Ends it; safe to call twice, and tries again what an earlier end had to leave. */
  close(): Promise<BrowserCleanup>;
}

/**
 * Starts a browser with a fresh profile and waits until it tells the port at which it can be debugged. Throws what starting
 * a program throws, `unsupported_host` (root with the sandbox on), `provider_unavailable` (`browser_exited`,
 * `profile_unusable`), `provider_timeout` and `cancelled`; whatever it throws, its processes and its profile are gone, or
 * the error is `cleanup_incomplete`.
 */
export async function launchBrowser(launcher: ProcessLauncher, request: LaunchRequest): Promise<LaunchedBrowser> {
  const { signal, sandbox = "enabled", parent } = request;
  throwIfAborted(signal, operation);
  if (sandbox === "enabled" && isRoot()) throw rootNeedsSandbox();
  const directory = await ProfileDirectory.create(parent);
  let browser: OwnedBrowser | null = null;
  try {
    const run = await launcher.start(startRequest(request, directory));
    browser = new OwnedBrowser(run, directory, request);
    await browser.open(request);
    return browser;
  } catch (error) {
    const resources = browser === null ? await directory.remove() : (await browser.close()).resources;
    throw resources.length === 0 ? error : incomplete(error, resources);
  }
}

function startRequest(request: LaunchRequest, directory: ProfileDirectory): Parameters<ProcessLauncher["start"]>[0] {
  const { headless = true, sandbox = "enabled", window, url, hosts } = request;
  const appearance = { profile: directory.profile, headless, sandbox, ...(window === undefined ? {} : { window }), ...(url === undefined ? {} : { url }), ...(hosts === undefined ? {} : { hosts }) };
  return {
    executable: request.executable,
    arguments: browserArguments(appearance),
    environment: browserEnvironment(request.environment ?? process.env, { directory, headless }),
    workingDirectory: directory.root,
    signal: request.signal,
    deadlineMs: request.lifetimeMs,
    keep: "tail",
    // Chromium writes its profile to the end when it is asked to go; nobody needs this one.
    settleMs: 250,
    // Launchers look at the name they were called by.
    byGivenName: true,
  };
}

class OwnedBrowser implements LaunchedBrowser {
  readonly ended: Promise<BrowserCleanup>;
  readonly headless: boolean;
  readonly sandbox: BrowserSandbox;
  readonly #run: OwnedProcess;
  readonly #directory: ProfileDirectory;
  #port: number | null = null;
  #over: EndedRun | null = null;

  constructor(run: OwnedProcess, directory: ProfileDirectory, { headless = true, sandbox = "enabled" }: LaunchRequest) {
    this.#run = run;
    this.#directory = directory;
    this.headless = headless;
    this.sandbox = sandbox;
    this.ended = run.ended.then(async (ended) => {
      this.#over = ended;
      return this.#cleanedUp(ended);
    });
  }

  get endpoint(): string {
    return `http://127.0.0.1:${String(this.#port)}`;
  }

  get executable(): OwnedProcess["executable"] {
    return this.#run.executable;
  }

  get limitations(): readonly string[] {
    return this.sandbox === "enabled"
      ? []
      : ["The browser ran without its sandbox, as the request said: its pages had the rights of the user that started it."];
  }

  exit(): ReturnType<LaunchedBrowser["exit"]> {
    return this.#over === null ? null : { reason: this.#over.reason, ...this.#over.exit };
  }

  async close(): Promise<BrowserCleanup> {
    const ended = await this.#run.close();
    await this.ended;
    return this.#cleanedUp(ended);
  }

  /** Waits for the port. */
  async open({ signal, startupMs = defaultStartupMs }: LaunchRequest): Promise<void> {
    const deadline = performance.now() + startupMs;
    for (;;) {
      throwIfAborted(signal, operation);
      this.#port = await portIn(this.#directory.profile);
      if (this.#port !== null) return;
      if (this.#over !== null) throw exited(this.#over);
      if (performance.now() > deadline) throw tooLate(startupMs);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  async #cleanedUp({ cleanup }: EndedRun): Promise<BrowserCleanup> {
    const left = await this.#directory.remove();
    const { state, ownership_proof, ownership_reason, resources } = cleanup;
    return {
      state: left.length > 0 ? "incomplete" : state,
      ownership_proof,
      ...(ownership_reason === undefined ? {} : { ownership_reason }),
      resources: [...resources, ...left],
    };
  }
}

const pollMs = 15;
const defaultStartupMs = 20_000;

/** The browser writes the file in one piece, port first; a file without its second line is not ready. */
async function portIn(profile: string): Promise<number | null> {
  const text = await readFile(join(profile, "DevToolsActivePort"), "latin1").catch(() => "");
  const match = /^(\d{1,5})\n\/devtools\/browser\//.exec(text);
  const port = Number(match?.[1] ?? 0);
  return port >= 1 && port <= 65_535 ? port : null;
}

function isRoot(): boolean {
  return process.platform === "linux" && process.geteuid?.() === 0;
}

function rootNeedsSandbox(): ReaError {
  return new ReaError("unsupported_host", {
    message: "Browsers of Chromium's family do not run with their sandbox as root. Run REA as another user, or ask for a browser without sandbox.",
    details: { required: "a user other than root, or sandbox: disabled", actual: "root" },
    action: "Run REA as another user. Only where every page that will be opened is trusted: ask for sandbox disabled.",
  });
}

function exited({ exit, reason, stderr }: EndedRun): ReaError {
  const said = escapeUntrusted(truncateCodePoints(stderr.bytes.toString("utf8"), 2_000).text, { multiline: true });
  return new ReaError("provider_unavailable", {
    message: "The browser ended before it could be debugged. Details hold what it wrote; try the browser by hand, or name another one.",
    details: { reason: reason === "timeout" ? "browser_timeout" : "browser_exited", exit: { ...exit }, diagnostics: said },
    action: "Start the browser by hand to see why it ends, or let REA_BROWSER_PATH name another one.",
  });
}

function tooLate(timeoutMs: number): ReaError {
  return new ReaError("provider_timeout", {
    message: `The browser did not tell its port within ${String(timeoutMs)} ms. Call again, or name another browser.`,
    details: { operation, timeout_ms: timeoutMs, phase: "browser_start" },
  });
}

function incomplete(error: unknown, resources: readonly BrowserResource[]): ReaError {
  return cleanupIncomplete(error, { operation, happened: "The browser did not start, and not all of it could be removed.", resources });
}
