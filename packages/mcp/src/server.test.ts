import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { ReaError, z, type CapabilityPorts } from "@rea/core";
import { defineTool, effectClasses, type ConnectionInfo, type Tool, type ToolHost, type ToolService } from "@rea/tool";
import { expect, test } from "vitest";
import { connectServer } from "./server.js";

const unusedPorts = new Proxy({}, { get: () => () => Promise.reject(new Error("no port is used here")) });
function isPorts(value: object): value is CapabilityPorts {
  return value === unusedPorts;
}

const echo = defineTool({
  name: "echo",
  family: "session",
  description: "Returns the text given.",
  input: z.strictObject({ text: z.string().describe("Text"), wait: z.boolean().default(false).describe("Wait for cancel") }),
  output: z.strictObject({ text: z.string() }),
  effects: effectClasses.pure,
  evidence: false,
  requires: [],
  target: "none",
  cli: null,
  examples: [{ title: "echo", input: { text: "a" } }],
  async run(input, _ports, context) {
    for (let step = 0; step < 3; step += 1) context.progress.report({ phase: "work", completed: step, message: "working" });
    if (input.wait) {
      await new Promise((_, reject) => {
        context.signal.addEventListener("abort", () => { reject(context.signal.reason); }, { once: true });
      });
    }
    return { result: { text: input.text }, produced: null };
  },
});

interface Observed {
  connected: ConnectionInfo | undefined;
  closed: number;
}

function fakeService(observed: Observed, tools: readonly Tool[] = [echo]): ToolService {
  if (!isPorts(unusedPorts)) throw new Error("unreachable");
  const host: ToolHost = {
    ports: unusedPorts,
    offers: () => false,
    requireAvailable: () => undefined,
    admit: (_tool, work) => work(),
    record: () => Promise.resolve(),
    connected: (info) => {
      observed.connected = info;
    },
  };
  return {
    tools,
    host,
    close: () => {
      observed.closed += 1;
      return Promise.resolve({ remaining: [] });
    },
  };
}

async function connected(options: { maxResponseBytes?: string; load?: () => Promise<ToolService> } = {}) {
  const observed: Observed = { connected: undefined, closed: 0 };
  let loads = 0;
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = await connectServer(ours, {
    name: "rea",
    version: "1.2.3",
    catalogue: [{ name: "echo", inputSchema: { type: "object" } }],
    load: () => {
      loads += 1;
      return Promise.resolve(fakeService(observed));
    },
    ...options,
  });
  const client = new Client({ name: "tester", version: "9" });
  await client.connect(theirs);
  return { client, server, observed, loads: () => loads };
}

const errorOf = (reply: unknown) => {
  const { content } = z.looseObject({ content: z.array(z.looseObject({ text: z.string() })) }).parse(reply);
  return z.looseObject({ error: z.looseObject({ code: z.string() }) }).parse(JSON.parse(content[0]?.text ?? "")).error;
};

test("listing tools and empty kinds starts no service; the first call does, once", async () => {
  const { client, loads } = await connected();
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(["echo"]);
  expect(loads()).toBe(0);
  await client.callTool({ name: "echo", arguments: { text: "x" } });
  await client.callTool({ name: "echo", arguments: { text: "y" } });
  expect(loads()).toBe(1);
});

test("text and structured content hold the same result", async () => {
  const { client } = await connected();
  const reply = z.looseObject({ content: z.array(z.looseObject({ text: z.string() })) }).parse(await client.callTool({ name: "echo", arguments: { text: "x" } }));
  expect(JSON.parse(reply.content[0]?.text ?? "")).toEqual({ result: { text: "x" } });
  expect(reply["structuredContent"]).toEqual({ result: { text: "x" } });
});

test("the service learns who is connected and on which protocol version", async () => {
  const { client, observed } = await connected();
  await client.callTool({ name: "echo", arguments: { text: "x" } });
  expect(observed.connected).toMatchObject({ client: { name: "tester", version: "9" }, features: { sampling: false, roots: false } });
  expect(observed.connected?.protocol_version).toMatch(/^20\d\d-\d\d-\d\d$/);
});

