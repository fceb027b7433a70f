import { replayMachineEventsSchema, replayMachineRunSchema, replayMachineSchema, silentProgress, type ReplayMachineRun, type z } from "@rea/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runReplayMachine } from "./run-replay-machine.js";

type MachineInput = z.input<typeof replayMachineSchema>;
type EventInput = z.input<typeof replayMachineEventsSchema>[number];
type TransitionInput = MachineInput["transitions"][number];

function run(machine: MachineInput, events: readonly EventInput[], signal = new AbortController().signal): Promise<ReplayMachineRun> {
  const input = { machine: replayMachineSchema.parse(machine), events: replayMachineEventsSchema.parse([...events]) };
  return runReplayMachine(input, { signal, progress: silentProgress });
}

const respond = { kind: "http_response", data: "ok" } as const;
const request = { kind: "http" } as const;
const step = (id: string, from: string, to: string, more: Partial<TransitionInput> = {}): TransitionInput => ({ id, from, to, trigger: "http", actions: [respond], ...more });
const machine = (transitions: readonly TransitionInput[], limits: MachineInput["limits"] = {}): MachineInput => ({
  initial_state: "a",
  states: ["a", "b", "c"],
  transitions: [...transitions],
  limits,
});

async function outcomes(...args: Parameters<typeof run>): Promise<string[]> {
  return (await run(...args)).decisions.map(({ outcome }) => outcome);
}

