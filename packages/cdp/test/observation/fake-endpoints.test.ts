import { connect, createServer } from "node:net";
import { isReaError, type InspectWebPageInput, type ReaError } from "@rea/core";
import { afterEach, describe, expect, it } from "vitest";
import { inspectPage, listBrowserTargets, parseEndpoint } from "../../src/index.js";
import { fakeEndpoint, pageUrl, reply, tell, type FakeEndpoint, type FakeOptions } from "./fake-endpoint.js";
import { context } from "./real-browser.js";

let fake: FakeEndpoint | null = null;
afterEach(async () => {
  await fake?.close();
  fake = null;
});

async function start(options: FakeOptions = {}): Promise<FakeEndpoint> {
  fake = await fakeEndpoint(options);
  return fake;
}

function inspect(endpoint: string, more: Partial<InspectWebPageInput> = {}) {
  return inspectPage({ cdp_endpoint: endpoint, target_id: "page-1", observation_ms: 50, include: [], ...more }, context());
}

function list(endpoint: string) {
  return listBrowserTargets({ endpoint: parseEndpoint(endpoint, { operation: "test", field: "cdp_endpoint" }), operation: "test", signal: new AbortController().signal }, { offset: 0, limit: 100 });
}

describe("endpoints that are not loopback literals with a port", () => {
  it.each([
    "http://localhost:9222",
    "http://192.168.1.5:9222",
    "http://0.0.0.0:9222",
    "http://[::ffff:127.0.0.1]:9222",
    "http://[::]:9222",
    "http://127.1:9222",
    "http://2130706433:9222",
    "http://127.0.0.2:9222",
    "https://127.0.0.1:9222",
    "ws://127.0.0.1:9222",
    "http://user:secret-word@127.0.0.1:9222",
    "http://127.0.0.1",
    "http://127.0.0.1:0",
    "http://127.0.0.1:65536",
    "http://127.0.0.1:9222/",
    "http://127.0.0.1:9222/json",
    "http://127.0.0.1:9222?x",
    "http://127.0.0.1:9222#x",
    " http://127.0.0.1:9222",
    "HTTP://127.0.0.1:9222",
  ])("%s is refused without being contacted, and without being repeated", (endpoint) => {
    const failure = thrown(() => parseEndpoint(endpoint, { operation: "test", field: "cdp_endpoint" }));
    expect(failure).toMatchObject({ code: "invalid_request", details: { issues: [{ path: "cdp_endpoint", reason: "invalid_format" }] } });
    expect(JSON.stringify(failure.toObject())).not.toContain("secret-word");
  });

  it("both loopback literals are taken", () => {
    expect(parseEndpoint("http://127.0.0.1:9222", { operation: "test", field: "x" })).toEqual({ host: "127.0.0.1", port: 9222, url: "http://127.0.0.1:9222" });
    expect(parseEndpoint("http://[::1]:9222", { operation: "test", field: "x" })).toEqual({ host: "::1", port: 9222, url: "http://[::1]:9222" });
  });
});

