import { PassThrough } from "node:stream";
import { z } from "@rea/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { maximumLineBytes, StdioTransport } from "./stdio-transport.js";

const errorFrame = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]),
  error: z.strictObject({ code: z.number(), message: z.string() }),
});

async function transported() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new StdioTransport(input, output);
  const messages: unknown[] = [];
  const notes: string[] = [];
  transport.onmessage = (message) => messages.push(message);
  transport.onerror = (error) => notes.push(error.message);
  await transport.start();
  const replies = () => String(output.read() ?? "").split("\n").filter((line) => line !== "").map((line) => errorFrame.parse(JSON.parse(line)));
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { input, transport, messages, notes, replies, settled };
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

test("a message arrives whole however the bytes are cut", async () => {
  const bytes = Buffer.from(`${JSON.stringify({ ...ping, params: { text: "é" } })}\r\n\n${JSON.stringify({ ...ping, id: 2 })}\n`);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: bytes.length }), async (size) => {
      const { input, messages, settled } = await transported();
      for (let at = 0; at < bytes.length; at += size) input.write(bytes.subarray(at, at + size));
      await settled();
      expect(messages).toEqual([{ ...ping, params: { text: "é" } }, { ...ping, id: 2 }]);
    }),
    { numRuns: 30 },
  );
});

test.each([
  ["{", null, -32700],
  ["nonsense", null, -32700],
  ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null, -32600],
  ["7", null, -32600],
  ["{}", null, -32600],
  ['{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', null, -32600],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32600],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', null, -32600],
  ['{"jsonrpc":"1.0","id":3,"method":"ping"}', 3, -32600],
  ['{"jsonrpc":"2.0","id":"a","method":5}', "a", -32600],
  ['{"jsonrpc":"2.0","id":4,"method":"ping","more":1}', 4, -32600],
  ['{"jsonrpc":"2.0","id":5,"method":"tools/call","params":[]}', 5, -32602],
  ['{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"_meta":{"progressToken":{}}}}', 6, -32602],
])("the faulty line %s is answered once with its JSON-RPC error and noted in one line", async (line, id, code) => {
  const { input, messages, notes, replies, settled } = await transported();
  input.write(`${line}\n${JSON.stringify(ping)}\n`);
  await settled();
  expect(replies()).toMatchObject([{ id, error: { code } }]);
  expect(notes).toHaveLength(1);
  expect(notes[0]).not.toContain("\n");
  expect(messages).toEqual([ping]);
});

test("faulty notifications and answers nobody waits for are noted and not answered", async () => {
  const { input, messages, notes, replies, settled } = await transported();
  input.write('{"jsonrpc":"2.0","method":"notifications/x","params":[]}\n{"jsonrpc":"2.0","id":9,"result":{"secret":1}}\n');
  await settled();
  expect([replies(), messages, notes.length]).toEqual([[], [], 2]);
  expect(notes.join()).not.toContain("secret");
});

test("a line over 10 MiB is answered once and dropped, and the connection goes on", async () => {
  const { input, messages, replies, settled } = await transported();
  const piece = Buffer.alloc(1024 * 1024, "a");
  for (let sent = 0; sent <= 3 * maximumLineBytes; sent += piece.length) input.write(piece);
  input.write(`a\n${JSON.stringify(ping)}\n`);
  await settled();
  expect(replies()).toMatchObject([{ id: null, error: { code: -32600 } }]);
  expect(messages).toEqual([ping]);
});

test("a line of exactly 10 MiB is read", async () => {
  const { input, messages, settled } = await transported();
  const text = "a".repeat(maximumLineBytes - JSON.stringify({ ...ping, params: { text: "" } }).length);
  input.write(`${JSON.stringify({ ...ping, params: { text } })}\n`);
  await settled();
  expect(messages).toHaveLength(1);
});
