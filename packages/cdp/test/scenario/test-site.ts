import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";

/** A small site of two origins that remembers what it was asked. */
export interface TestSite {
  readonly origin: string;
  readonly other: string;
  /** Method and path of every request that arrived, with the host it was for. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

type Pages = { readonly [path: string]: string | ((request: IncomingMessage, response: ServerResponse) => void) | undefined };

export async function startSite(pages: (site: { readonly other: string }) => Pages): Promise<TestSite> {
  const requests: string[] = [];
  let made: Pages = {};
  const handle = (name: string) => (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? "/").replace(/[?#].*$/, "");
    requests.push(`${name} ${request.method ?? ""} ${request.url ?? ""}`);
    const page = made[`${name}:${path}`] ?? made[path];
    if (typeof page === "function") return page(request, response);
    if (page === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": path.endsWith(".js") ? "text/javascript" : "text/html; charset=utf-8" }).end(page);
  };
  const [first, second] = [createServer(handle("first")), createServer(handle("other"))];
  const upgraded = new Set<Duplex>();
  for (const server of [first, second]) {
    server.on("upgrade", (request, socket) => {
      upgraded.add(socket);
      requests.push(`socket ${request.url ?? ""}`);
      const key = createHash("sha1").update(`${String(request.headers["sec-websocket-key"])}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
      socket.on("error", () => undefined);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`);
      socket.write(Buffer.from([0x81, 5, ...Buffer.from("hello")]));
    });
  }
  const [a, b] = [await listen(first), await listen(second)];
  const site = { origin: `http://127.0.0.1:${String(a)}`, other: `http://127.0.0.1:${String(b)}` };
  made = pages(site);
  return {
    ...site,
    requests,
    close: async () => {
      for (const socket of upgraded) socket.destroy();
      for (const server of [first, second]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}