describe("discovery", () => {
  it("a closed port is unreachable", async () => {
    const { url } = await start();
    await fake?.close();
    expect(await failureOf(list(url))).toMatchObject({ code: "provider_unavailable", details: { reason: "endpoint_unreachable" } });
  });

  it("a port that speaks something else is not an endpoint", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end("220 mail.example ESMTP\r\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    expect(await failureOf(list(`http://127.0.0.1:${String(port)}`))).toMatchObject({ code: "unreadable_output", details: { reason: "invalid_endpoint_response" } });
    server.close();
  });

  it.each([
    ["a redirect is not followed", 302, "", "invalid_endpoint_response"],
    ["another status is no answer", 404, "{}", "invalid_endpoint_response"],
    ["an answer that is no JSON is none", 200, "<html>", "invalid_endpoint_response"],
    ["an answer of another shape is none", 200, '{"Browser":7}', "invalid_endpoint_response"],
    ["an answer without end is cut", 200, " ".repeat(70_000), "payload_limit"],
  ])("%s", async (_title, status, text, reason) => {
    const { url, methods } = await start({
      answer: (_path, response) => {
        response.writeHead(status, { location: "http://127.0.0.1:1/json/version" });
        response.end(text);
        return true;
      },
    });
    expect(await failureOf(list(url))).toMatchObject({ code: "unreadable_output", details: { reason } });
    expect(methods).toEqual([]);
  });

  it.each(["ws://127.0.0.1:1/devtools/browser/1", "ws://192.168.1.5:9222/devtools/browser/1", "ws://localhost:PORT/devtools/browser/1", "wss://127.0.0.1:PORT/devtools/browser/1", "ws://user@127.0.0.1:PORT/devtools/browser/1"])(
    "a socket announced as %s is not connected to",
    async (socket) => {
      const { url, methods } = await start({
        answer: (path, response, port) => {
          if (path !== "/json/version") return false;
          response.end(JSON.stringify({ Browser: "Fake", webSocketDebuggerUrl: socket.replace("PORT", String(port)) }));
          return true;
        },
      });
      expect(await failureOf(list(url))).toMatchObject({ code: "unreadable_output", details: { reason: "invalid_endpoint_response" } });
      expect(methods).toEqual([]);
    },
  );

  it("more than a thousand targets are refused", async () => {
    const targets = Array.from({ length: 1000 }, (_, index) => ({ id: `t${String(index)}`, type: "page", url: pageUrl }));
    const { url } = await start({ targets });
    expect(await failureOf(list(url))).toMatchObject({ code: "unreadable_output", details: { reason: "payload_limit" } });
  });

  it("an endpoint that stays silent fails within its deadline", async () => {
    const { url } = await start({ answer: () => true });
    const started = performance.now();
    expect(await failureOf(list(url))).toMatchObject({ code: "provider_timeout", details: { timeout_ms: 5000, phase: "discovery" } });
    expect(performance.now() - started).toBeGreaterThan(4900);
  });

  it("counts what is not listed by its reason, and names titles and URLs escaped", async () => {
    const { url } = await start({
      targets: [
        { id: "w", type: "service_worker", url: "http://site.test/sw.js" },
        { id: "c", type: "page", url: "chrome://settings/" },
        { id: "u", type: "page", url: "http://user:pass@site.test/?token=s3cret&q=\u202e" },
      ],
    });
    const found = await list(url);
    expect(found.excluded).toEqual({ disallowed_origin: 0, unsupported_url: 1, non_page: 1 });
    expect(found.targets.items.map((target) => target.url)).toEqual([pageUrl, "http://site.test/?token=«redacted»&q=\\u{202e}"]);
  });
});

