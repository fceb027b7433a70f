import { reactiveRunSchema, reactiveScenarioSchema, type z } from "@rea/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MatchLog } from "./match-log.js";
import { ReactiveMachine, type ReactiveEffect } from "./reactive-machine.js";
import { TextScanner } from "./text-scanner.js";

type ScenarioInput = z.input<typeof reactiveScenarioSchema>;
type TransitionInput = ScenarioInput["transitions"][number];
type PredicateInput = TransitionInput["predicates"][number];

const text = (value: string, more: object = {}): PredicateInput => ({ kind: "terminal_text", value, ...more });
const type = (data: string) => ({ kind: "send_input", data }) as const;
const states = ["a", "b", "c"].map((name) => ({ name }));

function machine(transitions: readonly TransitionInput[], more: Partial<ScenarioInput> = {}): ReactiveMachine {
  return new ReactiveMachine(reactiveScenarioSchema.parse({ version: 1, initial_state: "a", deadline_ms: 1000, states, transitions: [...transitions], ...more }));
}

const at = (atMs: number, captureOrder = 0) => ({ atMs, captureOrder });

/** What effects type, as one text. */
function typed(effects: readonly ReactiveEffect[]): string {
  return effects.map(({ perform }) => (perform.kind === "send_input" ? perform.data : `<${perform.kind}>`)).join("");
}

