import { createServer, ServerResponse, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ProtocolEvent, ReplayTransition } from "@rea/core";
import { WebSocketServer } from "ws";
import { answerRequest, refuseStranger, type ReplayRequest } from "./http-exchange.js";
import { Pauses } from "./pauses.js";
import { ProtocolRecorder, type Hiding } from "./protocol-recorder.js";
import { createAccess, type ReplayAccess } from "./replay-access.js";
import type { ReplayContext } from "./replay-connections.js";
import { responderOf, transportsOf, type ReplayPlan } from "./replay-plan.js";
import { answerUpgrade, refuseUpgrade } from "./websocket-exchange.js";

export interface ReplayServerOptions {
  readonly plan: ReplayPlan;
  readonly limits: {
    readonly connections: number;
    readonly protocol_events: number;
    readonly protocol_body_bytes: number;
    /** From the start of the program. */
    readonly duration_ms: number;
  };
  /** Milliseconds since the start of the program. */
  readonly now: () => number;
  /** In the order of happening; called before the answer is sent. */
  readonly onEvent: (event: ProtocolEvent) => void;
  readonly onTransition: (transition: ReplayTransition) => void;
  readonly hiding: Hiding;
}

/** Servers on the loopback interface that answer one program, until they are closed. */
export interface ReplayServer {
  /** Variables for the program: `REA_REPLAY_HTTP_URL`, `REA_REPLAY_WEBSOCKET_URL`, as far as the plan has them. */
  readonly env: { readonly [name: string]: string };
  /** What differs from run to run and may turn up in output. */
  readonly madeUp: { readonly port: number; readonly tokens: readonly string[] };
  /** What is missing from the events. */
  missed(): { readonly droppedEvents: number; readonly strangers: number };
  /** Ends listeners, connections and waits. Safe to call twice; `remaining` counts sockets that did not end. */
  close(): Promise<{ readonly remaining: number }>;
}

const address = "127.0.0.1";
/** Connections beyond the plan's own, so that a stranger cannot keep the program out. */
const spareConnections = 32;
const closeWaitMs = 1000;

/** Starts listening on a port of the system's choice. Throws what the system says when no port can be had. */
export async function startReplayServer(options: ReplayServerOptions): Promise<ReplayServer> {
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 0 });
  server.maxConnections = options.limits.connections + spareConnections;
  const port = await listen(server);
  return new RunningReplay(options, server, port);
}

class RunningReplay implements ReplayServer {
  readonly env: { readonly [name: string]: string };
  readonly madeUp: ReplayServer["madeUp"];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #numbers = new WeakMap<Duplex, number>();
  readonly #pauses = new Pauses();
  readonly #recorder: ProtocolRecorder;
  readonly #webSockets: WebSocketServer;
  #connections = 0;
  #strangers = 0;
  #closing: Promise<{ readonly remaining: number }> | null = null;

  constructor(options: ReplayServerOptions, server: Server, port: number) {
    const { plan, limits, now } = options;
    const transports = transportsOf(plan);
    const hosts = new Set([`${address}:${String(port)}`, `localhost:${String(port)}`]);
    const access = { http: createAccess(hosts), websocket: createAccess(hosts) };
    this.#server = server;
    this.#recorder = new ProtocolRecorder({ now, maximumEvents: limits.protocol_events, maximumBodyBytes: limits.protocol_body_bytes, hiding: options.hiding, onEvent: options.onEvent });
    const maximumBytes = plan.kind === "machine" ? Math.min(plan.machine.limits.bytes, limits.protocol_body_bytes) : limits.protocol_body_bytes;
    // A bound of 0 would mean none.
    this.#webSockets = new WebSocketServer({ noServer: true, maxPayload: Math.max(1, maximumBytes), perMessageDeflate: false, clientTracking: true });
    const context: ReplayContext = {
      responder: responderOf(plan, { bytes: limits.protocol_body_bytes, connections: limits.connections, duration_ms: limits.duration_ms, messages: limits.protocol_events }),
      recorder: this.#recorder,
      pauses: this.#pauses,
      maximumBytes,
      now,
      onTransition: plan.kind === "machine" ? options.onTransition : null,
      numberOf: (socket) => this.#numberOf(socket),
    };
    this.#serve(context, access);
    const urls: [string, string][] = [];
    if (transports.http) urls.push(["REA_REPLAY_HTTP_URL", `http://${address}:${String(port)}/${access.http.token}`]);
    if (transports.websocket) urls.push(["REA_REPLAY_WEBSOCKET_URL", `ws://${address}:${String(port)}/${access.websocket.token}`]);
    this.env = Object.fromEntries(urls);
    this.madeUp = { port, tokens: [access.http.token, access.websocket.token] };
  }

