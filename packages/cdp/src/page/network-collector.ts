import { omission, z, type WebMetadata, type WebRequest } from "@rea/core";
import { CommandRefused } from "../protocol/connection.js";
import type { TargetSession } from "../protocol/target-session.js";
import { LimitedList } from "./capture-notes.js";
import type { Collector, CollectorContext } from "./collector.js";
import { jsonShape } from "./json-shape.js";
import { pageText, pageUrl, pageWord } from "./page-text.js";
import { declaredHeaders } from "./declared-headers.js";

const count = z.number().nonnegative();
const headers = z.record(z.string(), z.string());
const response = z.looseObject({
  url: z.string(),
  status: z.int().nonnegative(),
  mimeType: z.string(),
  headers,
  protocol: z.string().optional(),
  fromDiskCache: z.boolean().optional(),
  fromServiceWorker: z.boolean().optional(),
  fromPrefetchCache: z.boolean().optional(),
});
const willBeSent = z.looseObject({
  requestId: z.string(),
  frameId: z.string().optional(),
  type: z.string().optional(),
  request: z.looseObject({ url: z.string(), method: z.string(), hasPostData: z.boolean().optional() }),
  initiator: z.looseObject({ type: z.string(), url: z.string().optional(), lineNumber: count.optional(), stack: z.looseObject({ callFrames: z.array(z.looseObject({ url: z.string(), lineNumber: z.int() })) }).optional() }),
  redirectResponse: response.optional(),
});
const received = z.looseObject({ requestId: z.string(), response });
const dataReceived = z.looseObject({ requestId: z.string(), dataLength: count });
const finished = z.looseObject({ requestId: z.string(), encodedDataLength: count });
const failed = z.looseObject({ requestId: z.string(), errorText: z.string(), canceled: z.boolean().optional(), blockedReason: z.string().optional() });
const servedFromCache = z.looseObject({ requestId: z.string() });
const body = z.looseObject({ body: z.string(), base64Encoded: z.boolean() });

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Running {
  readonly position: number;
  readonly session: TargetSession;
  readonly protocolId: string;
}

/** Requests made while the page is watched, in the order in which the browser told them. */
export class NetworkCollector implements Collector {
  readonly #context: CollectorContext;
  readonly #requests: LimitedList<Mutable<WebRequest>>;
  readonly #running = new Map<string, Running>();
  readonly #metadata: WebMetadata[] = [];
  readonly #bodies: Promise<void>[] = [];

  constructor(context: CollectorContext) {
    this.#context = context;
    this.#requests = new LimitedList(context.limits.network_events, "network", context.notes);
  }