describe("a reactive machine", () => {
  it("answers what the program says, and goes on from there within one piece of text", () => {
    const login = machine([
      { from: "a", predicates: [text("login: ")], actions: [type("me\n")], goto: "b" },
      { from: "b", predicates: [text("password: ")], actions: [type("pw\n")], goto: "c" },
      { from: "c", predicates: [text("$ ")], actions: [{ kind: "close_stdin" }], finish: true },
    ]);
    expect(typed(login.text("password: none yet\nlog", at(1)))).toBe("");
    expect(typed(login.text("in: ", at(2)))).toBe("me\n");
    expect(typed(login.text("password: $ ", at(3)))).toBe("pw\n<close_stdin>");
    expect(login.outcome).toBe("finished");
    expect(login.text("login: ", at(4))).toEqual([]);
    expect(login.nextDeadlineMs()).toBeNull();
    expect(login.run()).toEqual({
      outcome: "finished",
      final_state: "c",
      records: [
        { kind: "transition", at_ms: 2, transition: 0, from: "a", to: "b" },
        { kind: "transition", at_ms: 3, transition: 1, from: "b", to: "c" },
        { kind: "transition", at_ms: 3, transition: 2, from: "c", to: null },
      ],
    });
  });

  it("combines predicates: all in any order, any, a sequence in its order, repetitions without overlap", () => {
    const two = [text("x"), text("y")];
    const all = machine([{ from: "a", predicates: two, finish: true }]);
    expect([all.text("y", at(0)), all.outcome]).toEqual([[], null]);
    all.text("x", at(1));
    expect(all.outcome).toBe("finished");

    const any = machine([{ from: "a", combine: "any", predicates: two, finish: true }]);
    any.text("y", at(0));
    expect(any.outcome).toBe("finished");

    const sequence = machine([{ from: "a", combine: "sequence", predicates: two, finish: true }]);
    sequence.text("yx", at(0));
    expect(sequence.outcome).toBeNull();
    sequence.text("y", at(0));
    expect(sequence.outcome).toBe("finished");

    const repeat = machine([{ from: "a", combine: "repeat", repeat: 2, predicates: [text("aa")], finish: true }]);
    repeat.text("aaa", at(0));
    expect(repeat.outcome).toBeNull();
    repeat.text("a", at(0));
    expect(repeat.outcome).toBe("finished");
  });

  it("begins at the start of the scenario, at the state's entry, at a checkpoint or at a named event", () => {
    const anchored = (anchor: object) =>
      machine([
        { from: "a", predicates: [text("go", { as: "went" })], goto: "b" },
        { from: "b", predicates: [text("old", { anchor })], finish: true },
      ]);
    const early = anchored({ kind: "scenario_start" });
    early.text("old go", at(0));
    expect(early.outcome).toBe("finished");
    const entry = anchored({ kind: "state_entry" });
    entry.text("old go", at(0));
    expect(entry.outcome).toBeNull();
    entry.text("old", at(0));
    expect(entry.outcome).toBe("finished");
    const named = anchored({ kind: "event", event: "went" });
    named.text("old go", at(0));
    expect(named.outcome).toBeNull();
    named.text("old", at(0));
    expect(named.outcome).toBe("finished");
    const checkpoint = anchored({ kind: "checkpoint", name: "here" });
    checkpoint.text("go old", at(0));
    checkpoint.event("checkpoint", "elsewhere", at(0));
    checkpoint.text("old", at(0));
    expect(checkpoint.outcome).toBeNull();
    checkpoint.event("checkpoint", "here", at(0));
    expect(checkpoint.outcome).toBeNull();
    checkpoint.text("old", at(0));
    expect(checkpoint.outcome).toBe("finished");
  });

  it("waits for events, of any name or of one", () => {
    const named = machine([{ from: "a", predicates: [{ kind: "event", event: "shim_called", name: "git" }], finish: true }]);
    named.event("shim_called", "curl", at(0));
    named.event("checkpoint", "git", at(0));
    expect(named.outcome).toBeNull();
    named.event("shim_called", "git", at(0));
    expect(named.outcome).toBe("finished");
    const any = machine([{ from: "a", predicates: [{ kind: "event", event: "shim_called" }], finish: true }]);
    any.event("shim_called", "curl", at(0));
    expect(any.outcome).toBe("finished");
  });

  it("takes what was due first, then the first in its list", () => {
    const both = (value: string) => {
      const one = machine([
        { from: "a", predicates: [text("late")], goto: "b" },
        { from: "a", predicates: [text("soon")], goto: "c" },
        { from: "a", predicates: [text("late")], goto: "c" },
      ]);
      one.text(value, at(0));
      return one.run().final_state;
    };
    expect(both("soon late")).toBe("c");
    expect(both("late soon")).toBe("b");
  });

  it("does not turn in a circle on the spot, and stops after 2000 transitions", () => {
    const start = { anchor: { kind: "scenario_start" } };
    const circle = machine([
      { from: "a", predicates: [text("x", start)], goto: "b" },
      { from: "b", predicates: [text("x", start)], goto: "a" },
    ]);
    circle.text("x", at(0));
    expect(circle.run().records.length).toBe(2);
    const endless = machine([{ from: "a", predicates: [text("x")], actions: [type("y")], goto: "a" }]);
    endless.text("x".repeat(5000), at(0));
    expect([endless.run().records.length, endless.exhausted, endless.outcome]).toEqual([2000, true, null]);
  });

  it("ends at the deadline that comes first, and says what was seen before", () => {
    const hurried = machine([{ from: "a", predicates: [text("x")], goto: "b" }], { states: [{ name: "a" }, { name: "b", deadline_ms: 50 }] });
    expect(hurried.nextDeadlineMs()).toBe(1000);
    hurried.text("x", at(100, 3));
    expect(hurried.nextDeadlineMs()).toBe(150);
    hurried.time(at(149, 4));
    expect(hurried.outcome).toBeNull();
    hurried.time(at(150, 5));
    expect(hurried.run()).toMatchObject({ outcome: "state_deadline", final_state: "b" });
    expect(hurried.run().records.at(-1)).toEqual({ kind: "control", at_ms: 150, control: "state_deadline", state: "b", after_capture_order: 5 });

    const slow = machine([{ from: "a", predicates: [text("x")], finish: true }]);
    expect(slow.text("x", at(1000))).toEqual([]);
    expect(slow.outcome).toBe("scenario_deadline");
  });

  it("keeps its outcome when something is learnt after the end", () => {
    const lost = machine([]);
    lost.control("target_lost", at(5, 9));
    lost.control("cleanup_failed", at(6, 9));
    expect(lost.run()).toMatchObject({ outcome: "target_lost", records: [{ control: "target_lost", after_capture_order: 9 }, { control: "cleanup_failed" }] });
    expect(machine([]).run().outcome).toBe("cancelled");
  });
});