  missed(): { readonly droppedEvents: number; readonly strangers: number } {
    return { droppedEvents: this.#recorder.dropped, strangers: this.#strangers };
  }

  close(): Promise<{ readonly remaining: number }> {
    return (this.#closing ??= this.#close());
  }

  #serve(context: ReplayContext, access: { readonly http: ReplayAccess; readonly websocket: ReplayAccess }): void {
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      // A connection that breaks ends; what it had asked is recorded where it was read.
      socket.on("error", () => socket.destroy());
      socket.once("close", () => this.#sockets.delete(socket));
    });
    const answer = (asked: ReplayRequest): void => {
      // What cannot be answered any more has lost its connection.
      answerRequest(context, asked).catch(() => asked.request.socket.destroy());
    };
    this.#server.on("request", (request, response) => {
      const path = access.http.pathOf(request);
      if (path === undefined) {
        this.#strangers += 1;
        refuseStranger(response);
      } else answer({ request, response, path });
    });
    this.#server.on("upgrade", (request, socket: Duplex, head: Buffer) => {
      const path = access.websocket.pathOf(request);
      const other = path === undefined && isPlainOffer(request) ? access.http.pathOf(request) : undefined;
      if (path !== undefined) answerUpgrade(context, this.#webSockets, { request, socket, head, path });
      else if (other !== undefined) answer({ request, response: responseOn(request), path: other, bodyless: true });
      else {
        this.#strangers += 1;
        refuseUpgrade(socket, 404);
      }
    });
    this.#server.on("clientError", (_error, socket: Duplex) => socket.destroy());
  }

  #numberOf(socket: Duplex): number {
    const known = this.#numbers.get(socket);
    if (known !== undefined) return known;
    const number = this.#connections;
    this.#connections += 1;
    this.#numbers.set(socket, number);
    return number;
  }

  async #close(): Promise<{ readonly remaining: number }> {
    this.#pauses.end();
    const sockets = [...this.#sockets].map((socket) => new Promise<void>((resolve) => socket.once("close", () => resolve())));
    const ended = Promise.all([...sockets, new Promise<void>((resolve) => this.#server.close(() => resolve()))]);
    for (const client of this.#webSockets.clients) client.terminate();
    for (const socket of this.#sockets) socket.destroy();
    const limit = new Pauses();
    await Promise.race([ended, limit.wait(closeWaitMs)]);
    limit.end();
    return { remaining: this.#sockets.size + (this.#server.listening ? 1 : 0) };
  }
}

/** Some clients offer HTTP/2 with an ordinary request, which may be answered as if they had not. */
function isPlainOffer({ headers }: IncomingMessage): boolean {
  const bodyless = (headers["content-length"] ?? "0") === "0" && headers["transfer-encoding"] === undefined;
  return bodyless && headers.upgrade?.toLowerCase() !== "websocket";
}

/** The answer to a request that the server has let go of; its connection ends with it. */
function responseOn(request: IncomingMessage): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(request.socket);
  response.once("finish", () => request.socket.end());
  return response;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: address, port: 0, exclusive: true }, () => {
      server.off("error", reject);
      resolve(portOf(server.address()));
    });
  });
}

function portOf(bound: AddressInfo | string | null): number {
  if (typeof bound === "object" && bound !== null) return bound.port;
  throw new Error("A TCP server has an address of the network.");
}
