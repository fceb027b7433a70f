import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { RawData, WebSocket, WebSocketServer } from "ws";
import { decide, headerPairs, type ReplayContext } from "./replay-connections.js";
import type { ReplayAction } from "./replay-decision.js";

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  /** What follows the token. */
  readonly path: string;
}

const empty = new Uint8Array();
/** RFC 6455 §7.4.1: no close frame came. */
const closedAbnormally = 1006;

/** One connection from its handshake on; a refused one gets an answer of HTTP and ends. */
export function answerUpgrade(context: ReplayContext, server: WebSocketServer, { request, socket, head, path }: Upgrade): void {
  const connection = context.numberOf(socket);
  const headers = headerPairs(request.rawHeaders);
  if (!isHandshake(request)) {
    context.recorder.record({ transport: "websocket", connection, kind: "connect", outcome: "unmatched", path, headers });
    refuseUpgrade(socket, 400);
    return;
  }
  const { outcome, actions } = decide(context, { kind: "websocket_connect", connection, method: "GET", path, headers, data: empty }, { transport: "websocket", kind: "connect" });
  if (outcome !== "matched") {
    refuseUpgrade(socket, outcome === "limit_exhausted" ? 503 : 404);
    return;
  }
  server.handleUpgrade(request, socket, head, (opened) => new Conversation(context, opened, connection).begin(actions));
}

/** RFC 6455 §4.2.1, what a server must see before it may agree. */
function isHandshake({ method, headers }: IncomingMessage): boolean {
  const { upgrade, "sec-websocket-key": key, "sec-websocket-version": version } = headers;
  return method === "GET" && upgrade?.toLowerCase() === "websocket" && /^[+/0-9A-Za-z]{22}==$/.test(key ?? "") && version === "13";
}

/** Ends a handshake with a status line and nothing else. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ""}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

/** An open connection: messages are decided as they come, answers leave in order. */
class Conversation {
  readonly #context: ReplayContext;
  readonly #socket: WebSocket;
  readonly #connection: number;
  #sending: Promise<void> = Promise.resolve();
  #endedByUs = false;
  #tooLong = false;

  constructor(context: ReplayContext, socket: WebSocket, connection: number) {
    this.#context = context;
    this.#socket = socket;
    this.#connection = connection;
  }

  begin(actions: readonly ReplayAction[]): void {
    this.#socket.on("message", (data) => {
      const { actions: answers } = decide(this.#context, this.#event("websocket_message", bytesOf(data)), { transport: "websocket", kind: "message_in" });
      this.#submit(answers);
    });
    // The close event follows; a message over the bound ends the connection this way.
    this.#socket.on("error", (error) => {
      this.#tooLong = "code" in error && error.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";
    });
    this.#socket.once("close", (code) => this.#closed(code));
    this.#submit(actions);
  }

  #closed(code: number): void {
    const { responder, recorder, onTransition, now } = this.#context;
    const { outcome } = responder.handle({ ...this.#event("websocket_close", empty), atMs: now() });
    if (this.#endedByUs) return;
    // A machine has nothing that the end of a connection could be against, as long as it is said.
    const fits = outcome === "matched" || (onTransition !== null && code !== closedAbnormally);
    const said = this.#tooLong ? "limit_exhausted" : fits ? null : "disconnected";
    recorder.record({ transport: "websocket", connection: this.#connection, kind: "close", outcome: said });
  }

  #event(kind: "websocket_message" | "websocket_close", data: Uint8Array) {
    return { kind, connection: this.#connection, method: "GET", path: "/", headers: [], data } as const;
  }

  #submit(actions: readonly ReplayAction[]): void {
    for (const action of actions) this.#sending = this.#sending.then(() => this.#perform(action));
  }

  async #perform(action: ReplayAction): Promise<void> {
    const { recorder, pauses } = this.#context;
    if (!(await pauses.wait(action.delayMs)) || this.#socket.readyState !== this.#socket.OPEN) return;
    const facts = { transport: "websocket", connection: this.#connection } as const;
    switch (action.kind) {
      case "websocket_message":
        recorder.record({ ...facts, kind: "message_out", body: action.data });
        this.#socket.send(action.data, { binary: action.binary });
        return;
      case "websocket_close":
        this.#end(() => this.#socket.close(action.code));
        return;
      case "disconnect":
        this.#end(() => this.#socket.terminate());
        return;
      case "continue":
      case "http_response":
        return;
    }
  }

  #end(how: () => void): void {
    this.#endedByUs = true;
    this.#context.recorder.record({ transport: "websocket", connection: this.#connection, kind: "close" });
    how();
  }
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
