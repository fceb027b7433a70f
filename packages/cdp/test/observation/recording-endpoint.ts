import { createServer, type IncomingMessage } from "node:http";
import { WebSocket, WebSocketServer, type RawData } from "ws";
import { listen, portOf, stop } from "./test-site.js";

/** An endpoint that passes everything on to another one and writes down which methods were sent over it. */
export interface RecordingEndpoint {
  readonly url: string;
  readonly methods: string[];
  /** Sockets that are open at the moment. */
  open(): number;
  close(): Promise<void>;
}

export async function recordingEndpoint(target: string): Promise<RecordingEndpoint> {
  const methods: string[] = [];
  const server = createServer((request, response) => {
    void fetch(`${target}${request.url ?? "/"}`).then(async (answer) => {
      const text = await answer.text();
      response.setHeader("content-type", "application/json");
      response.end(text.replaceAll(new URL(target).host, `127.0.0.1:${String(portOf(server))}`));
    });
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 * 1024 });
  server.on("upgrade", (request: IncomingMessage, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      relay(client, new WebSocket(`${target.replace("http", "ws")}${request.url ?? "/"}`, { maxPayload: 64 * 1024 * 1024 }), methods);
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

function relay(client: WebSocket, upstream: WebSocket, methods: string[]): void {
  const waiting: string[] = [];
  client.on("message", (data: RawData) => {
    const text = textOf(data);
    const message: unknown = JSON.parse(text);
    if (typeof message === "object" && message !== null && "method" in message && typeof message.method === "string") methods.push(message.method);
    if (upstream.readyState === WebSocket.OPEN) upstream.send(text);
    else waiting.push(text);
  });
  upstream.on("open", () => {
    for (const text of waiting.splice(0)) upstream.send(text);
  });
  upstream.on("message", (data: RawData) => {
    if (client.readyState === WebSocket.OPEN) client.send(textOf(data));
  });
  const end = (): void => {
    client.terminate();
    upstream.terminate();
  };
  for (const socket of [client, upstream]) {
    socket.on("close", end);
    socket.on("error", end);
  }
}

export function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString("utf8");
  return data instanceof ArrayBuffer ? Buffer.from(data).toString("utf8") : data.toString("utf8");
}
