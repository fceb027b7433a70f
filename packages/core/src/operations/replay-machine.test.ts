import { describe, expect, it } from "vitest";
import { replayMachineEventsSchema } from "./replay-machine-run.js";
import { replayMachineSchema } from "./replay-machine.js";
import { headersOf } from "./replay-text.js";

const respond = { kind: "http_response", status: 204 };
const transition = { id: "t", from: "a", to: "a", trigger: "http", actions: [respond] };
const machine = (one: object = {}, more: object = {}) => ({
  initial_state: "a",
  states: ["a", "b"],
  transitions: [{ ...transition, ...one }],
  ...more,
});
const capture = { alias: "id", source: "path" };

function problems(value: unknown): string[] {
  const parsed = replayMachineSchema.safeParse(value);
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("a replay machine", () => {
  it("has the limits of the contract when it names none", () => {
    expect(replayMachineSchema.parse(machine()).limits).toEqual({ bytes: 1_000_000, connections: 100, duration_ms: 30_000, messages: 10_000 });
  });

  it.each([
    ["a state twice", machine({}, { states: ["a", "a"] }), "states"],
    ["an unknown start", machine({}, { initial_state: "z" }), "initial_state"],
    ["a way to nowhere", machine({ to: "z" }), "transitions.0.to"],
    ["a way from nowhere", machine({ from: "z" }), "transitions.0.from"],
    ["an id twice", machine({}, { transitions: [transition, transition] }), "transitions.1.id"],
    ["a part that its trigger does not have", machine({ guards: [{ source: "message", test: "present" }] }), "transitions.0.guards.0.source"],
    ["a header without a name", machine({ guards: [{ source: "header", test: "present" }] }), "transitions.0.guards.0.name"],
    ["a path with a name", machine({ guards: [{ source: "path", name: "x", test: "present" }] }), "transitions.0.guards.0.name"],
    ["a comparison with nothing", machine({ guards: [{ source: "path", test: "equals" }] }), "transitions.0.guards.0.value"],
    ["a value for presence", machine({ guards: [{ source: "path", test: "present", value: "" }] }), "transitions.0.guards.0.value"],
    ["an unknown alias in a guard", machine({ guards: [{ source: "capture", name: "id", test: "present" }] }), "transitions.0.guards.0.name"],
    ["what is no JSON pointer", machine({ captures: [{ alias: "x", source: "body_json", name: "a" }] }), "transitions.0.captures.0.name"],
    ["a WebSocket message as the answer to a request", machine({ actions: [{ kind: "websocket_message" }] }), "transitions.0.actions.0.kind"],
    ["two answers to a request", machine({ actions: [respond, respond] }), "transitions.0.actions.0"],
    ["a message after the end", machine({ trigger: "websocket_connect", actions: [{ kind: "disconnect" }, { kind: "continue" }] }), "transitions.0.actions.0"],
    ["a close code that is never sent", machine({ trigger: "websocket_connect", actions: [{ kind: "websocket_close", code: 1006 }] }), "transitions.0.actions.0.code"],
    ["a field of another action", machine({ actions: [{ kind: "disconnect", data: "x" }] }), "transitions.0.actions.0.data"],
    ["headers that are none", machine({ actions: [{ ...respond, headers: "nonsense" }] }), "transitions.0.actions.0.headers"],
    ["data that is no base64", machine({ actions: [{ ...respond, data: "x", encoding: "base64" }] }), "transitions.0.actions.0.data"],
    ["an unknown alias in a template", machine({ actions: [{ ...respond, data: "{{id}}", template: true }] }), "transitions.0.actions.0.template"],
    ["half of a surrogate pair", machine({ actions: [{ ...respond, data: "\ud800" }] }), "transitions.0.actions.0.data"],
    ["no action", machine({ actions: [] }), "transitions.0.actions"],
    ["another key", machine({ more: 1 }), "transitions.0"],
    ["a limit over the greatest", machine({}, { limits: { duration_ms: 300_001 } }), "limits.duration_ms"],
  ])("is refused with %s", (_what, value, path) => {
    expect(problems(value).map((text) => text.split(":", 1)[0])).toEqual([path]);
  });

  it("takes a template whose alias some transition captures", () => {
    expect(problems(machine({ captures: [capture], actions: [{ ...respond, data: "{{id}}", headers: "X-Id: {{id}}", template: true }] }))).toEqual([]);
  });

  it("has at most 256 aliases", () => {
    const captures = (from: number) => Array.from({ length: 32 }, (_, index) => ({ alias: `n${String(from + index)}`, source: "path" }));
    const many = Array.from({ length: 9 }, (_, index) => ({ ...transition, id: `t${String(index)}`, captures: captures(index * 32) }));
    expect(problems(machine({}, { transitions: many }))).toEqual(["transitions: expected at most 256 aliases"]);
    expect(problems(machine({}, { transitions: many.slice(1) }))).toEqual([]);
  });

  it("has at most 4 MiB of actions", () => {
    const heavy = (count: number) => Array.from({ length: count }, (_, index) => ({ ...transition, id: `t${String(index)}`, actions: [{ ...respond, data: "x".repeat(1_048_000) }] }));
    expect(problems(machine({}, { transitions: heavy(4) }))).toEqual([]);
    expect(problems(machine({}, { transitions: heavy(5) }))).toEqual(["transitions: expected at most 4194304 bytes of actions"]);
  });
});

describe("events of a run", () => {
  it("come in the order of their time", () => {
    expect(replayMachineEventsSchema.safeParse([{ kind: "http", at_ms: 2 }, { kind: "http", at_ms: 1 }]).success).toBe(false);
    expect(replayMachineEventsSchema.safeParse([{ kind: "http", at_ms: 2 }, { kind: "http", at_ms: 2 }]).success).toBe(true);
  });

  it("have headers and data of their form", () => {
    expect(replayMachineEventsSchema.safeParse([{ kind: "http", headers: "x" }]).success).toBe(false);
    expect(replayMachineEventsSchema.safeParse([{ kind: "http", data: "x", encoding: "base64" }]).success).toBe(false);
  });
});

describe("header lines", () => {
  it("are pairs, empty lines aside", () => {
    expect(headersOf("A: 1\r\nb:2\n\nC: x: y \n")).toEqual([["A", "1"], ["b", "2"], ["C", "x: y"]]);
  });

  it.each(["A", "A B: 1", ": 1", "A: \u0000", "A: \u20ac", "é: 1"])("are none in %j", (lines) => {
    expect(headersOf(lines)).toBeUndefined();
  });
});
