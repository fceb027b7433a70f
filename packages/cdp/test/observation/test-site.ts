import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

/** A site of two origins that does everything a capture has a section for. */
export interface TestSite {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** The same host under another port: another origin, the same process of a browser. */
  readonly sameSite: string;
  /** `http://localhost:PORT`: another site, drawn by another process. */
  readonly otherSite: string;
  /** Texts as they were sent, by path. */
  readonly texts: { readonly [path: string]: string };
  /** How often each path was asked for. */
  readonly asked: ReadonlyMap<string, number>;
  /** Lets `/hold` answer; pages wait for that before they do what they are there for. */
  release(): void;
  /** Pages that wait for that. */
  waiting(): number;
  close(): Promise<void>;
}

const appSource = [
  'import "./part.js";',
  "const state = { ticks: 0, secret: 'kept-by-the-page' };",
  "export function start() { state.ticks += 1; return fetch('/api/data.json?token=s3cret&page=1').then((answer) => answer.json()); }",
  "const read = (path) => fetch(path).then((answer) => answer.text());",
  "console.log('Grüße', { a: 1 }, 42);",
  "start();",
  "async function round() { await Promise.allSettled([start(), read('/redirect'), read('/missing'), read('/slow')]); setTimeout(round, 50); }",
  "round();",
  "//# sourceMappingURL=app.js.map",
  "",
].join("\n");
const partSource = "export const part = 'two';\n//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbInBhcnQudHMiXSwibWFwcGluZ3MiOiJBQUFBIn0=\n";
const appMap = JSON.stringify({ version: 3, sources: ["../src/app.ts"], sourcesContent: ["start();"], names: [], mappings: "AAAA" });

const setup = `
document.cookie = "visible=cookie-value; path=/";
localStorage.setItem("theme", "dark-value"); localStorage.setItem("api_key", "local-secret-value");
sessionStorage.setItem("step", "session-value");
const opened = indexedDB.open("shop", 3);
opened.onupgradeneeded = () => { const store = opened.result.createObjectStore("carts", { keyPath: "id" }); store.createIndex("by_owner", "owner"); store.put({ id: 1, owner: "database-value" }); };
caches.open("assets-v1").then((cache) => cache.put("/cached.txt", new Response("cached-body", { headers: { "content-type": "text/plain" } })));
navigator.serviceWorker.register("/sw.js");
new Worker("/worker.js");
window.socket = new WebSocket(location.origin.replace("http", "ws") + "/socket");
function converse() { const fresh = new WebSocket(location.origin.replace("http", "ws") + "/socket"); fresh.onmessage = () => { fresh.send('{"hello":[1,2]}'); fresh.onmessage = null; setTimeout(() => fresh.close(), 30); }; fresh.onclose = () => setTimeout(converse, 50); }
converse();
customElements.define("x-box", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<b>shadow</b>"; } });
`;

function page(other: string, near: string): string {
  return `<!doctype html><html lang="en"><head><title>Site \u202e of tests</title><meta name="generator" content="Hand 1.0"><link rel="manifest" href="/app.webmanifest"></head>
<body><h1>Heading</h1><form><label>Name <input name="user" value="typed-value"></label><input type="password" value="password-value"></form><x-box></x-box>
<iframe src="/frame.html"></iframe><iframe src="${near}/near.html"></iframe><iframe src="${other}/other.html"></iframe>
<script>${setup}</script><script type="module" src="/app.js"></script></body></html>`;
}

