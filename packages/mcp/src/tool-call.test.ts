import { expect, test } from "vitest";
import { toolCall } from "./tool-call.js";

test.each([
  [undefined],
  [[]],
  [{}],
  [{ name: 5 }],
  [{ name: null, arguments: {} }],
  [{ name: "echo", arguments: null }],
  [{ name: "echo", arguments: [] }],
  [{ name: "echo", arguments: "text" }],
])("the params %j are refused as invalid in one sentence", (params) => {
  expect(() => toolCall(params)).toThrow(expect.objectContaining({ code: -32602, message: expect.stringMatching(/^[^\n]{1,120}\.$/) }));
});

test("absent arguments are no arguments, and own keys of any name are kept", () => {
  expect(toolCall({ name: "echo" })).toEqual({ name: "echo", input: {}, token: undefined });
  const given: unknown = JSON.parse('{"name":"echo","arguments":{"__proto__":1},"_meta":{"progressToken":7}}');
  const { input, token } = toolCall(given);
  expect([Object.keys(input), token]).toEqual([["__proto__"], 7]);
});
