import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { replayHttpSchema, replayMachineSchema, replayWebSocketSchema, protocolEventSchema, type ProtocolEvent, type ReplayTransition, type z } from "@rea/core";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { replayPlanOf, type ReplayPlan } from "../src/replay/replay-plan.js";
import { startReplayServer, type ReplayServer, type ReplayServerOptions } from "../src/replay/replay-server.js";

const running: ReplayServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) expect(await server.close()).toEqual({ remaining: 0 });
});

interface Started {
  readonly server: ReplayServer;
  readonly events: ProtocolEvent[];
  readonly transitions: ReplayTransition[];
  readonly http: string;
  readonly webSocket: string;
}

async function start(plan: ReplayPlan, more: Partial<ReplayServerOptions["limits"]> = {}, hiding: ReplayServerOptions["hiding"] = { text: (text) => text, bytes: (data) => data }): Promise<Started> {
  const events: ProtocolEvent[] = [];
  const transitions: ReplayTransition[] = [];
  const began = performance.now();
  const server = await startReplayServer({
    plan,
    limits: { connections: 20, protocol_events: 1000, protocol_body_bytes: 10_000, duration_ms: 60_000, ...more },
    now: () => Math.floor(performance.now() - began),
    onEvent: (event) => events.push(protocolEventSchema.parse(event)),
    onTransition: (transition) => transitions.push(transition),
    hiding,
  });
  running.push(server);
  return { server, events, transitions, http: server.env["REA_REPLAY_HTTP_URL"] ?? "", webSocket: server.env["REA_REPLAY_WEBSOCKET_URL"] ?? "" };
}

const httpPlan = (...exchanges: z.input<typeof replayHttpSchema>["exchanges"]): ReplayPlan => ({ kind: "scripts", http: replayHttpSchema.parse({ exchanges }), websocket: undefined });
const webSocketPlan = (...connections: z.input<typeof replayWebSocketSchema>["connections"]): ReplayPlan => ({ kind: "scripts", http: undefined, websocket: replayWebSocketSchema.parse({ connections }) });
const machinePlan = (machine: z.input<typeof replayMachineSchema>): ReplayPlan => ({ kind: "machine", machine: replayMachineSchema.parse(machine) });

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: IncomingMessage["headers"];
}

function ask(url: string, options: { readonly method?: string; readonly body?: string | Uint8Array; readonly headers?: { readonly [name: string]: string } } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: options.method ?? "GET", headers: { ...options.headers }, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString(), headers: response.headers }));
    });
    sent.on("error", reject);
    sent.end(options.body);
  });
}

