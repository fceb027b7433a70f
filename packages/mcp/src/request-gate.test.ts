import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { RequestGate } from "./request-gate.js";

function gate(options: { readonly maximumHeldBytes?: number } = {}) {
  const passed: (string | number)[] = [];
  const refused: (string | number)[] = [];
  const holds: boolean[] = [];
  const state = { congested: false };
  const made = new RequestGate({
    pass: (message) => { passed.push("id" in message && message.id !== undefined ? message.id : "note"); },
    refuseDuplicate: (id) => { refused.push(id); },
    congested: () => state.congested,
    hold: (stop) => { holds.push(stop); },
    maximumHeldBytes: options.maximumHeldBytes ?? 1000,
  });
  const request = (id: string | number, method = "tools/call"): void => { made.take({ jsonrpc: "2.0", id, method }, 100); };
  const note = (method: string, params: Record<string, unknown> = {}): void => {
    const message: JSONRPCMessage = { jsonrpc: "2.0", method, params };
    made.take(message, 100);
  };
  return { made, passed, refused, holds, state, request, note };
}

test("no more than sixty-four calls run at once, and each reply lets one more through, in order", () => {
  const { made, passed, request } = gate({ maximumHeldBytes: 1e9 });
  for (let id = 0; id < 100; id += 1) request(id);
  expect(passed).toHaveLength(64);
  for (let id = 0; id < 36; id += 1) made.answered(id);
  expect(passed).toEqual(Array.from({ length: 100 }, (_, id) => id));
});

test("a ping passes when calls are held only by number, and waits when the reader is behind", () => {
  const { made, passed, state, request } = gate();
  for (let id = 0; id < 64; id += 1) request(id);
  request("ping-1", "ping");
  expect(passed.at(-1)).toBe("ping-1");
  state.congested = true;
  request("ping-2", "ping");
  expect(passed.at(-1)).toBe("ping-1");
  state.congested = false;
  made.pump();
  expect(passed.at(-1)).toBe("ping-2");
});

test("reading stops while too much is held, and goes on", () => {
  const { made, holds, state, request } = gate({ maximumHeldBytes: 250 });
  state.congested = true;
  for (let id = 0; id < 3; id += 1) request(id);
  expect(holds).toEqual([true]);
  state.congested = false;
  made.pump();
  expect(holds).toEqual([true, false]);
});

test("a cancelled request that is held is dropped, one that runs gives its place free", async () => {
  const { passed, state, made, request, note } = gate();
  request(1);
  state.congested = true;
  request(2);
  note("notifications/cancelled", { requestId: 2 });
  note("notifications/cancelled", { requestId: 1 });
  note("notifications/cancelled", { requestId: "unknown" });
  state.congested = false;
  made.pump();
  await new Promise((resolve) => setImmediate(resolve));
  expect(passed).toEqual([1, "note", "note", "note"]);
  request(1);
  expect(passed.at(-1)).toBe(1);
});

test("an id that is still unanswered is refused to a second request", () => {
  const { made, passed, refused, request } = gate();
  request("a");
  request("a");
  expect(refused).toEqual(["a"]);
  made.answered("a");
  request("a");
  expect(passed).toEqual(["a", "a"]);
});