describe("a run of a replay machine", () => {
  it("tells decisions, the way taken, what could be sent and what was used", async () => {
    const told = await run(
      machine([step("login", "a", "b", { captures: [{ alias: "user", source: "body_json", name: "/user" }] }), step("bye", "b", "a", { actions: [{ ...respond, data: "bye {{user}}", headers: "X-User: {{user}}", template: true }] })]),
      [{ kind: "http", method: "POST", data: '{"user":"secret-name"}' }, { kind: "http", at_ms: 5 }],
    );
    expect(told).toMatchObject({
      initial_state: "a",
      final_state: "a",
      summary: { events: 2, matched: 2, closed: 0, refused: 0 },
      decisions: [
        { event: 0, outcome: "matched", state: "b", transition_id: "login", actions: 1, limit: null },
        { event: 1, outcome: "matched", state: "a", transition_id: "bye", actions: 1, limit: null },
      ],
      transitions: [
        { event: 0, transition_id: "login", from: "a", to: "b", use: 1, captures: ["user"] },
        { event: 1, transition_id: "bye", from: "b", to: "a", use: 1, captures: [] },
      ],
      actions: [{ transition_id: "login", data_bytes: 2, status: 200 }, { transition_id: "bye", header_names: ["X-User"], uses: 1, template: true }],
      limits: { used: { bytes: 22 + 2 + 15, connections: 1, duration_ms: 5, messages: 4 } },
    });
    expect(JSON.stringify(told)).not.toContain("secret-name");
    expect(replayMachineRunSchema.safeParse(told).success).toBe(true);
  });

  it("takes the highest priority, then the first in the list", async () => {
    const told = await run(machine([step("low", "a", "a"), step("high", "a", "b", { priority: 1 }), step("also", "a", "c", { priority: 1 })]), [request]);
    expect(told.decisions[0]?.transition_id).toBe("high");
  });

  it("goes on to the next transition when one is used up, and says so when none is left", async () => {
    const told = await run(machine([step("first", "a", "a", { max_uses: 1 }), step("second", "a", "a", { max_uses: 1 })]), [request, request, request]);
    expect(told.decisions.map(({ transition_id }) => transition_id)).toEqual(["first", "second", null]);
    expect(told.decisions[2]?.outcome).toBe("transition_exhausted");
  });

  it("names why an event is refused", async () => {
    const socket = step("open", "b", "b", { trigger: "websocket_connect", actions: [{ kind: "continue" }] });
    expect(await outcomes(machine([]), [request])).toEqual(["unmatched"]);
    expect(await outcomes(machine([step("t", "b", "b")]), [request])).toEqual(["invalid_state"]);
    expect(await outcomes(machine([step("t", "a", "a", { guards: [{ source: "path", test: "equals", value: "/x" }] })]), [request])).toEqual(["guard_failed"]);
    expect(await outcomes(machine([step("t", "a", "a", { captures: [{ alias: "x", source: "header", name: "x" }] })]), [request])).toEqual(["invalid_capture"]);
    expect(await outcomes(machine([step("t", "a", "b"), socket]), [request, { kind: "websocket_connect", connection: 1 }, { kind: "websocket_connect", connection: 1 }])).toEqual(["matched", "matched", "unexpected_reconnect"]);
    expect(await outcomes(machine([socket]), [{ kind: "websocket_message", connection: 4 }])).toEqual(["disconnected"]);
  });

  it("refuses a value that is too long, was not captured yet, or cannot stand in a header", async () => {
    const short = { alias: "x", source: "body", max_bytes: 2 } as const;
    expect(await outcomes(machine([step("t", "a", "a", { captures: [short] })]), [{ kind: "http", data: "été" }])).toEqual(["invalid_capture"]);
    const echo = { ...respond, data: "{{x}}", template: true };
    expect(await outcomes(machine([step("t", "a", "a", { actions: [echo] }), step("u", "b", "b", { captures: [short] })]), [request])).toEqual(["invalid_capture"]);
    const header = { kind: "http_response", headers: "X-A: {{x}}", template: true } as const;
    expect(await outcomes(machine([step("t", "a", "a", { captures: [{ alias: "x", source: "body" }], actions: [header] })]), [{ kind: "http", data: "a\r\nSet-Cookie: b" }])).toEqual(["invalid_capture"]);
  });

  it("reads queries, headers in any case, and members of JSON that are its own", async () => {
    const guards = [
      { source: "query", name: "q", test: "equals", value: "a b" },
      { source: "header", name: "ACCEPT", test: "contains", value: "json" },
      { source: "body_json", name: "/a~1b/0", test: "equals", value: "true" },
      { source: "body_json", name: "/constructor", test: "absent" },
    ] as const;
    const asked = { kind: "http", path: "/x?q=a+b", headers: "Accept: text/json", data: '{"a/b":[true]}' } as const;
    expect(await outcomes(machine([step("t", "a", "a", { guards: [...guards] })]), [asked])).toEqual(["matched"]);
  });

  it("knows connections: messages only while open, none after the end", async () => {
    const transitions = [
      step("open", "a", "a", { trigger: "websocket_connect", actions: [{ kind: "continue" }] }),
      step("echo", "a", "a", { trigger: "websocket_message", guards: [{ source: "message", test: "equals", value: "hi" }], actions: [{ kind: "websocket_message", data: "ho" }] }),
      step("end", "a", "a", { trigger: "websocket_message", actions: [{ kind: "websocket_close" }] }),
    ];
    const message = (connection: number, data: string) => ({ kind: "websocket_message", connection, data }) as const;
    const events = [{ kind: "websocket_connect", connection: 1 }, message(1, "hi"), message(1, "other"), message(1, "hi"), { kind: "websocket_connect", connection: 2 }, { kind: "websocket_close", connection: 2 }, message(2, "hi")] as const;
    const told = await run(machine(transitions), events);
    expect(told.decisions.map(({ outcome }) => outcome)).toEqual(["matched", "matched", "matched", "disconnected", "matched", "disconnected", "disconnected"]);
    expect(told.summary).toEqual({ events: 7, matched: 4, closed: 1, refused: 2 });
  });

  it.each([
    ["bytes", { bytes: 3 }, [request, request]],
    ["messages", { messages: 3 }, [request, request]],
    ["connections", { connections: 1 }, [request, { kind: "http", connection: 1 }]],
    ["duration_ms", { duration_ms: 10 }, [request, { kind: "http", at_ms: 11 }]],
  ] as const)("stops at the limit of %s and names it", async (limit, limits, events) => {
    const told = await run(machine([step("t", "a", "a")], limits), events);
    expect(told.decisions.map(({ outcome, limit: named }) => [outcome, named])).toEqual([["matched", null], ["limit_exhausted", limit]]);
  });

  it("never builds a payload beyond its limit", async () => {
    const data = "{{x}}".repeat(200_000);
    const bomb = machine([step("t", "a", "a", { captures: [{ alias: "x", source: "body", max_bytes: 65_536 }], actions: [{ ...respond, data, template: true }] })], { bytes: 16_777_216 });
    const told = await run(bomb, [{ kind: "http", data: "y".repeat(65_536) }]);
    expect(told.decisions[0]).toMatchObject({ outcome: "limit_exhausted", limit: "bytes" });
  });

  it("ends when it is cancelled", async () => {
    const abort = new AbortController();
    abort.abort();
    await expect(run(machine([step("t", "a", "a")]), [request], abort.signal)).rejects.toMatchObject({ code: "cancelled" });
  });
});

