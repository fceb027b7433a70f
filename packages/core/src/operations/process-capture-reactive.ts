import { z } from "../z.js";

/** The grammar of reactive scenarios: a small state machine that answers what the program does. */

const name = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, "expected letters, digits, _ . - (1 to 64)");
const deadline = z.number().int().min(1).max(300_000);
const dimension = z.number().int().min(1).max(1000);

export const captureSignals = ["SIGINT", "SIGTERM", "SIGKILL"] as const;

/** What a predicate of kind `event` can wait for. */
export const reactiveEventKinds = [
  "root_exit",
  "settled",
  "checkpoint",
  "input_dispatched",
  "resized",
  "signal_sent",
  "stdin_closed",
  "process_observed",
  "shim_called",
  "protocol_event",
] as const;

const anchor = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("scenario_start") }),
  z.strictObject({ kind: z.literal("state_entry") }),
  z.strictObject({ kind: z.literal("checkpoint"), name }),
  z.strictObject({ kind: z.literal("event"), event: name }),
]);

/** `as` names the event a predicate matched, so that later predicates can be anchored at it. */
const predicate = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("event"),
    event: z.enum(reactiveEventKinds),
    /** Of a checkpoint, or of a command shim; default any. */
    name: z.string().min(1).max(256).optional(),
    anchor: anchor.default({ kind: "state_entry" }),
    as: name.optional(),
  }),
  z.strictObject({
    kind: z.literal("terminal_text"),
    /** Literal text of the decoded UTF-8 stream; may span frames. */
    value: z.string().min(1).max(4096),
    anchor: anchor.default({ kind: "state_entry" }),
    as: name.optional(),
  }),
]);

const action = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("send_input"), data: z.string().max(65_536), sensitive: z.boolean().default(false) }),
  z.strictObject({ kind: z.literal("resize"), columns: dimension, rows: dimension }),
  z.strictObject({ kind: z.literal("close_stdin") }),
  z.strictObject({ kind: z.literal("send_signal"), signal: z.enum(captureSignals), to: z.enum(["root", "group"]).default("root") }),
  z.strictObject({ kind: z.literal("checkpoint"), name }),
]);

const transition = z.strictObject({
  from: name,
  combine: z.enum(["all", "any", "sequence", "repeat"]).default("all"),
  /** With `repeat`: how often the predicates must have matched. */
  repeat: z.number().int().min(1).max(1000).optional(),
  predicates: z.array(predicate).min(1).max(16),
  actions: z.array(action).max(16).default([]),
  /** The next state; exactly one of `goto` and `finish`. */
  goto: name.optional(),
  finish: z.literal(true).optional(),
});

const reactiveShape = z.strictObject({
  version: z.literal(1),
  initial_state: name,
  deadline_ms: deadline,
  states: z.array(z.strictObject({ name, deadline_ms: deadline.optional() })).min(1).max(32),
  transitions: z.array(transition).max(256),
});

/** Strict; also refuses names that lead nowhere. */
export const reactiveScenarioSchema = reactiveShape.superRefine((scenario, context) => {
  const report = (path: (string | number)[], message: string): void => void context.addIssue({ code: "custom", path, message });
  const states = new Set(scenario.states.map((state) => state.name));
  const named = new Set(scenario.transitions.flatMap(({ predicates }) => predicates.flatMap(({ as }) => as ?? [])));
  if (states.size < scenario.states.length) report(["states"], "expected unique names");
  if (!states.has(scenario.initial_state)) report(["initial_state"], "expected one of the states");
  scenario.transitions.forEach(({ from, goto, finish, combine, repeat, predicates }, index) => {
    const at = ["transitions", index];
    if (!states.has(from)) report([...at, "from"], "expected one of the states");
    if (goto !== undefined && !states.has(goto)) report([...at, "goto"], "expected one of the states");
    if ((goto === undefined) === (finish === undefined)) report([...at, "goto"], "expected exactly one of goto and finish");
    if ((combine === "repeat") !== (repeat !== undefined)) report([...at, "repeat"], "expected with combine repeat, and only there");
    predicates.forEach(({ anchor: { kind, ...rest }, ...each }, position) => {
      const place = [...at, "predicates", position];
      const reference = "event" in rest ? rest.event : undefined;
      if (kind === "event" && (reference === undefined || !named.has(reference))) report([...place, "anchor", "event"], "expected the name that a predicate gives with as");
      if (each.kind === "event" && each.name !== undefined && !nameableEvents.has(each.event)) report([...place, "name"], "expected no name for this event");
    });
  });
});

/** Checkpoints and command shims have names. */
const nameableEvents: ReadonlySet<string> = new Set(["checkpoint", "shim_called"]);

export type ReactiveScenario = z.output<typeof reactiveScenarioSchema>;
export type ReactiveTransition = z.output<typeof transition>;
export type ReactivePredicate = z.output<typeof predicate>;
export type ReactiveAction = z.output<typeof action>;

/** What came of a reactive scenario, in order. */
export const reactiveRunSchema = z.strictObject({
  outcome: z.enum(["finished", "state_deadline", "scenario_deadline", "target_lost", "cancelled", "cleanup_failed"]),
  final_state: z.string(),
  records: z.array(
    z.discriminatedUnion("kind", [
      z.strictObject({
        kind: z.literal("transition"),
        at_ms: z.number().int().nonnegative(),
        /** Position in the scenario's transitions. */
        transition: z.number().int().nonnegative(),
        from: z.string(),
        to: z.string().nullable(),
      }),
      z.strictObject({
        kind: z.literal("action"),
        at_ms: z.number().int().nonnegative(),
        transition: z.number().int().nonnegative(),
        /** Position in the transition's actions. */
        action: z.number().int().nonnegative(),
        action_kind: z.enum(["send_input", "resize", "close_stdin", "send_signal", "checkpoint"]),
        outcome: z.enum(["dispatched", "target_exited", "failed"]),
      }),
      z.strictObject({
        kind: z.literal("control"),
        at_ms: z.number().int().nonnegative(),
        control: z.enum(["state_deadline", "scenario_deadline", "target_lost", "cancelled", "cleanup_failed"]),
        state: z.string(),
        /** The last entry of the journal before it; 0 before the first. */
        after_capture_order: z.number().int().nonnegative(),
      }),
    ]),
  ),
});
export type ReactiveRun = z.output<typeof reactiveRunSchema>;
export type ReactiveRecord = ReactiveRun["records"][number];