const anchors = fc.constantFrom<object[]>({}, { anchor: { kind: "scenario_start" } }, { anchor: { kind: "event", event: "n" } });
const predicates = fc.array(fc.tuple(fc.constantFrom("a", "ab", "ba", "abc", "b"), anchors, fc.boolean()).map(([value, anchor, named]) => text(value, { ...anchor, ...(named ? { as: "n" } : {}) })), { minLength: 1, maxLength: 3 });
const anyTransition = fc.record({
  from: fc.constantFrom("a", "b", "c"),
  combine: fc.constantFrom("all", "any", "sequence", "repeat"),
  repeat: fc.integer({ min: 1, max: 4 }),
  predicates,
  to: fc.option(fc.constantFrom("a", "b", "c"), { nil: null }),
});
const anyScenario = fc.array(anyTransition, { maxLength: 6 }).map((transitions) => {
  const all = transitions.map(({ to, repeat, combine, ...rest }, index): TransitionInput => ({
    ...rest,
    combine,
    ...(combine === "repeat" ? { repeat } : {}),
    actions: [type(String(index))],
    ...(to === null ? { finish: true } : { goto: to }),
  }));
  // Something names "n", wherever it is an anchor.
  return [...all, { from: "c", predicates: [text("zz", { as: "n" })], goto: "a" } satisfies TransitionInput];
});
const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", "x"), maxLength: 60 });

describe("any reactive machine", () => {
  it("does the same however the text was cut, ends, and tells what its schema allows", () => {
    fc.assert(
      fc.property(anyScenario, letters, fc.array(fc.nat(60), { maxLength: 8 }), (transitions, given, cuts) => {
        const whole = machine(transitions);
        const before = typed(whole.text(given, at(1)));
        const pieces = machine(transitions);
        const edges = [0, ...cuts.map((cut) => Math.min(cut, given.length)).sort((a, b) => a - b), given.length];
        const after = edges.map((edge, index) => typed(pieces.text(given.slice(edges[index - 1] ?? 0, edge), at(1)))).join("");
        expect(after).toBe(before);
        expect(pieces.run()).toEqual(whole.run());
        expect(reactiveRunSchema.safeParse(whole.run()).success).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it("goes only along its transitions", () => {
    fc.assert(
      fc.property(anyScenario, letters, (transitions, given) => {
        const one = machine(transitions);
        one.text(given, at(1));
        let state: string | null = "a";
        for (const record of one.run().records) {
          if (record.kind !== "transition") continue;
          expect([record.from, record.to]).toEqual([state, transitions[record.transition]?.goto ?? null]);
          expect(transitions[record.transition]?.from).toBe(state);
          state = record.to;
        }
      }),
    );
  });
});

describe("a scanner of text", () => {
  it("finds each place of each literal once, however the text was cut", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }), fc.array(fc.string({ unit: fc.constantFrom("a", "b") }), { maxLength: 6 }), (literals, pieces) => {
        const scanner = new TextScanner(literals);
        const found: string[] = [];
        let position = 0;
        for (const piece of pieces) {
          // A gap between pieces stands for an event in between.
          for (const { literal, start } of scanner.feed(piece, position * 2)) found.push(`${literal} ${String(start)}`);
          position += piece.length;
        }
        const text = pieces.join("");
        const starts: number[] = pieces.flatMap((piece, index) => Array.from(piece, (_, offset) => pieces.slice(0, index).join("").length * 2 + offset));
        const expected = [...new Set(literals)].flatMap((literal) => starts.flatMap((start, index) => (text.startsWith(literal, index) ? [`${literal} ${String(start)}`] : [])));
        expect(found.sort()).toEqual(expected.sort());
      }),
    );
  });
});

describe("a log of matches", () => {
  it("keeps the first and the latest of very many", () => {
    const log = new MatchLog();
    for (let start = 0; start < 100_000; start += 1) log.add({ start, end: start + 2 });
    expect([log.from(0)?.start, log.from(999)?.start, log.from(99_999)?.start, log.from(100_000)]).toEqual([0, 999, 99_999, undefined]);
    expect(log.apart(0, 3).map(({ start }) => start)).toEqual([0, 2, 4]);
  });
});