const marker = fc.string({ unit: fc.constantFrom(..."ghjkmnpqrstuvwxyz"), minLength: 14, maxLength: 30 });
const state = fc.constantFrom("a", "b", "c");
const source = fc.constantFrom("method", "path", "body");
const anyGuard = fc.record({ source, test: fc.constantFrom("equals", "not_equals", "contains", "starts_with"), value: fc.constantFrom("GET", "/", "x", "") });
const anyTransition = fc.record({
  from: state,
  to: state,
  priority: fc.integer({ min: -2, max: 2 }),
  max_uses: fc.integer({ min: 1, max: 3 }),
  guards: fc.array(anyGuard, { maxLength: 2 }),
  kept: fc.boolean(),
  socket: fc.boolean(),
});
const anyMachine = fc
  .record({
    steps: fc.array(anyTransition, { maxLength: 8 }),
    limits: fc.record({ bytes: fc.integer({ min: 0, max: 300 }), connections: fc.integer({ min: 0, max: 3 }), duration_ms: fc.integer({ min: 1, max: 50 }), messages: fc.integer({ min: 0, max: 12 }) }),
  })
  .map(({ steps, limits }): MachineInput => {
    const keeps = steps.some(({ kept, socket }) => kept && !socket);
    const answer = keeps ? { ...respond, data: "{{v}}", headers: "X-V: {{v}}", template: true } : respond;
    return machine(
      steps.map(({ kept, socket, guards, ...rest }, index): TransitionInput => {
        const id = `t${String(index)}`;
        if (socket) return { id, ...rest, trigger: "websocket_connect", actions: [{ kind: "websocket_message", data: "hello" }] };
        return { id, ...rest, guards, trigger: "http", captures: kept ? [{ alias: "v", source: "body" }] : [], actions: [answer] };
      }),
      limits,
    );
  });
const anyEvents = fc
  .array(fc.record({ kind: fc.constantFrom("http", "websocket_connect", "websocket_message", "websocket_close"), wait: fc.integer({ min: 0, max: 9 }), connection: fc.integer({ min: 0, max: 3 }), data: marker }), { maxLength: 30 })
  .map((events) => {
    let at_ms = 0;
    return events.map(({ wait, ...event }): EventInput => {
      at_ms += wait;
      return { ...event, at_ms };
    });
  });

describe("any machine on any events", () => {
  it("decides every event, within its limits and uses, the same each time, and tells no captured value", async () => {
    await fc.assert(
      fc.asyncProperty(anyMachine, anyEvents, async (given, events) => {
        const told = await run(given, events);
        expect(told.decisions.length).toBe(events.length);
        expect(await run(given, events)).toEqual(told);
        for (const name of ["bytes", "connections", "duration_ms", "messages"] as const) {
          expect(told.limits.used[name]).toBeLessThanOrEqual(told.limits.configured[name]);
        }
        for (const [index, { max_uses }] of given.transitions.entries()) {
          const uses = told.transitions.filter(({ transition_id }) => transition_id === `t${String(index)}`).length;
          expect(uses).toBeLessThanOrEqual(max_uses ?? 10_000);
        }
        const text = JSON.stringify(told);
        for (const { data } of events) expect(text).not.toContain(data);
      }),
      { numRuns: 150 },
    );
  });

  it("moves only along its transitions, and only on a match", async () => {
    await fc.assert(
      fc.asyncProperty(anyMachine, anyEvents, async (given, events) => {
        const told = await run(given, events);
        let at = given.initial_state;
        for (const decision of told.decisions) {
          const taken = given.transitions.find(({ id }) => id === decision.transition_id);
          expect(decision.outcome === "matched").toBe(taken !== undefined);
          if (taken !== undefined) expect(taken.from).toBe(at);
          expect(decision.state).toBe(taken?.to ?? at);
          at = decision.state;
        }
        expect(told.final_state).toBe(at);
      }),
      { numRuns: 100 },
    );
  });
});
