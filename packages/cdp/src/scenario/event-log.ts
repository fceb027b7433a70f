import { z, type BrowserScenarioEvent, type ScenarioEventKind, type ScenarioRequest } from "@rea/core";
import type { TargetSession } from "../protocol/target-session.js";
import type { OriginPolicy } from "../targets/origins.js";
import { consoleCalled, exceptionThrown, textOfArguments } from "./console-shapes.js";
import { headersOf, loadingFailed, loadingFinished, requestSent, responseReceived } from "./network-shapes.js";
import type { PageWords } from "./page-words.js";

const frameAttached = z.looseObject({ frameId: z.string() });
const frameNavigated = z.looseObject({ frame: z.looseObject({ id: z.string(), url: z.string() }) });
const withinDocument = z.looseObject({ frameId: z.string(), url: z.string() });
const dialog = z.looseObject({ type: z.string() });
const socketCreated = z.looseObject({ requestId: z.string(), url: z.string() });
const socketFrame = z.looseObject({ requestId: z.string(), response: z.looseObject({ opcode: z.number(), payloadData: z.string() }) });
const socketPlain = z.looseObject({ requestId: z.string() });

type Fact<E extends BrowserScenarioEvent = BrowserScenarioEvent> = E extends BrowserScenarioEvent ? Omit<E, "order" | "step_id" | "at_ms"> : never;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface EventLogOptions {
  readonly kinds: ReadonlySet<ScenarioEventKind>;
  readonly limit: number;
  readonly policy: OriginPolicy;
  readonly words: PageWords;
  /** Milliseconds since the start. */
  readonly now: () => number;
  readonly mainFrame: () => string;
}

/** What happens in the page, each event with the step in which it began. Kinds that were not asked for are not kept. */
export class EventLog {
  readonly events: BrowserScenarioEvent[] = [];
  readonly #options: EventLogOptions;
  readonly #requests = new Map<string, Mutable<ScenarioRequest>>();
  readonly #sockets = new Map<string, number>();
  readonly #replayed = new Set<string>();
  #step = "";
  dropped = 0;

  constructor(options: EventLogOptions) {
    this.#options = options;
  }

  /** Events from now on belong to this step. */
  enter(stepId: string): void {
    this.#step = stepId;
  }