test("a reply over the frame bound becomes a typed error with the counts", async () => {
  const { client } = await connected({ maxResponseBytes: "1048576" });
  const reply = await client.callTool({ name: "echo", arguments: { text: "x".repeat(600_000) } });
  expect(reply.isError).toBe(true);
  expect(errorOf(reply)).toMatchObject({ code: "truncated", details: { resource: "transport", limit_bytes: 1_048_576 } });
});

test("a reply over the frame bound keeps the short texts of the result, such as the directory that a call made", async () => {
  const writing: Tool = {
    ...echo,
    output: z.strictObject({ output_root: z.string(), artifacts: z.array(z.string()) }),
    run: () => Promise.resolve({ result: { output_root: "/tmp/made", artifacts: ["x".repeat(600_000)] }, produced: null }),
  };
  const { client } = await connected({
    maxResponseBytes: "1048576",
    load: () => Promise.resolve(fakeService({ connected: undefined, closed: 0 }, [writing])),
  });
  expect(errorOf(await client.callTool({ name: "echo", arguments: { text: "a" } }))).toMatchObject({
    code: "truncated",
    details: { result_summary: { output_root: "/tmp/made", artifacts_count: 1 } },
  });
});

test("an unusable frame bound is reported at the call, not as a crash at start", async () => {
  const { client } = await connected({ maxResponseBytes: "lots" });
  expect(errorOf(await client.callTool({ name: "echo", arguments: { text: "x" } }))).toMatchObject({
    code: "configuration_invalid",
    details: { setting: "REA_MCP_MAX_RESPONSE_BYTES" },
  });
});

test("cancelling a request aborts the tool", async () => {
  const { client } = await connected();
  const abort = new AbortController();
  const call = client.callTool({ name: "echo", arguments: { text: "x", wait: true } }, undefined, { signal: abort.signal });
  setTimeout(() => { abort.abort("enough"); }, 20);
  await expect(call).rejects.toThrow("enough");
  await expect(client.callTool({ name: "echo", arguments: { text: "next" } })).resolves.toMatchObject({ structuredContent: { result: { text: "next" } } });
});

test("progress is sent under the caller's token and never falls", async () => {
  const { client } = await connected();
  const seen: number[] = [];
  await client.callTool({ name: "echo", arguments: { text: "x" } }, undefined, { onprogress: ({ progress }) => seen.push(progress) });
  expect(seen.length).toBeGreaterThan(0);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
});

test("a service that cannot start answers with a typed error and may start at the next call", async () => {
  let attempts = 0;
  const observed: Observed = { connected: undefined, closed: 0 };
  const { client } = await connected({
    load: () => {
      attempts += 1;
      if (attempts > 1) return Promise.resolve(fakeService(observed));
      return Promise.reject(new ReaError("configuration_invalid", { message: "Bad.", details: { setting: "X", constraint: "y" } }));
    },
  });
  expect(errorOf(await client.callTool({ name: "echo", arguments: { text: "x" } }))).toMatchObject({ code: "configuration_invalid" });
  expect((await client.callTool({ name: "echo", arguments: { text: "x" } })).isError).not.toBe(true);
});

test("closing cancels calls in progress and releases the service once", async () => {
  const { client, server, observed } = await connected();
  const call = client.callTool({ name: "echo", arguments: { text: "x", wait: true } }).catch((error: unknown) => error);
  await client.ping();
  await server.close();
  await server.close();
  expect(await call).toBeInstanceOf(Error);
  expect(observed.closed).toBe(1);
});

test("the end waits until a cancelled call has cleaned up", async () => {
  const steps: string[] = [];
  const cleaning: Tool = {
    ...echo,
    async run(_input, _ports, { signal }) {
      steps.push("started");
      await new Promise((resolve) => { signal.addEventListener("abort", resolve, { once: true }); });
      for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      steps.push("cleaned up");
      throw new ReaError("cancelled", { message: "Cancelled.", details: { operation: "echo", cleanup: "complete" } });
    },
  };
  const { client, server } = await connected({
    load: () => Promise.resolve(fakeService({ connected: undefined, closed: 0 }, [cleaning])),
  });
  const call = client.callTool({ name: "echo", arguments: { text: "a" } }).catch(() => undefined);
  while (steps.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await server.close();
  expect(steps).toEqual(["started", "cleaned up"]);
  await call;
});
