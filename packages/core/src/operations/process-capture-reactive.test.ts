import { describe, expect, it } from "vitest";
import { reactiveScenarioSchema } from "./process-capture-reactive.js";

const predicate = { kind: "terminal_text", value: "$ " };
const transition = { from: "start", predicates: [predicate], finish: true };
const scenario = (one: object = {}, more: object = {}) => ({
  version: 1,
  initial_state: "start",
  deadline_ms: 1000,
  states: [{ name: "start" }, { name: "next" }],
  transitions: [{ ...transition, ...one }],
  ...more,
});

describe("a reactive scenario", () => {
  it("needs no more than a state and where it leads", () => {
    expect(reactiveScenarioSchema.safeParse(scenario())).toMatchObject({ success: true });
  });

  it.each([
    ["a state twice", scenario({}, { states: [{ name: "start" }, { name: "start" }] }), "states"],
    ["an unknown start", scenario({}, { initial_state: "z" }), "initial_state"],
    ["a way from nowhere", scenario({ from: "z" }), "transitions.0.from"],
    ["a way to nowhere", scenario({ finish: undefined, goto: "z" }), "transitions.0.goto"],
    ["both an end and a next state", scenario({ goto: "next" }), "transitions.0.goto"],
    ["neither an end nor a next state", scenario({ finish: undefined }), "transitions.0.goto"],
    ["a count without repeat", scenario({ repeat: 2 }), "transitions.0.repeat"],
    ["repeat without a count", scenario({ combine: "repeat" }), "transitions.0.repeat"],
    ["an anchor that nothing names", scenario({ predicates: [{ ...predicate, anchor: { kind: "event", event: "e" } }] }), "transitions.0.predicates.0.anchor.event"],
    ["a name for an event that has none", scenario({ predicates: [{ kind: "event", event: "root_exit", name: "x" }] }), "transitions.0.predicates.0.name"],
    ["no predicate", scenario({ predicates: [] }), "transitions.0.predicates"],
  ])("is refused with %s", (_what, value, path) => {
    const parsed = reactiveScenarioSchema.safeParse(value);
    expect(parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join("."))).toEqual([path]);
  });

  it("may anchor a predicate at what another one names", () => {
    const named = scenario({ combine: "sequence", predicates: [{ ...predicate, as: "prompt" }, { ...predicate, anchor: { kind: "event", event: "prompt" } }] });
    expect(reactiveScenarioSchema.safeParse(named)).toMatchObject({ success: true });
  });
});