  /** Listens to a page or a frame of another process, or to a worker. */
  listen(session: TargetSession): void {
    const { kinds } = this.#options;
    session.on("Page.javascriptDialogOpening", dialog, ({ type }) => {
      this.add({ kind: "dialog", dialog: this.#options.words.word(type), answer: "dismissed" });
    });
    if (kinds.has("console")) this.#listenToConsole(session);
    if (kinds.has("page_errors")) this.#listenToErrors(session);
    if (kinds.has("network")) this.#listenToNetwork(session);
    if (kinds.has("websockets")) this.#listenToSockets(session);
    if (kinds.has("frames")) this.#listenToFrames(session);
  }

  replayed(networkId: string): void {
    this.#replayed.add(networkId);
    const request = this.#requests.get(networkId);
    if (request !== undefined) request.replayed = true;
  }

  /** Keeps an event, or counts it where there is no room. */
  add(fact: Fact): BrowserScenarioEvent | null {
    if (this.events.length >= this.#options.limit) {
      this.dropped += 1;
      return null;
    }
    const event: BrowserScenarioEvent = { ...fact, order: this.events.length + 1, step_id: this.#step, at_ms: this.#options.now() };
    this.events.push(event);
    return event;
  }

  #listenToConsole(session: TargetSession): void {
    session.on("Runtime.consoleAPICalled", consoleCalled, ({ type, args }) => {
      const { text, truncated } = this.#options.words.text(textOfArguments(args));
      this.add({ kind: "console", level: this.#options.words.word(type), text, text_truncated: truncated, argument_types: args.slice(0, 32).map((each) => this.#options.words.word(each.type)) });
    });
  }

  #listenToErrors(session: TargetSession): void {
    session.on("Runtime.exceptionThrown", exceptionThrown, ({ exceptionDetails: details }) => {
      const { words } = this.#options;
      const { text, truncated } = words.text(details.exception?.description ?? details.text);
      this.add({ kind: "page_error", text, text_truncated: truncated, url: details.url === undefined || details.url === "" ? null : words.url(details.url), line: details.lineNumber ?? null });
    });
  }

  #listenToNetwork(session: TargetSession): void {
    const { words, policy, now } = this.#options;
    session.on("Network.requestWillBeSent", requestSent, (sent) => {
      const key = sent.requestId;
      const before = this.#requests.get(key);
      if (before !== undefined && sent.redirectResponse !== undefined) this.#answered(before, sent.redirectResponse, "redirected");
      this.#requests.delete(key);
      if (!policy.allowsUrl(sent.request.url) || /^data:/i.test(sent.request.url)) return;
      const event = this.add({
        kind: "network",
        method: words.word(sent.request.method),
        url: words.url(sent.request.url),
        resource_type: words.word(sent.type ?? "Other"),
        request_headers: words.headers(headersOf(sent.request.headers)),
        request_body_bytes: (sent.request.postDataEntries ?? []).reduce((sum, { bytes }) => sum + Buffer.from(bytes ?? "", "base64").length, 0),
        status: null,
        status_text: "",
        protocol: null,
        media_type: null,
        response_headers: [],
        encoded_bytes: null,
        decoded_bytes: null,
        outcome: "pending",
        failure: null,
        replayed: this.#replayed.has(sent.requestId),
        redirected_from: before?.order ?? null,
        wall_time: sent.wallTime === undefined ? null : new Date(sent.wallTime * 1000).toISOString(),
        answered_ms: null,
        ended_ms: null,
      });
      if (event?.kind === "network") this.#requests.set(key, event);
    });
    session.on("Network.responseReceived", responseReceived, ({ requestId, response }) => {
      const request = this.#requests.get(requestId);
      if (request !== undefined) this.#answered(request, response, "pending");
    });
    session.on("Network.loadingFinished", loadingFinished, ({ requestId, encodedDataLength }) => {
      const request = this.#requests.get(requestId);
      if (request === undefined) return;
      request.outcome = "finished";
      request.encoded_bytes = Math.max(0, Math.round(encodedDataLength));
      request.ended_ms = now() - request.at_ms;
    });
    session.on("Network.dataReceived", z.looseObject({ requestId: z.string(), dataLength: z.number() }), ({ requestId, dataLength }) => {
      const request = this.#requests.get(requestId);
      if (request !== undefined) request.decoded_bytes = (request.decoded_bytes ?? 0) + Math.max(0, Math.round(dataLength));
    });
    session.on("Network.loadingFailed", loadingFailed, ({ requestId, errorText, canceled }) => {
      const request = this.#requests.get(requestId);
      if (request === undefined) return;
      request.outcome = canceled === true ? "canceled" : "failed";
      request.failure = words.word(errorText);
      request.ended_ms = now() - request.at_ms;
    });
  }

  #answered(request: Mutable<ScenarioRequest>, response: z.output<typeof responseReceived>["response"], outcome: "redirected" | "pending"): void {
    const { words, now } = this.#options;
    request.status = response.status;
    request.status_text = words.word(response.statusText);
    request.protocol = response.protocol === undefined ? null : words.word(response.protocol);
    request.media_type = words.word(response.mimeType);
    request.response_headers = words.headers(headersOf(response.headers));
    request.answered_ms = now() - request.at_ms;
    if (outcome === "redirected") request.ended_ms = request.answered_ms;
    request.outcome = outcome;
  }

  #listenToSockets(session: TargetSession): void {
    const { words, policy } = this.#options;
    const numberOf = (id: string): number | undefined => this.#sockets.get(id);
    session.on("Network.webSocketCreated", socketCreated, ({ requestId, url }) => {
      if (!policy.allowsUrl(url)) return;
      const socket = this.#sockets.size;
      this.#sockets.set(requestId, socket);
      this.add({ kind: "websocket", socket, event: "opened", url: words.url(url), opcode: null, bytes: null });
    });
    for (const [method, event] of [["Network.webSocketFrameSent", "sent"], ["Network.webSocketFrameReceived", "received"]] as const) {
      session.on(method, socketFrame, ({ requestId, response: { opcode, payloadData } }) => {
        const socket = numberOf(requestId);
        // RFC 6455 §5.6: text as it is, everything else in base64.
        if (socket !== undefined) this.add({ kind: "websocket", socket, event, url: null, opcode, bytes: Buffer.byteLength(payloadData, opcode === 1 ? "utf8" : "base64") });
      });
    }
    for (const [method, event] of [["Network.webSocketFrameError", "failed"], ["Network.webSocketClosed", "closed"]] as const) {
      session.on(method, socketPlain, ({ requestId }) => {
        const socket = numberOf(requestId);
        if (socket !== undefined) this.add({ kind: "websocket", socket, event, url: null, opcode: null, bytes: null });
      });
    }
  }

  #listenToFrames(session: TargetSession): void {
    const { words, policy, mainFrame } = this.#options;
    const add = (event: "attached" | "navigated" | "navigated_within_document" | "detached", frameId: string, url: string | null): void => {
      if (url === null || policy.allowsUrl(url)) this.add({ kind: "frame", event, main: frameId === mainFrame(), url: url === null ? null : words.url(url) });
    };
    session.on("Page.frameAttached", frameAttached, ({ frameId }) => add("attached", frameId, null));
    session.on("Page.frameNavigated", frameNavigated, ({ frame }) => add("navigated", frame.id, frame.url));
    session.on("Page.navigatedWithinDocument", withinDocument, ({ frameId, url }) => add("navigated_within_document", frameId, url));
    session.on("Page.frameDetached", frameAttached, ({ frameId }) => add("detached", frameId, null));
  }
}