/** Starts it on free ports of loopback. */
export async function startSite(): Promise<TestSite> {
  const asked = new Map<string, number>();
  const texts: { [path: string]: string } = {};
  const held: ServerResponse[] = [];
  const main = createServer((request, response) => {
    const path = (request.url ?? "/").replace(/\?.*$/s, "");
    asked.set(path, (asked.get(path) ?? 0) + 1);
    if (path === "/hold") held.push(response);
    else answer(path, request, response, texts);
  });
  const second = createServer((request, response) => {
    html(response, request.url === "/near.html" ? "<p>near</p><script>var nearSecret = 'near-script';</script>" : "<p>other</p><script>var otherSecret = 'other-script'; setInterval(() => console.log('other-noise'), 5);</script>");
  });
  const origin = await listen(main);
  const sameSite = await listen(second);
  const otherSite = sameSite.replace("127.0.0.1", "localhost");
  texts["/"] = page(otherSite, sameSite);
  texts["/app.js"] = appSource;
  texts["/part.js"] = partSource;
  texts["/app.js.map"] = appMap;
  texts["/data.json"] = JSON.stringify({ items: [{ id: 1, name: "response-value" }, { id: "two" }], next: null });
  const sockets = new WebSocketServer({ server: main, path: "/socket" });
  sockets.on("connection", (socket) => {
    const timer = setInterval(() => {
      socket.send('{"tick":1,"payload":"socket-value"}');
    }, 60);
    socket.on("close", () => {
      clearInterval(timer);
    });
    socket.on("error", () => undefined);
  });
  return {
    origin,
    sameSite,
    otherSite,
    texts,
    asked,
    waiting: () => held.length,
    release: () => {
      for (const response of held.splice(0)) send(response, "text/plain", "go on");
    },
    close: async () => {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      await Promise.all([stop(main), stop(second)]);
    },
  };
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function answer(path: string, _request: IncomingMessage, response: ServerResponse, texts: { readonly [path: string]: string }): void {
  switch (path) {
    case "/":
      response.setHeader("content-security-policy", "img-src 'self'");
      response.setHeader("cross-origin-opener-policy", "same-origin");
      response.setHeader("set-cookie", "hidden=http-only-value; HttpOnly; Path=/");
      return html(response, texts["/"] ?? "");
    case "/frame.html":
      return html(response, "<p>frame</p><script>var inFrame = 1;</script>");
    case "/goes.html":
      return html(response, "<script>fetch('/hold').then(() => { location.href = '/moved.html'; })</script>");
    case "/pushes.html":
      return html(response, "<script>fetch('/hold').then(() => { history.pushState({}, '', '/pushed?token=s3cret'); })</script>");
    case "/leaves.html":
      return html(response, "<script>fetch('/hold').then(() => { location.href = 'http://localhost:' + location.port + '/secret-place.html'; })</script>");
    case "/stops.html":
      return html(response, "<script>let beats = 0; setInterval(() => { debugger; beats += 1; fetch('/beat'); }, 40);</script>");
    case "/asks.html":
      return html(response, "<script>fetch('/hold').then(() => { alert('dialog-text'); fetch('/answered'); })</script>");
    case "/busy.html":
      return html(response, "<script>fetch('/hold').then(() => { for (;;); })</script>");
    case "/large.html":
      return html(response, "<script>const big = document.createComment('x'.repeat(18 * 1024 * 1024)); document.append(big);</script><p>small</p>");
    case "/loud.html":
      return html(response, "<script>fetch('/hold').then(() => { console.log('before'); console.log('y'.repeat(18 * 1024 * 1024)); fetch('/shouted'); })</script>");
    case "/moved.html":
      return html(response, "<title>Moved</title><p>moved</p>");
    case "/app.js":
    case "/part.js":
      return send(response, "text/javascript; charset=utf-8", texts[path] ?? "");
    case "/sw.js":
      return send(response, "text/javascript", "self.addEventListener('fetch', () => {});");
    case "/worker.js":
      return send(response, "text/javascript", "setInterval(() => {}, 1000);");
    case "/app.js.map":
      return send(response, "application/json", texts[path] ?? "");
    case "/api/data.json":
      response.setHeader("link", "</next.css>; rel=preload; as=style");
      response.setHeader("cross-origin-resource-policy", "same-origin");
      return send(response, "application/json", texts["/data.json"] ?? "");
    case "/redirect":
      response.writeHead(302, { location: "/landed.txt" });
      response.end();
      return;
    case "/landed.txt":
      return send(response, "text/plain", "landed");
    case "/slow":
      setTimeout(() => {
        send(response, "text/plain", "slow");
      }, 200);
      return;
    default:
      response.writeHead(404, { "content-type": "text/plain" });
      response.end("not here");
  }
}

function html(response: ServerResponse, text: string): void {
  send(response, "text/html; charset=utf-8", text);
}

function send(response: ServerResponse, type: string, text: string): void {
  response.setHeader("content-type", type);
  response.setHeader("cache-control", "no-store");
  response.end(text);
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${String(portOf(server))}`;
}

export function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
}

export async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => { resolve(); }));
}
