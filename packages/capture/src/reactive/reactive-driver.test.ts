import { reactiveScenarioSchema, type ReactiveAction } from "@rea/core";
import { describe, expect, it } from "vitest";
import { ReactiveDriver } from "./reactive-driver.js";
import type { ActionOutcome } from "./reactive-machine.js";

function driver(options: { readonly deadline?: number; readonly perform?: (action: ReactiveAction) => Promise<ActionOutcome> } = {}) {
  const performed: string[] = [];
  const ended: string[] = [];
  const started = performance.now();
  const scenario = reactiveScenarioSchema.parse({
    version: 1,
    initial_state: "a",
    deadline_ms: options.deadline ?? 60_000,
    states: [{ name: "a" }, { name: "b" }],
    transitions: [
      { from: "a", predicates: [{ kind: "terminal_text", value: "one" }], actions: [{ kind: "send_input", data: "1" }, { kind: "checkpoint", name: "c" }], goto: "b" },
      { from: "b", predicates: [{ kind: "event", event: "root_exit" }], actions: [{ kind: "close_stdin" }], finish: true },
    ],
  });
  const it = new ReactiveDriver({
    scenario,
    now: () => Math.floor(performance.now() - started),
    captureOrder: () => 7,
    perform:
      options.perform ??
      (async (action) => {
        await new Promise((resume) => setTimeout(resume, action.kind === "send_input" ? 5 : 0));
        performed.push(action.kind);
        return "dispatched";
      }),
    ended: (outcome) => ended.push(outcome),
  });
  return { it, performed, ended };
}

describe("a reactive driver", () => {
  it("performs effects one after the other and records what became of them", async () => {
    const { it: one, performed, ended } = driver();
    one.text("one");
    one.event("root_exit");
    expect(ended).toEqual(["finished"]);
    await one.idle();
    expect(performed).toEqual(["send_input", "checkpoint", "close_stdin"]);
    const actions = one.run().records.flatMap((record) => (record.kind === "action" ? [[record.transition, record.action, record.outcome]] : []));
    expect(actions).toEqual([[0, 0, "dispatched"], [0, 1, "dispatched"], [1, 0, "dispatched"]]);
    await one.close();
    await one.close();
  });

  it("ends at its deadline by itself, and once", async () => {
    const { it: one, ended } = driver({ deadline: 20 });
    while (ended.length === 0) await new Promise((resume) => setTimeout(resume, 5));
    one.text("one");
    one.control("target_lost");
    expect(ended).toEqual(["scenario_deadline"]);
    expect(one.run().records).toMatchObject([{ control: "scenario_deadline", after_capture_order: 7 }, { control: "target_lost" }]);
    await one.close();
  });

  it("calls an effect that throws, or that was overtaken by the end, failed", async () => {
    const { it: one } = driver({ perform: () => Promise.reject(new Error("gone")) });
    one.text("one");
    await one.close();
    const outcomes = one.run().records.flatMap((record) => (record.kind === "action" ? [record.outcome] : []));
    expect(outcomes).toEqual(["failed", "failed"]);
  });
});
