import { z } from "@rea/core";
import { textOf } from "@rea/testkit";
import { expect, test } from "vitest";
import { startServer } from "./support.js";

const listed = z.looseObject({ tools: z.array(z.looseObject({ name: z.string(), inputSchema: z.looseObject({ type: z.literal("object") }) })) });
const page = z.looseObject({ items: z.array(z.looseObject({ name: z.string(), summary: z.string() })), total: z.number(), next_offset: z.number().nullable() });

test("it lists exactly four flat tools in under 2 KB, before and after a target is open", async () => {
  const server = startServer(["--facade"]);
  await server.initialize();
  const before = (await server.request("tools/list")).result;
  const { tools } = listed.parse(before);
  expect(tools.map(({ name }) => name)).toEqual(["binary_session", "call_tool", "describe_tool", "search_tools"]);
  expect(Buffer.byteLength(JSON.stringify(before))).toBeLessThan(2048);
  await server.call("call_tool", { name: "open_binary", arguments: { path: process.execPath } });
  expect((await server.request("tools/list")).result).toEqual(before);
});

test("search, describe, call: from words to the reply of the tool itself", async () => {
  const server = startServer(["--facade"]);
  await server.initialize();
  const found = page.parse(textOf(await server.call("search_tools", { query: "open a file" }))["result"]);
  expect(found.items[0]?.name).toBe("open_binary");
  const described = textOf(await server.call("describe_tool", { name: "open_binary" }))["result"];
  expect(described).toMatchObject({ name: "open_binary", inputSchema: { type: "object", required: ["path"] } });
  const opened = await server.call("call_tool", { name: "open_binary", arguments: { path: process.execPath } });
  expect(textOf(opened)["result"]).toMatchObject({ kind: "executable" });
  const direct = await server.call("call_tool", { name: "list_architectures" });
  expect(textOf(direct)).toHaveProperty("evidence_id");
  expect(direct.structuredContent).toEqual(textOf(direct));
});

test("the pages of a search without words are the whole catalogue", async () => {
  const full = startServer();
  await full.initialize();
  const all = listed.parse((await full.request("tools/list")).result).tools.map(({ name }) => name);
  const server = startServer(["--facade"]);
  await server.initialize();
  const names: string[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const found: z.infer<typeof page> = page.parse(textOf(await server.call("search_tools", { offset, limit: 50 }))["result"]);
    names.push(...found.items.map(({ name }) => name));
    offset = found.next_offset;
  }
  expect(names).toEqual(all);
  const session = z.looseObject({ tool_availability: z.array(z.looseObject({ name: z.string() })) }).parse(textOf(await server.call("binary_session"))["result"]);
  expect(session.tool_availability.map(({ name }) => name)).toEqual(all);
});

test("bad input to the four reads as everywhere, and a facade does not lead to itself", async () => {
  const server = startServer(["--facade"]);
  await server.initialize();
  const error = async (name: string, input: object) => z.looseObject({ code: z.string(), message: z.string() }).parse(textOf(await server.call(name, input))["error"]);
  expect(await error("call_tool", { name: "open_binary", arguments: {}, extra: 1 })).toMatchObject({ code: "invalid_request", message: expect.stringContaining("valid: arguments, name") });
  expect(await error("call_tool", { name: "open_binary", arguments: { pat: "/x" } })).toMatchObject({ code: "invalid_request" });
  for (const name of ["call_tool", "search_tools", "no_such_tool"]) {
    expect(await error("call_tool", { name })).toMatchObject({ code: "invalid_request", message: expect.stringContaining("search_tools") });
  }
  expect(await error("describe_tool", { name: "nothing" })).toMatchObject({ code: "invalid_request" });
  expect(await error("search_tools", { limit: 0 })).toMatchObject({ code: "invalid_request" });
  expect((await server.request("tools/call", { name: "no_such_tool" })).error).toMatchObject({ code: -32602 });
});
