import {
  canonicalDigestOfWhole,
  omission,
  webLimitsSchema,
  webPageLimits,
  type ProgressReporter,
  type WebInclude,
  type WebLimits,
  type WebMetadata,
  type WebPageCapture,
  type WebScript,
  type WebSection,
  type WebStorage,
  type WebWorker,
} from "@rea/core";
import { CommandRefused } from "../protocol/connection.js";
import { reasonOf } from "../protocol/failures.js";
import type { TargetSession } from "../protocol/target-session.js";
import { attachPage, type AdmittedPage, type AttachedPage } from "../targets/attach.js";
import { AccessibilityReader } from "./accessibility-reader.js";
import { requireBoundary, takeBoundary, type Boundary } from "./boundary.js";
import { CaptureNotes } from "./capture-notes.js";
import type { CollectorContext } from "./collector.js";
import { ConsoleCollector } from "./console-collector.js";
import { DomReader } from "./dom-reader.js";
import { FrameMap } from "./frame-map.js";
import { readIsolation } from "./isolation-reader.js";
import { mergedLimits } from "./merged-limits.js";
import { NetworkCollector } from "./network-collector.js";
import { onOwnConnection, type PageState } from "./own-connection.js";
import { readStorages } from "./read-storages.js";
import { releaseDialogs } from "./release-dialogs.js";
import { ResourceReader } from "./resource-reader.js";
import { ScriptCollector, type SeenScript } from "./script-collector.js";
import { waitWindow } from "./wait-window.js";
import { WebSocketCollector } from "./websocket-collector.js";
import { readWorkers } from "./worker-reader.js";

export interface CaptureRequest {
  readonly observationMs: number;
  readonly include: readonly WebInclude[];
  /** Over the standard ones. */
  readonly limits?: { readonly [K in keyof WebLimits]?: number | undefined } | undefined;
  /** Sections that are not read at all; default none. */
  readonly without?: readonly WebSection[];
  readonly progress: ProgressReporter;
}

/** A capture, and the scripts as they are, for those who read on in them. */
export interface CapturedPage {
  readonly capture: WebPageCapture;
  /** URLs unescaped and with their parameters; never part of a result. */
  readonly scripts: readonly { readonly item: WebScript; readonly seen: SeenScript }[];
}

const eventSections = ["scripts", "network", "console", "websocket"] as const satisfies readonly WebSection[];
const alwaysSaid = "A page can find out that it is watched, as its developer tools would be: Runtime and Debugger were enabled for the time of the capture.";

/** Watches a page for a time, then reads its state. Changes nothing in it. Throws an observation error. */
export async function capturePage(page: AdmittedPage, request: CaptureRequest): Promise<CapturedPage> {
  const limits = mergedLimits(webLimitsSchema, webPageLimits, request.limits);
  const notes = new CaptureNotes();
  for (const limitation of page.limitations) notes.limitation(limitation);
  notes.limitation(alwaysSaid);
  const watched = await watch(page, { ...request, limits, notes });
  request.progress.report({ phase: "reading", completed: request.observationMs, message: "Reading the state of the page." });
  const state = await readState({ page, boundary: watched.boundary, notes, frameLimit: limits.frames, watched: watched.frames }, watched, request.without ?? []);
  const scripts = watched.scripts.map(({ item }) => item);
  const read = sections.filter((section) => request.without?.includes(section) !== true);
  const section = <T>(name: WebSection, items: T[]) => sectionOf(notes, name, items);
  const capture: WebPageCapture = {
    schema_version: 2,
    kind: "web-page",
    browser: page.browser,
    target: page.target,
    capture_window: watched.window,
    allowed_origins: [...page.allowedOrigins],
    include: [...request.include],
    limits,
    frames: section("frames", watched.frames.items()),
    dom: section("dom", [...state.dom.items]),
    accessibility: section("accessibility", [...state.accessibility.items]),
    scripts: section("scripts", scripts),
    resources: section("resources", state.resources.items(scripts)),
    network: { ...section("network", watched.network), prior_activity_available: false },
    console: section("console", [...watched.console.items]),
    websocket: section("websocket", [...watched.websocket.items]),
    workers: section("workers", state.workers),
    metadata: section("metadata", [...state.isolation, ...state.dom.metadata, ...watched.metadata]),
    storage: section("storage", state.storage),
    completeness: notes.completeness(read),
    coverage: notes.coverage(),
    limitations: notes.limitations,
  };
  return { capture, scripts: watched.scripts };
}

const sections: readonly WebSection[] = ["frames", "dom", "accessibility", "scripts", "resources", "network", "console", "websocket", "workers", "metadata", "storage"];

function sectionOf<T>(notes: CaptureNotes, name: WebSection, items: T[]) {
  const state = notes.state(name);
  const total = state === "unavailable" ? null : items.length + notes.dropped(name);
  return { state, items, total, sha256: canonicalDigestOfWhole(items).sha256 };
}

