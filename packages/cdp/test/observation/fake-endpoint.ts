import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { WebSocketServer, type WebSocket } from "ws";
import { z } from "@rea/core";
import { listen, portOf, stop } from "./test-site.js";
import { textOf } from "./recording-endpoint.js";

export interface FakeCommand {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly [name: string]: unknown };
  readonly sessionId: string | undefined;
}

/** What a fake does with a command; true when it has dealt with it, else the usual answer is given. */
export type Misbehaviour = (command: FakeCommand, socket: WebSocket) => boolean;

export interface FakeOptions {
  readonly misbehave?: Misbehaviour;
  /** In the place of `/json/version` and `/json/list`. */
  readonly answer?: (path: string, response: ServerResponse, port: number) => boolean;
  /** Other targets of the list. */
  readonly targets?: readonly { readonly id: string; readonly type: string; readonly url: string }[];
  readonly browserSocket?: boolean;
}

export interface FakeEndpoint {
  readonly url: string;
  readonly methods: string[];
  open(): number;
  close(): Promise<void>;
}

const command = z.object({ id: z.int(), method: z.string(), params: z.record(z.string(), z.unknown()), sessionId: z.string().optional() });

export const pageUrl = "http://site.test/";

/** A browser with one empty page, that is well-behaved where it is not told otherwise. */
export async function fakeEndpoint(options: FakeOptions = {}): Promise<FakeEndpoint> {
  const methods: string[] = [];
  const server: Server = createServer((request, response) => {
    const port = portOf(server);
    if (options.answer?.(request.url ?? "", response, port) === true) return;
    respond(request, response, port, options);
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => {
    let sessions = 0;
    socket.on("error", () => undefined);
    socket.on("message", (data) => {
      const received = command.parse(JSON.parse(textOf(data)));
      const given: FakeCommand = { ...received, sessionId: received.sessionId };
      methods.push(given.method);
      if (options.misbehave?.(given, socket) === true) return;
      if (given.method === "Target.attachToTarget") sessions += 1;
      reply(socket, given, usualAnswer(given, sessions));
    });
  });
  const url = await listen(server);
  return {
    url,
    methods,
    open: () => sockets.clients.size,
    close: async () => {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      await stop(server);
    },
  };
}

export function reply(socket: WebSocket, { id, sessionId }: Pick<FakeCommand, "id" | "sessionId">, result: object): void {
  socket.send(JSON.stringify({ id, result, ...(sessionId === undefined ? {} : { sessionId }) }));
}

export function tell(socket: WebSocket, sessionId: string | undefined, method: string, params: object): void {
  socket.send(JSON.stringify({ method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
}

function respond(request: IncomingMessage, response: ServerResponse, port: number, { targets = [], browserSocket = true }: FakeOptions): void {
  const host = `ws://127.0.0.1:${String(port)}/devtools`;
  response.setHeader("content-type", "application/json");
  if (request.url === "/json/version") {
    response.end(JSON.stringify({ Browser: "Fake/1.0", "Protocol-Version": "1.3", ...(browserSocket ? { webSocketDebuggerUrl: `${host}/browser/1` } : {}) }));
    return;
  }
  const all = [{ id: "page-1", type: "page", url: pageUrl }, ...targets];
  response.end(JSON.stringify(all.map((target) => ({ ...target, title: "Fake", webSocketDebuggerUrl: `${host}/page/${target.id}` }))));
}

function usualAnswer({ method }: FakeCommand, sessions: number): object {
  const frame = { id: "page-1", loaderId: "loader-1", url: pageUrl, securityOrigin: "http://site.test", mimeType: "text/html" };
  switch (method) {
    case "Target.getTargets":
      return { targetInfos: [{ targetId: "page-1", type: "page", url: pageUrl, attached: false }] };
    case "Target.attachToTarget":
      return { sessionId: `session-${String(sessions)}` };
    case "Page.getFrameTree":
      return { frameTree: { frame } };
    case "Page.getResourceTree":
      return { frameTree: { frame, resources: [] } };
    case "DOMSnapshot.captureSnapshot":
      return { documents: [], strings: [] };
    case "Accessibility.getFullAXTree":
      return { nodes: [] };
    case "Network.getCookies":
      return { cookies: [] };
    case "Network.getSecurityIsolationStatus":
      return { status: {} };
    case "Storage.getStorageKey":
      return { storageKey: "http://site.test/" };
    case "DOMStorage.getDOMStorageItems":
      return { entries: [] };
    case "IndexedDB.requestDatabaseNames":
      return { databaseNames: [] };
    case "CacheStorage.requestCacheNames":
      return { caches: [] };
    default:
      return {};
  }
}
