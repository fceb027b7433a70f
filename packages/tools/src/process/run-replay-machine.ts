import { replayMachineEventsSchema, replayMachineRunSchema, replayMachineSchema, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";

export const runReplayMachine = defineTool({
  family: "session",
  evidence: false,
  target: "none",
  name: "run_replay_machine",
  description:
    "Runs a replay machine on events, without sockets or programs, and returns the decision on each, the transitions taken, a table of what it can send (sizes and digests), and what was used of its limits. Captured values are told by alias only. A refused event is an outcome, not an error. Use it to try a machine before a process scenario uses it.",
  input: z.strictObject({
    machine: replayMachineSchema.describe("States, and transitions with guards, captures and actions"),
    events: replayMachineEventsSchema.describe("What a program would send, in the order of at_ms"),
  }),
  output: replayMachineRunSchema,
  effects: effectClasses.pure,
  requires: ["replay"],
  cli: null,
  examples: [
    {
      title: "A login that is remembered",
      input: {
        machine: {
          initial_state: "out",
          states: ["out", "in"],
          transitions: [
            {
              id: "login",
              from: "out",
              to: "in",
              trigger: "http",
              guards: [{ source: "path", test: "equals", value: "/login" }],
              captures: [{ alias: "user", source: "body_json", name: "/user" }],
              actions: [{ kind: "http_response", status: 200, data: "hello {{user}}", template: true }],
            },
          ],
        },
        events: [{ kind: "http", method: "POST", path: "/login", data: '{"user":"ada"}' }],
      },
    },
  ],
  run: async (input, { replay }, context) => ({ result: await replay.run(input, context), produced: null }),
});
