import { createServer, type Server, type ServerResponse } from "node:http";

const modules = 12;
const rows = 250;

const page = `<!doctype html><html><head><title>Bench</title><meta name="generator" content="Hand 1.0"></head><body>
<table>${Array.from({ length: rows }, (_, at) => `<tr><td>${String(at)}</td><td><a href="/row/${String(at)}">row</a></td></tr>`).join("")}</table>
<iframe src="/frame.html"></iframe>
<script>
for (let at = 0; at < 40; at += 1) { localStorage.setItem("key" + at, "value" + at); sessionStorage.setItem("step" + at, String(at)); document.cookie = "name" + (at % 10) + "=value"; }
indexedDB.open("shop", 1).onupgradeneeded = (event) => event.target.result.createObjectStore("carts");
caches.open("assets");
navigator.serviceWorker.register("/sw.js");
new Worker("/worker.js");
setInterval(() => fetch("/api/items.json").then((answer) => answer.json()), 100);
</script>
${Array.from({ length: modules }, (_, at) => `<script type="module" src="/module-${String(at)}.js"></script>`).join("")}
</body></html>`;

/** A site with something for every section of a capture; answers on loopback. */
export async function startBenchSite(): Promise<{ readonly origin: string; close(): void }> {
  const server = createServer((request, response) => {
    answer(request.url ?? "/", response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${String(portOf(server))}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(path: string, response: ServerResponse): void {
  const script = /^\/(?:module-\d+|sw|worker)\.js$/.test(path);
  response.setHeader("content-type", script ? "text/javascript" : path.endsWith(".json") ? "application/json" : "text/html");
  if (path.startsWith("/module-")) response.end(`export const items = [${"1,".repeat(2000)}];\nconsole.log(${JSON.stringify(path)}, items.length);\n`);
  else if (script) response.end("setInterval(() => {}, 1000);");
  else if (path.endsWith(".json")) response.end('{"items":[{"id":1}]}');
  else response.end(path === "/frame.html" ? "<p>frame</p>" : page);
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