interface Watched {
  readonly boundary: Boundary;
  readonly frames: FrameMap;
  readonly window: WebPageCapture["capture_window"];
  readonly context: CollectorContext;
  readonly scripts: CapturedPage["scripts"];
  readonly network: WebPageCapture["network"]["items"];
  readonly metadata: readonly WebMetadata[];
  readonly console: ConsoleCollector;
  readonly websocket: WebSocketCollector;
}

async function watch(page: AdmittedPage, request: Omit<CaptureRequest, "limits"> & { readonly limits: WebLimits; readonly notes: CaptureNotes }): Promise<Watched> {
  const { limits, notes } = request;
  const attached = await attachPage(page);
  try {
    const boundary = await takeBoundary(attached.session, page);
    const frames = new FrameMap(page, { limit: limits.frames, notes });
    await frames.read(attached);
    const context: CollectorContext = { frames, policy: page.policy, notes, limits, include: new Set(request.include) };
    const scripts = new ScriptCollector(context);
    const network = new NetworkCollector(context);
    const console = new ConsoleCollector(context);
    const websocket = new WebSocketCollector(context);
    const started = new Date();
    for (const session of frames.sessions) {
      frames.follow(session);
      releaseDialogs(session, () => {
        notes.limitation("A dialog of the page was let go while it was looked at, as it would have been unwatched.");
      });
      for (const collector of [scripts, network, console, websocket]) collector.listen(session);
    }
    const found = await throughWindow(attached, notes, async () => {
      await Promise.all(frames.sessions.map((session) => enableEvents(session, request.without ?? [])));
      await requireBoundary(attached.session, page, boundary);
      await waitWindow({ attached, milliseconds: request.observationMs, page, progress: request.progress });
      const items = await scripts.items();
      await requireBoundary(attached.session, page, boundary);
      return items;
    });
    const seen = scripts.scripts();
    return {
      boundary,
      frames,
      window: { started_at: started.toISOString(), ended_at: new Date().toISOString(), requested_ms: request.observationMs, same_document_navigations: frames.sameDocumentNavigations },
      context,
      scripts: seen.map((script, index) => ({ item: found?.[index] ?? script.item, seen: script })),
      network: await network.items(),
      metadata: network.metadata,
      console,
      websocket,
    };
  } finally {
    await attached.close();
  }
}

/** A message that is too large ends the events, and what came before it stands. */
async function throughWindow<T>(attached: AttachedPage, notes: CaptureNotes, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (attached.connection.failure === null || reasonOf(attached.connection.failure) !== "payload_limit") throw error;
    for (const section of eventSections) {
      notes.cut(section, omission(section, "limit_total_bytes", { how_to_continue: "The page said something larger than one message may be, which ended the events." }));
    }
    return undefined;
  }
}

/** The order matters: the page must not stop at a `debugger` statement, and frames are known before what runs in them. */
async function enableEvents(session: TargetSession, without: readonly WebSection[]): Promise<void> {
  await session.tell("Debugger.setSkipAllPauses", { skip: true });
  await session.enable("Page");
  const enabled = [session.enable("Runtime"), session.enable("Debugger", { maxScriptsCacheSize: 0 })];
  if (!without.includes("network")) enabled.push(session.enable("Network", { maxPostDataSize: 0 }));
  // Hosts without the domain have no remarks of the browser.
  if (!without.includes("console")) enabled.push(session.enable("Log").catch(ignoreRefusal));
  await Promise.all(enabled);
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof CommandRefused)) throw error;
}

interface ReadState {
  readonly dom: DomReader;
  readonly accessibility: AccessibilityReader;
  readonly resources: ResourceReader;
  readonly isolation: readonly WebMetadata[];
  readonly workers: WebWorker[];
  readonly storage: WebStorage[];
}

/** Every section over a connection of its own, side by side. */
async function readState(state: PageState, { context }: Watched, without: readonly WebSection[]): Promise<ReadState> {
  const dom = new DomReader(context);
  const accessibility = new AccessibilityReader(context);
  const resources = new ResourceReader(context);
  const isolation: WebMetadata[] = [];
  const own = <T>(section: WebSection, read: (attached: AttachedPage, frames: FrameMap) => Promise<T>): Promise<T | undefined> => {
    return without.includes(section) ? Promise.resolve(undefined) : onOwnConnection(state, section, read);
  };
  const [workers, storage] = await Promise.all([
    own("workers", (attached, frames) => readWorkers(attached, frames, context)),
    without.includes("storage") ? [] : readStorages(state, context),
    own("dom", async (_, frames) => {
      for (const session of frames.sessions) await dom.read(session);
    }),
    own("accessibility", async (_, frames) => {
      for (const frame of frames.frames) await accessibility.read(frame.session, frame);
    }),
    own("resources", async (_, frames) => {
      for (const session of frames.sessions) await resources.read(session);
    }),
    own("metadata", async (_, frames) => {
      for (const frame of frames.frames) isolation.push(...(await readIsolation(frame.session, frame, context.limits.text_bytes)));
    }),
  ]);
  return { dom, accessibility, resources, isolation, workers: workers ?? [], storage };
}
