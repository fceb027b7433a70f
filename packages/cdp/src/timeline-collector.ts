import { z, type WebTimelineEvent } from "@rea/core";
import type { CaptureNotes } from "./page/capture-notes.js";
import { LimitedList } from "./page/capture-notes.js";
import type { FrameMap } from "./page/frame-map.js";
import { pageUrl, pageWord } from "./page/page-text.js";
import { releaseDialogs } from "./page/release-dialogs.js";
import type { TargetSession } from "./protocol/target-session.js";
import type { OriginPolicy } from "./targets/origins.js";

const rawFrame = z.looseObject({ id: z.string(), parentId: z.string().optional(), loaderId: z.string(), url: z.string() });
const startedNavigating = z.looseObject({ frameId: z.string(), loaderId: z.string(), navigationType: z.string() });
const frameNavigated = z.looseObject({ frame: rawFrame });
const withinDocument = z.looseObject({ frameId: z.string(), url: z.string(), navigationType: z.string().optional() });
const lifecycle = z.looseObject({ frameId: z.string(), loaderId: z.string().optional(), name: z.string() });
const frameEvent = z.looseObject({ frameId: z.string() });
const willBeSent = z.looseObject({
  requestId: z.string(),
  frameId: z.string().optional(),
  type: z.string().optional(),
  request: z.looseObject({ url: z.string() }),
  redirectResponse: z.looseObject({ status: z.int(), url: z.string() }).optional(),
});
const loadingFailed = z.looseObject({ requestId: z.string(), errorText: z.string(), canceled: z.boolean().optional() });
const thrown = z.looseObject({ exceptionDetails: z.looseObject({ text: z.string(), url: z.string().optional() }) });

/** Most requests whose URL is remembered until they end. */
const mostRequests = 10_000;

export interface TimelineContext {
  readonly frames: FrameMap;
  readonly policy: OriginPolicy;
  readonly notes: CaptureNotes;
  readonly limit: number;
  /** The main frame went to an origin that is not allowed. */
  readonly onLeft: () => void;
}

/** Writes down what happens to a page, in the order in which the browser tells it. */
export class TimelineCollector {
  readonly #context: TimelineContext;
  readonly #events: LimitedList<WebTimelineEvent>;
  readonly #started = performance.now();
  readonly #navigationTypes = new Map<string, string>();
  /** Documents that came while the page was listened to: what is told of them is news, before watching has begun as well. */
  readonly #arrived = new Set<string>();
  #begun = false;
  readonly #requests = new Map<string, { readonly url: string; readonly frameId: string | undefined }>();

  constructor(context: TimelineContext) {
    this.#context = context;
    this.#events = new LimitedList(context.limit, "timeline", context.notes);
  }

  /** What a browser tells again when a domain is enabled has been before; from here on it is news. */
  begin(): void {
    this.#begun = true;
  }

  get events(): readonly WebTimelineEvent[] {
    return this.#events.items;
  }

  get elapsedMs(): number {
    return Math.round(performance.now() - this.#started);
  }

  /** Notes something that is told elsewhere. */
  add(kind: WebTimelineEvent["kind"], about: { readonly frameId?: string | undefined; readonly url?: string | undefined; readonly detail?: string | undefined } = {}): void {
    const { frames, policy, notes } = this.#context;
    const frame = about.frameId === undefined ? null : frames.find(about.frameId);
    if (frame === "excluded" || (about.url !== undefined && !policy.allowsUrl(about.url))) {
      notes.exclude("timeline");
      return;
    }
    this.#events.add({
      at_ms: this.elapsedMs,
      kind,
      frame: frame?.key ?? null,
      url: about.url === undefined ? null : pageUrl(about.url),
      detail: about.detail === undefined ? null : pageWord(about.detail),
    });
  }

  /** After the frame map follows the session, so that frames are known when they are named here. */
  listen(session: TargetSession): void {
    this.#listenToFrames(session);
    this.#listenToRequests(session);
    releaseDialogs(session, (type) => {
      this.add("dialog", { detail: type });
    });
    session.on("Runtime.exceptionThrown", thrown, ({ exceptionDetails: { url } }) => {
      if (this.#begun) this.add("exception", { url: url === "" ? undefined : url });
    });
  }

  #listenToFrames(session: TargetSession): void {
    session.on("Page.frameStartedNavigating", startedNavigating, ({ loaderId, navigationType }) => {
      if (this.#navigationTypes.size < mostRequests) this.#navigationTypes.set(loaderId, navigationType);
    });
    session.on("Page.frameNavigated", frameNavigated, ({ frame: { id, parentId, loaderId, url } }) => {
      const left = parentId === undefined && this.#context.frames.find(id) === "excluded";
      const type = this.#navigationTypes.get(loaderId) ?? "";
      if (this.#arrived.size < mostRequests) this.#arrived.add(loaderId);
      if (left) {
        // Where it went is not kept.
        this.add("left_allowed_origins");
        this.#context.onLeft();
      } else this.add(/^reload/i.test(type) ? "reload" : "navigation", { frameId: id, url, detail: type === "" ? undefined : type });
    });
    session.on("Page.navigatedWithinDocument", withinDocument, ({ frameId, url, navigationType }) => {
      this.add("same_document", { frameId, url, detail: navigationType });
    });
    session.on("Page.lifecycleEvent", lifecycle, ({ frameId, loaderId, name }) => {
      if (this.#begun || (loaderId !== undefined && this.#arrived.has(loaderId))) this.add("lifecycle", { frameId, detail: name });
    });
    session.on("Page.frameAttached", frameEvent, ({ frameId }) => {
      this.add("frame_attached", { frameId });
    });
    session.on("Page.frameDetached", frameEvent, () => {
      this.add("frame_detached");
    });
    session.on("Inspector.targetCrashed", z.looseObject({}), () => {
      this.add("crashed");
    });
  }

  #listenToRequests(session: TargetSession): void {
    session.on("Network.requestWillBeSent", willBeSent, ({ requestId, frameId, type, request, redirectResponse }) => {
      if (redirectResponse !== undefined && type === "Document") {
        const allowed = this.#context.policy.allowsUrl(request.url);
        this.add("redirect", { frameId, url: allowed ? request.url : undefined, detail: `${String(redirectResponse.status)}${allowed ? "" : " to an origin that is not allowed"}` });
      }
      if (this.#requests.size < mostRequests) this.#requests.set(requestId, { url: request.url, frameId });
    });
    session.on("Network.loadingFinished", z.looseObject({ requestId: z.string() }), ({ requestId }) => {
      this.#requests.delete(requestId);
    });
    session.on("Network.loadingFailed", loadingFailed, ({ requestId, errorText, canceled }) => {
      const request = this.#requests.get(requestId);
      this.#requests.delete(requestId);
      if (request !== undefined) this.add("request_failed", { ...request, detail: canceled === true ? "canceled" : errorText });
    });
  }
}