  listen(session: TargetSession): void {
    session.on("Network.requestWillBeSent", willBeSent, (event) => {
      this.#sent(session, event);
    });
    session.on("Network.responseReceived", received, ({ requestId, response }) => {
      this.#with(requestId, (request) => {
        this.#answer(request, response);
      });
    });
    session.on("Network.requestServedFromCache", servedFromCache, ({ requestId }) => {
      this.#with(requestId, (request) => (request.served_from = "disk_cache"));
    });
    session.on("Network.dataReceived", dataReceived, ({ requestId, dataLength }) => {
      this.#with(requestId, (request) => (request.decoded_bytes = (request.decoded_bytes ?? 0) + Math.trunc(dataLength)));
    });
    session.on("Network.loadingFinished", finished, ({ requestId, encodedDataLength }) => {
      this.#with(requestId, (request, running) => {
        request.outcome = "finished";
        request.encoded_bytes = Math.trunc(encodedDataLength);
        request.decoded_bytes ??= 0;
        this.#bodies.push(this.#readBody(request, running));
      });
      this.#running.delete(requestId);
    });
    session.on("Network.loadingFailed", failed, ({ requestId, errorText, canceled, blockedReason }) => {
      this.#with(requestId, (request) => {
        request.outcome = blockedReason !== undefined ? "blocked" : canceled === true ? "canceled" : "failed";
        request.failure = pageWord(blockedReason ?? errorText);
      });
      this.#running.delete(requestId);
    });
  }

  /** The section, when every body that was asked for has come. */
  async items(): Promise<WebRequest[]> {
    await Promise.all(this.#bodies);
    return this.#requests.items;
  }

  /** Headers of answers that say how the page is to be treated. */
  get metadata(): readonly WebMetadata[] {
    return this.#metadata;
  }

  #sent(session: TargetSession, event: z.output<typeof willBeSent>): void {
    const before = this.#running.get(event.requestId);
    if (event.redirectResponse !== undefined && before !== undefined) this.#redirect(before, event.redirectResponse);
    this.#running.delete(event.requestId);
    const { frames, policy, notes } = this.#context;
    const frame = frames.find(event.frameId);
    if (frame === "excluded" || !policy.allowsUrl(event.request.url)) {
      notes.exclude("network");
      return;
    }
    const position = this.#requests.add({
      frame: frame.key,
      method: pageWord(event.request.method),
      url: pageUrl(event.request.url),
      resource_type: pageWord(event.type ?? "Other"),
      status: null,
      media_type: null,
      protocol: null,
      served_from: "unknown",
      initiator: this.#initiator(event.initiator),
      request_body: event.request.hasPostData === true,
      encoded_bytes: null,
      decoded_bytes: null,
      outcome: "pending",
      failure: null,
      redirected_from: event.redirectResponse === undefined ? null : (before?.position ?? null),
      response_body: { state: "omitted", reason: "not_requested" },
    });
    if (position !== undefined) this.#running.set(event.requestId, { position, session, protocolId: event.requestId });
  }

  #redirect({ position }: Running, answered: z.output<typeof response>): void {
    const request = this.#requests.items[position];
    if (request === undefined) return;
    this.#answer(request, answered);
    request.outcome = "redirected";
  }

  #answer(request: Mutable<WebRequest>, answered: z.output<typeof response>): void {
    request.status = answered.status;
    request.media_type = pageWord(answered.mimeType.toLowerCase());
    request.protocol = answered.protocol === undefined ? null : pageWord(answered.protocol);
    if (request.served_from === "unknown") request.served_from = servedFrom(answered);
    for (const { name, value } of declaredHeaders(answered.headers)) {
      const { text, truncated } = pageText(value, this.#context.limits.text_bytes);
      this.#metadata.push({ frame: request.frame, name, value: text, value_truncated: truncated, source: "response_header", trust: "page-declared-untrusted", url: request.url });
    }
  }

  #initiator({ type, url, lineNumber, stack }: z.output<typeof willBeSent>["initiator"]): WebRequest["initiator"] {
    const caller = stack?.callFrames[0];
    const place = caller === undefined ? { url, line: lineNumber } : { url: caller.url, line: caller.lineNumber };
    const named = place.url !== undefined && place.url !== "" && this.#context.policy.allowsUrl(place.url);
    return { type: pageWord(type), url: named ? pageUrl(place.url ?? "") : null, line: named && place.line !== undefined && place.line >= 0 ? Math.trunc(place.line) : null };
  }

  async #readBody(request: Mutable<WebRequest>, { session, protocolId }: Running): Promise<void> {
    const { include, limits, notes } = this.#context;
    if (!include.has("json_body_shapes")) return;
    if (!/(?:^|[/+])json(?:$|;)/.test(request.media_type ?? "")) request.response_body = { state: "omitted", reason: "not_json" };
    else if ((request.decoded_bytes ?? 0) > limits.json_body_bytes) {
      request.response_body = { state: "omitted", reason: "too_large" };
      notes.cut("network", omission("network", "limit_entry_bytes", { count: 1, limit: limits.json_body_bytes, how_to_continue: "Raise limits.json_body_bytes." }));
    } else request.response_body = await this.#bodyOf(session, protocolId);
  }

  async #bodyOf(session: TargetSession, requestId: string): Promise<WebRequest["response_body"]> {
    const { limits } = this.#context;
    try {
      const found = await session.command("Network.getResponseBody", { requestId }, body);
      const text = found.base64Encoded ? Buffer.from(found.body, "base64").toString("utf8") : found.body;
      if (Buffer.byteLength(text) > limits.json_body_bytes) return { state: "omitted", reason: "too_large" };
      const shape = jsonShape(text, { depth: limits.shape_depth, nodes: limits.shape_nodes });
      return shape === undefined ? { state: "omitted", reason: "not_json" } : { state: "included", shape };
    } catch (error) {
      // Gone from the browser's memory, or the connection is over, which is told where that matters.
      if (error instanceof CommandRefused || session.failure !== null) return { state: "omitted", reason: "unavailable" };
      throw error;
    }
  }

  #with(requestId: string, change: (request: Mutable<WebRequest>, running: Running) => void): void {
    const running = this.#running.get(requestId);
    const request = running === undefined ? undefined : this.#requests.items[running.position];
    if (running !== undefined && request !== undefined) change(request, running);
  }
}

function servedFrom({ fromDiskCache, fromServiceWorker, fromPrefetchCache }: z.output<typeof response>): WebRequest["served_from"] {
  if (fromServiceWorker === true) return "service_worker";
  if (fromPrefetchCache === true) return "prefetch_cache";
  return fromDiskCache === true ? "disk_cache" : "network";
}