describe("a browser that misbehaves", () => {
  it("a page that is well-behaved but empty is a complete capture", async () => {
    const { url } = await start();
    const { capture } = await inspect(url);
    expect(capture.coverage).toEqual({ state: "complete", omissions: [] });
    expect(capture.frames.items).toHaveLength(1);
  });

  it("an answer with the id of another session ends the connection", async () => {
    const { url } = await start({
      misbehave: (command, socket) => {
        if (command.method !== "Page.getFrameTree") return false;
        reply(socket, { id: command.id, sessionId: "somebody-elses" }, {});
        return true;
      },
    });
    expect(await failureOf(inspect(url))).toMatchObject({ code: "unreadable_output", details: { reason: "protocol_error" } });
  });

  it("an answer that nobody asked for ends the connection", async () => {
    const { url } = await start({
      misbehave: (command, socket) => {
        if (command.method === "Page.getFrameTree") reply(socket, { id: 9999, sessionId: command.sessionId }, {});
        return false;
      },
    });
    expect(await failureOf(inspect(url))).toMatchObject({ code: "unreadable_output", details: { reason: "protocol_error" } });
  });

  it.each([
    ["text that is no JSON", "{"],
    ["JSON that is no message", "[1,2]"],
    ["an event without a name", '{"method":7}'],
    ["an event of the wrong shape", '{"method":"Debugger.scriptParsed","params":{"scriptId":7},"sessionId":"session-1"}'],
    ["very deep JSON", `{"method":"x","params":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`],
  ])("%s ends the connection or is passed over, and never hangs", async (_title, text) => {
    const { url } = await start({
      misbehave: (command, socket) => {
        if (command.method === "Debugger.enable") socket.send(text);
        return false;
      },
    });
    const outcome = await inspect(url).then(() => "complete", (error: unknown) => (isReaError(error) ? error.code : "untyped"));
    expect(text.startsWith('{"method":"x"') ? ["complete", "unreadable_output"] : ["unreadable_output"]).toContain(outcome);
  });

  it("binary frames end the connection", async () => {
    const { url } = await start({
      misbehave: (command, socket) => {
        if (command.method === "Debugger.enable") socket.send(Buffer.from('{"method":"x"}'));
        return false;
      },
    });
    expect(await failureOf(inspect(url))).toMatchObject({ details: { reason: "protocol_error" } });
  });

  it("a frame of 17 MiB in the list of targets is a payload limit", async () => {
    const { url } = await start({
      misbehave: (command, socket) => {
        if (command.method !== "Target.getTargets") return false;
        reply(socket, command, { targetInfos: [], filler: "x".repeat(17 * 1024 * 1024) });
        return true;
      },
    });
    expect(await failureOf(inspect(url))).toMatchObject({ code: "unreadable_output", details: { reason: "payload_limit" } });
  });

  it("a frame of 17 MiB in one section costs that section only", async () => {
    const { url } = await start({
      misbehave: (command, socket) => {
        if (command.method !== "DOMSnapshot.captureSnapshot") return false;
        reply(socket, command, { documents: [], strings: ["x".repeat(17 * 1024 * 1024)] });
        return true;
      },
    });
    const { capture } = await inspect(url);
    expect(capture.dom.state).toBe("unavailable");
    expect(capture.accessibility.state).toBe("complete");
    expect(capture.completeness.conditions.find(({ condition }) => condition === "truncated")?.sections).toEqual(["dom"]);
  });

  it("a command that is never answered fails within its deadline, and the connection is let go", async () => {
    const endpoint = await start({ misbehave: ({ method }) => method === "Page.getFrameTree" });
    const started = performance.now();
    expect(await failureOf(inspect(endpoint.url))).toMatchObject({ code: "provider_timeout", details: { timeout_ms: 5000, phase: "Page.getFrameTree" } });
    expect(performance.now() - started).toBeGreaterThan(4900);
    await until(() => endpoint.open() === 0);
  });

  it("a target that goes while a command is under way is told as gone, although the command is never answered", async () => {
    const { url } = await start({
      misbehave: ({ method, sessionId }, socket) => {
        if (method !== "Page.getFrameTree") return false;
        tell(socket, undefined, "Target.detachedFromTarget", { sessionId, targetId: "page" });
        return true;
      },
    });
    expect(await failureOf(inspect(url))).toMatchObject({ code: "target_unavailable", details: { reason: "target_not_found" } });
  });

  it("a section that is never answered is missing, and the others are there", async () => {
    const { url } = await start({ misbehave: ({ method }) => method === "Accessibility.getFullAXTree" });
    const { capture } = await inspect(url);
    expect(capture.accessibility.state).toBe("unavailable");
    expect(capture.coverage.omissions).toEqual([expect.objectContaining({ scope: "accessibility", reason: "limit_time" })]);
    expect(capture.dom.state).toBe("complete");
  });

  it("a disconnect in the middle is told as one", async () => {
    const { url } = await start({
      misbehave: ({ method }, socket) => {
        if (method !== "Debugger.enable") return false;
        socket.terminate();
        return true;
      },
    });
    expect(await failureOf(inspect(url))).toMatchObject({ code: "provider_unavailable", details: { reason: "disconnected" } });
  });

  it("a socket that is never accepted fails within its deadline", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", (data) => {
        const path = /^GET (\S+)/.exec(data.toString("latin1"))?.[1] ?? "";
        const { port } = Object(server.address());
        const body = path === "/json/list" ? "[]" : JSON.stringify({ Browser: "Fake", webSocketDebuggerUrl: `ws://127.0.0.1:${String(port)}/browser` });
        if (path.startsWith("/json")) socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${String(body.length)}\r\nconnection: close\r\n\r\n${body}`);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = Object(server.address());
    expect(await failureOf(list(`http://127.0.0.1:${String(port)}`))).toMatchObject({ code: "provider_timeout", details: { phase: "connect" } });
    server.close();
    connect(port).on("error", () => undefined).destroy();
  });

  it("a flood from an origin that is not allowed uses up no budget", async () => {
    const frameOf = (id: string, url: string) => ({ id, parentId: "page-1", loaderId: "l", url, securityOrigin: new URL(url).origin, mimeType: "text/html" });
    const main = { id: "page-1", loaderId: "loader-1", url: pageUrl, securityOrigin: "http://site.test", mimeType: "text/html" };
    const { url } = await start({
      misbehave: (command, socket) => {
        const { method, sessionId } = command;
        if (method === "Page.getFrameTree") {
          reply(socket, command, { frameTree: { frame: main, childFrames: [{ frame: frameOf("ad", "http://ads.test/") }] } });
          return true;
        }
        if (method !== "Runtime.enable") return false;
        const context = (id: number, frameId: string) => ({ context: { id, origin: "", name: "", auxData: { frameId } } });
        tell(socket, sessionId, "Runtime.executionContextCreated", context(1, "ad"));
        tell(socket, sessionId, "Runtime.executionContextCreated", context(2, "page-1"));
        for (let at = 0; at < 5000; at += 1) tell(socket, sessionId, "Runtime.consoleAPICalled", { type: "log", args: [{ type: "string", value: "noise-of-ads" }], executionContextId: 1 });
        for (let at = 0; at < 3; at += 1) tell(socket, sessionId, "Runtime.consoleAPICalled", { type: "log", args: [{ type: "string", value: "own" }], executionContextId: 2 });
        return false;
      },
    });
    const { capture } = await inspect(url, { include: ["console_text"], observation_ms: 300, limits: { console_events: 3 } });
    expect(capture.console.items.map(({ text }) => text)).toEqual(["own", "own", "own"]);
    expect(capture.completeness.excluded).toContainEqual({ section: "console", count: 5000 });
    expect(capture.completeness.dropped_events).toEqual([]);
    expect(JSON.stringify(capture)).not.toContain("noise-of-ads");
  });

  it("a redirect to an origin that is not allowed leaves nothing of where it went", async () => {
    const { url } = await start({
      misbehave: ({ method, sessionId }, socket) => {
        if (method !== "Network.enable") return false;
        const request = (address: string) => ({ requestId: "r", frameId: "page-1", type: "Fetch", request: { url: address, method: "GET" }, initiator: { type: "script" } });
        tell(socket, sessionId, "Network.requestWillBeSent", request("http://site.test/go"));
        const redirectResponse = { url: "http://site.test/go", status: 302, mimeType: "", headers: { Location: "http://other.test/secret-place", Link: "<http://other.test/secret-place>" } };
        tell(socket, sessionId, "Network.requestWillBeSent", { ...request("http://other.test/secret-place"), redirectResponse });
        tell(socket, sessionId, "Network.responseReceived", { requestId: "r", response: { url: "http://other.test/secret-place", status: 200, mimeType: "application/secret-type", headers: {} } });
        return false;
      },
    });
    const { capture } = await inspect(url, { observation_ms: 200 });
    expect(capture.network.items).toEqual([expect.objectContaining({ url: "http://site.test/go", status: 302, outcome: "redirected" })]);
    expect(JSON.stringify(capture.network)).not.toContain("secret");
  });

  it("a host without a socket of the browser is looked at through the page's, and says what it cannot know", async () => {
    const endpoint = await start({ browserSocket: false });
    const { capture } = await inspect(endpoint.url);
    expect(capture.target.attached).toBeNull();
    expect(capture.limitations).toContain("The endpoint does not tell whether another client is attached to a target.");
    expect(capture.completeness.conditions.find(({ condition }) => condition === "attach_limited")?.sections).toContain("frames");
    expect(endpoint.methods.filter((method) => method === "Target.attachToTarget")).toEqual([]);
  });

  it("dialogs that only a client could answer are let go without an answer", async () => {
    const endpoint = await start({
      misbehave: ({ method, sessionId }, socket) => {
        if (method === "Network.enable") tell(socket, sessionId, "Page.javascriptDialogOpening", { url: pageUrl, message: "dialog-text", type: "confirm", hasBrowserHandler: false });
        return false;
      },
    });
    const { capture } = await inspect(endpoint.url, { observation_ms: 200 });
    expect(capture.limitations.some((text) => text.includes("dialog"))).toBe(true);
    expect(endpoint.methods.filter((method) => method === "Page.disable").length).toBeGreaterThan(1);
    expect(endpoint.methods).not.toContain("Page.handleJavaScriptDialog");
  });
});

function thrown(work: () => unknown): ReaError {
  try {
    work();
  } catch (error) {
    if (isReaError(error)) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

async function failureOf(promise: Promise<unknown>): Promise<ReaError> {
  const error: unknown = await promise.then(
    () => new Error("It succeeded."),
    (failure: unknown) => failure,
  );
  if (isReaError(error)) return error;
  throw error;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