/** Messages of a connection as they come, then how it ended. */
function talk(url: string): { readonly socket: WebSocket; next(): Promise<string> } {
  const socket = new WebSocket(url);
  const came: string[] = [];
  let wake: (() => void) | undefined;
  const push = (text: string): void => {
    came.push(text);
    wake?.();
  };
  socket.on("message", (data: Buffer, binary) => push(binary ? `binary ${data.toString("hex")}` : data.toString()));
  socket.on("close", (code) => push(`closed ${String(code)}`));
  socket.on("unexpected-response", (_request, response) => push(`refused ${String(response.statusCode)}`));
  socket.on("error", () => push("error"));
  return {
    socket,
    next: async () => {
      while (came.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return came.shift() ?? "";
    },
  };
}

const ok = { status: 200, body: { data: "pong" } };

describe("an HTTP script", () => {
  it("answers what it declares, as often as it says, and names what it refuses", async () => {
    const { http, events } = await start(httpPlan({ method: "POST", path: "/api?x=1", request_body: { data: "ping" }, response: { ...ok, headers: [{ name: "X-A", value: "b" }] } }));
    const answer = await ask(`${http}/api?x=1`, { method: "POST", body: "ping" });
    expect([answer.status, answer.body, answer.headers["x-a"], answer.headers["content-length"]]).toEqual([200, "pong", "b", "4"]);
    expect((await ask(`${http}/api?x=1`, { method: "POST", body: "ping" })).status).toBe(410);
    const unmatched = await ask(`${http}/api?x=1`, { method: "POST", body: "other" });
    expect([unmatched.status, unmatched.headers["x-rea-replay"]]).toEqual([404, "unmatched"]);
    expect(events.map(({ kind, outcome, connection, status }) => [kind, outcome, connection, status])).toEqual([
      ["request", "matched", 0, null],
      ["response", null, 0, 200],
      ["request", "script_exhausted", 1, null],
      ["response", null, 1, 410],
      ["request", "unmatched", 2, null],
      ["response", null, 2, 404],
    ]);
    expect(events[0]).toMatchObject({ method: "POST", path: "/api?x=1", body: { bytes: 4, data_base64: Buffer.from("ping").toString("base64"), truncated: false } });
    expect(JSON.stringify(events)).not.toContain("127.0.0.1");
  });

  it("breaks the connection where it is told to", async () => {
    const { http, events } = await start(httpPlan({ method: "GET", path: "/", response: { status: 200, disconnect: true } }));
    await expect(ask(http)).rejects.toThrow();
    expect(events.map(({ kind }) => kind)).toEqual(["request", "close"]);
  });

  it("sends no body where HTTP has none", async () => {
    const { http } = await start(httpPlan({ method: "HEAD", path: "/", response: ok }, { method: "GET", path: "/", response: { ...ok, status: 204 } }));
    expect(await ask(http, { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
    expect(await ask(http)).toMatchObject({ status: 204, body: "" });
  });

  it("answers a request that offers another protocol as if it had not", async () => {
    const { http, events } = await start(httpPlan({ method: "GET", path: "/", response: ok }));
    expect(await ask(http, { headers: { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABk" } })).toMatchObject({ status: 200, body: "pong" });
    expect(events.map(({ kind, outcome }) => [kind, outcome])).toEqual([["request", "matched"], ["response", null]]);
  });
});

describe("access to a replay", () => {
  it("needs the token and a host that was told; strangers are counted, not recorded", async () => {
    const { http, server, events } = await start(httpPlan({ method: "GET", path: "/", response: ok }));
    const { origin } = new URL(http);
    expect((await ask(`${origin}/`)).status).toBe(404);
    expect((await ask(`${http.slice(0, -1)}/`)).status).toBe(404);
    expect((await ask(http, { headers: { host: "attacker.example" } })).status).toBe(404);
    expect((await ask(http, { headers: { host: `attacker.example:${String(server.madeUp.port)}` } })).status).toBe(404);
    expect((await ask(http, { headers: { host: `localhost:${String(server.madeUp.port)}` } })).status).toBe(200);
    expect(events.length).toBe(2);
    expect(server.missed()).toEqual({ droppedEvents: 0, strangers: 4 });
  });

  it("differs between the two servers, and from run to run", async () => {
    const plan: ReplayPlan = { kind: "scripts", http: replayHttpSchema.parse({ exchanges: [{ method: "GET", path: "/", response: ok }] }), websocket: replayWebSocketSchema.parse({ connections: [{ steps: [] }] }) };
    const [one, two] = [await start(plan), await start(plan)];
    expect(await talk(one.http.replace("http:", "ws:")).next()).toBe("refused 404");
    expect((await ask(one.webSocket.replace("ws:", "http:"))).status).toBe(404);
    expect(new Set([...one.server.madeUp.tokens, ...two.server.madeUp.tokens]).size).toBe(4);
    expect(new URL(one.http).hostname).toBe("127.0.0.1");
  });
});

describe("a WebSocket script", () => {
  const steps = [
    { kind: "send", body: { data: "hello" } },
    { kind: "expect", body: { data: "hi" } },
    { kind: "send", body: { data: "00ff", encoding: "base64" }, binary: true },
    { kind: "close", code: 4000 },
  ] as const;

  it("speaks in its order, and refuses what it does not expect without ending", async () => {
    const { webSocket, events } = await start(webSocketPlan({ path: "/chat", steps: [...steps] }));
    const one = talk(`${webSocket}/chat`);
    expect(await one.next()).toBe("hello");
    one.socket.send("what");
    one.socket.send("hi");
    expect([await one.next(), await one.next()]).toEqual(["binary d347df", "closed 4000"]);
    expect(events.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ["connect", "matched"],
      ["message_out", null],
      ["message_in", "unmatched"],
      ["message_in", "matched"],
      ["message_out", null],
      ["close", null],
    ]);
  });

  it("has one script for one connection after the other", async () => {
    const { webSocket, events } = await start(webSocketPlan({ steps: [...steps] }));
    const elsewhere = talk(`${webSocket}/elsewhere`);
    expect(await elsewhere.next()).toBe("refused 404");
    const one = talk(webSocket);
    await one.next();
    one.socket.close();
    expect(await one.next()).toBe("closed 1005");
    expect(await talk(webSocket).next()).toBe("refused 404");
    expect(events.flatMap(({ kind, outcome }) => (kind === "connect" || kind === "close" ? [outcome] : []))).toEqual(["unmatched", "matched", "disconnected", "unexpected_reconnect"]);
  });

  it("says when a script has nothing more to say", async () => {
    const { webSocket, events } = await start(webSocketPlan({ steps: [{ kind: "send", body: { data: "x" } }] }));
    const one = talk(webSocket);
    await one.next();
    one.socket.send("more");
    one.socket.close();
    await one.next();
    expect(events.map(({ outcome }) => outcome)).toContain("script_exhausted");
  });

  it("takes an end after its last step as it should be", async () => {
    const { webSocket, events } = await start(webSocketPlan({ steps: [{ kind: "send", body: { data: "x" } }] }));
    const one = talk(webSocket);
    await one.next();
    one.socket.close();
    while (events.at(-1)?.kind !== "close") await new Promise((resume) => setTimeout(resume, 1));
    expect(events.at(-1)).toMatchObject({ kind: "close", outcome: null });
  });

  it("refuses a handshake that is none", async () => {
    const { webSocket, events } = await start(webSocketPlan({ steps: [] }));
    const url = new URL(webSocket);
    const raw = await converse(url, `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    expect(raw).toMatch(/^HTTP\/1.1 400 /);
    expect(events.map(({ kind, outcome }) => [kind, outcome])).toEqual([["connect", "unmatched"]]);
  });
});

/** Sends bytes and collects what comes back until the connection ends. */
async function converse(url: URL, bytes: string | Uint8Array): Promise<string> {
  const socket: Socket = connect(Number(url.port), url.hostname);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.on("error", () => socket.destroy());
  socket.end(bytes);
  await once(socket, "close");
  return Buffer.concat(chunks).toString("latin1");
}

describe("a machine behind the servers", () => {
  const machine = machinePlan({
    initial_state: "out",
    states: ["out", "in"],
    transitions: [
      { id: "login", from: "out", to: "in", trigger: "http", captures: [{ alias: "user", source: "body_json", name: "/user" }], actions: [{ kind: "http_response", status: 201, headers: "Content-Type: text/plain\nX-User: {{user}}", data: "hi {{user}}", template: true }] },
      { id: "open", from: "in", to: "in", trigger: "websocket_connect", actions: [{ kind: "websocket_message", data: "welcome {{user}}", template: true }] },
      { id: "bye", from: "in", to: "out", trigger: "websocket_message", guards: [{ source: "message", test: "equals", value: "bye" }], actions: [{ kind: "websocket_close", code: 4001 }] },
    ],
  });

  it("carries what it captured from one connection to the other, and records names only", async () => {
    const { http, webSocket, transitions, events } = await start(machine);
    expect(await talk(webSocket).next()).toBe("refused 404");
    expect(await ask(`${http}/login`, { method: "POST", body: '{"user":"ada"}' })).toMatchObject({ status: 201, body: "hi ada", headers: { "x-user": "ada" } });
    const one = talk(webSocket);
    expect(await one.next()).toBe("welcome ada");
    one.socket.send("nope");
    one.socket.send("bye");
    expect(await one.next()).toBe("closed 4001");
    expect(transitions.map(({ at_ms: _, ...told }) => told)).toEqual([
      { transition_id: null, from: "out", to: "out", outcome: "invalid_state", captures: [] },
      { transition_id: "login", from: "out", to: "in", outcome: "matched", captures: ["user"] },
      { transition_id: "open", from: "in", to: "in", outcome: "matched", captures: [] },
      { transition_id: null, from: "in", to: "in", outcome: "guard_failed", captures: [] },
      { transition_id: "bye", from: "in", to: "out", outcome: "matched", captures: [] },
    ]);
    expect(events.map(({ transport }) => transport)).toContain("websocket");
  });

  it("is refused with a place when it is malformed", () => {
    const bad = { replay_machine: { initial_state: "x", states: ["a"], transitions: [], more: 1 } };
    const refused = expect.objectContaining({
      code: "invalid_request",
      details: { operation: "capture_process_scenario", issues: expect.arrayContaining([expect.objectContaining({ path: "scenario.replay_machine.more", valid_keys: expect.arrayContaining(["states"]) })]) },
    });
    expect(() => replayPlanOf(bad, "capture_process_scenario")).toThrow(refused);
    expect(replayPlanOf({}, "x")).toBeNull();
  });
});

describe("the limits of a replay", () => {
  const plan = httpPlan({ method: "POST", path: "/", response: ok, max_uses: 100 });
  const post = (url: string, bytes: number): Promise<Answer> => ask(url, { method: "POST", body: "x".repeat(bytes) });

  it("end bodies that are too long, and say so", async () => {
    const { http, events } = await start(plan, { protocol_body_bytes: 100 });
    expect((await post(http, 90)).status).toBe(200);
    expect((await post(http, 90)).status).toBe(503);
    expect(await post(http, 1_000_000).then(({ status }) => status, () => 503)).toBe(503);
    expect(events.flatMap(({ kind, outcome }) => (kind === "request" ? [outcome] : []))).toEqual(["matched", "limit_exhausted", "limit_exhausted"]);
    expect(events.reduce((sum, { body }) => sum + Buffer.from(body?.data_base64 ?? "", "base64").byteLength, 0)).toBeLessThanOrEqual(100);
  });

  it("end connections, time and events", async () => {
    const connections = await start(plan, { connections: 1 });
    expect([(await post(connections.http, 1)).status, (await post(connections.http, 1)).status]).toEqual([200, 503]);
    const time = await start(plan, { duration_ms: -1 });
    expect((await post(time.http, 1)).status).toBe(503);
    const few = await start(plan, { protocol_events: 3 });
    expect([(await post(few.http, 1)).status, (await post(few.http, 1)).status]).toEqual([200, 503]);
    expect(few.events.length).toBe(3);
    expect(few.server.missed().droppedEvents).toBe(1);
  });

  it("end a message that is too long", async () => {
    const { webSocket, events } = await start(webSocketPlan({ steps: [{ kind: "expect", body: { data: "x" } }] }), { protocol_body_bytes: 10 });
    const one = talk(webSocket);
    await once(one.socket, "open");
    one.socket.send("x".repeat(11));
    expect(await one.next()).toBe("closed 1009");
    while (events.at(-1)?.kind !== "close") await new Promise((resume) => setTimeout(resume, 1));
    expect(events.at(-1)).toMatchObject({ kind: "close", outcome: "limit_exhausted" });
  });
});

describe("what is recorded", () => {
  it("hides what is to be hidden, in texts and bodies", async () => {
    const hiding = { text: (text: string) => text.replaceAll("s3cret", "<hidden>"), bytes: (data: Uint8Array) => Buffer.from(Buffer.from(data).toString().replaceAll("s3cret", "<hidden>")) };
    const { http, events } = await start(httpPlan({ method: "POST", path: "/s3cret", response: ok }), {}, hiding);
    expect((await ask(`${http}/s3cret`, { method: "POST", body: "my s3cret", headers: { authorization: "s3cret" } })).status).toBe(200);
    const text = JSON.stringify(events);
    expect(text).not.toContain("s3cret");
    expect(text).not.toContain(Buffer.from("s3cret").toString("base64").slice(0, 6));
    expect(events[0]).toMatchObject({ path: "/<hidden>" });
  });
});

describe("the end of a replay", () => {
  it("leaves no socket, whatever is open: a waiting answer, an idle connection, half a request, a conversation", async () => {
    const scripts: ReplayPlan = {
      kind: "scripts",
      http: replayHttpSchema.parse({ exchanges: [{ method: "GET", path: "/", response: { ...ok, delay_ms: 60_000 } }] }),
      websocket: replayWebSocketSchema.parse({ connections: [{ steps: [{ kind: "send", body: { data: "x" } }, { kind: "send", body: { data: "y" }, delay_ms: 60_000 }] }] }),
    };
    const { server, http, webSocket } = await start(scripts);
    const waiting = ask(http).then(() => "answered", () => "ended");
    const conversation = talk(webSocket);
    expect(await conversation.next()).toBe("x");
    const { port, hostname } = new URL(http);
    const idle = connect(Number(port), hostname);
    const half = connect(Number(port), hostname);
    half.write(`POST ${new URL(http).pathname} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 10\r\n\r\nabc`);
    for (const socket of [idle, half]) socket.on("error", () => socket.destroy());
    await Promise.all([once(idle, "connect"), once(half, "connect")]);
    expect(await server.close()).toEqual({ remaining: 0 });
    expect(await waiting).toBe("ended");
    expect(await conversation.next()).toBe("closed 1006");
    await Promise.all([idle, half].map(async (socket) => socket.closed || once(socket, "close")));
    await expect(ask(http)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    expect(await server.close()).toEqual({ remaining: 0 });
  });

  it("survives any bytes at its door", async () => {
    const { http, server } = await start(httpPlan({ method: "GET", path: "/", response: ok, max_uses: 1000 }), { connections: 500 });
    const url = new URL(http);
    const head = Buffer.from(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`);
    const flipped = fc.tuple(fc.nat(head.length - 1), fc.nat(255)).map(([at, byte]) => Buffer.from(head).fill(byte, at, at + 1));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 200 }), flipped), async (bytes) => {
        await converse(url, bytes);
      }),
      { numRuns: 40 },
    );
    expect((await ask(http)).status).toBe(200);
    expect(server.missed().droppedEvents).toBe(0);
  });

  it("survives any frames within a conversation", async () => {
    const { webSocket } = await start(webSocketPlan(...Array.from({ length: 30 }, () => ({ steps: [{ kind: "expect", body: { data: "x" } } as const] }))), { connections: 100 });
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 64 }), async (bytes) => {
        const one = talk(webSocket);
        await once(one.socket, "open");
        const raw: unknown = Reflect.get(one.socket, "_socket");
        if (raw instanceof (await import("node:net")).Socket) raw.end(bytes);
        expect(await one.next()).toMatch(/^(?:closed|error)/);
        one.socket.terminate();
      }),
      { numRuns: 25 },
    );
    const last = talk(webSocket);
    await once(last.socket, "open");
    last.socket.terminate();
  });
});
