import { omission, z, type WebSocketEvent } from "@rea/core";
import type { TargetSession } from "../protocol/target-session.js";
import { LimitedList } from "./capture-notes.js";
import type { Collector, CollectorContext } from "./collector.js";
import { jsonShape } from "./json-shape.js";
import { pageUrl } from "./page-text.js";

const created = z.looseObject({ requestId: z.string(), url: z.string() });
const ended = z.looseObject({ requestId: z.string() });
const frame = z.looseObject({ requestId: z.string(), response: z.looseObject({ opcode: z.int(), payloadData: z.string() }) });

interface Socket {
  readonly number: number;
  /** Null for one that was opened before the page was watched. */
  readonly url: string | null;
}

const opcodes = new Map<number, NonNullable<WebSocketEvent["opcode"]>>([
  [0, "continuation"],
  [1, "text"],
  [2, "binary"],
  [8, "close"],
  [9, "ping"],
  [10, "pong"],
]);

/** Messages of sockets of the page, without what they say. */
export class WebSocketCollector implements Collector {
  readonly #context: CollectorContext;
  readonly #events: LimitedList<WebSocketEvent>;
  readonly #sockets = new Map<string, Socket | "excluded">();
  #numbered = 0;

  constructor(context: CollectorContext) {
    this.#context = context;
    this.#events = new LimitedList(context.limits.websocket_events, "websocket", context.notes);
  }

  get items(): readonly WebSocketEvent[] {
    return this.#events.items;
  }

  listen(session: TargetSession): void {
    session.on("Network.webSocketCreated", created, ({ requestId, url }) => {
      const socket = this.#context.policy.allowsUrl(url) ? this.#number(url) : "excluded";
      this.#sockets.set(requestId, socket);
      this.#add(socket, { event: "opened", opcode: null, bytes: null, shape: null });
    });
    session.on("Network.webSocketFrameSent", frame, (event) => {
      this.#message(session, "sent", event);
    });
    session.on("Network.webSocketFrameReceived", frame, (event) => {
      this.#message(session, "received", event);
    });
    session.on("Network.webSocketFrameError", ended, ({ requestId }) => {
      this.#add(this.#find(requestId, session), { event: "failed", opcode: null, bytes: null, shape: null });
    });
    session.on("Network.webSocketClosed", ended, ({ requestId }) => {
      this.#add(this.#find(requestId, session), { event: "closed", opcode: null, bytes: null, shape: null });
    });
  }

  #message(session: TargetSession, event: "sent" | "received", { requestId, response }: z.output<typeof frame>): void {
    const socket = this.#find(requestId, session);
    const { opcode, payloadData } = response;
    // Only text comes as it is; all else in base64.
    const bytes = opcode === 1 ? Buffer.byteLength(payloadData) : Buffer.byteLength(payloadData, "base64");
    this.#add(socket, { event, opcode: opcodes.get(opcode) ?? "other", bytes, shape: opcode === 1 ? this.#shape(socket, payloadData) : null });
  }

  #shape(socket: Socket | "excluded", text: string): WebSocketEvent["shape"] {
    const { include, limits } = this.#context;
    // The origin of a socket without a known URL is not known either.
    if (!include.has("websocket_shapes") || socket === "excluded" || socket.url === null || Buffer.byteLength(text) > limits.json_body_bytes) return null;
    return jsonShape(text, { depth: limits.shape_depth, nodes: limits.shape_nodes }) ?? null;
  }

  #find(requestId: string, session: TargetSession): Socket | "excluded" {
    const known = this.#sockets.get(requestId);
    if (known !== undefined) return known;
    const { notes, frames, limits } = this.#context;
    if (this.#sockets.size >= limits.websocket_events) return "excluded";
    notes.attachLimited("websocket", omission("websocket", "not_examined", { count: 1, how_to_continue: "This socket was opened before the page was watched, so its URL is not known; reload the page while it is watched." }));
    // It could be that of a frame that is not allowed.
    const socket = frames.hasExcluded(session) ? ("excluded" as const) : this.#number(null);
    this.#sockets.set(requestId, socket);
    return socket;
  }

  #number(url: string | null): Socket {
    this.#numbered += 1;
    return { number: this.#numbered - 1, url: url === null ? null : pageUrl(url) };
  }

  #add(socket: Socket | "excluded", event: Omit<WebSocketEvent, "socket" | "url">): void {
    if (socket === "excluded") this.#context.notes.exclude("websocket");
    else this.#events.add({ socket: socket.number, url: socket.url, ...event });
  }
}
