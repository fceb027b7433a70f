import { z } from "../z.js";
import { captureSignals, reactiveScenarioSchema } from "./process-capture-reactive.js";
import { replayHttpSchema, replayWebSocketSchema } from "./process-capture-replay.js";

/** The grammar of `capture_process_scenario`: one command under a terminal, and all that happens to it. */

const noNul = (text: string): boolean => !text.includes("\0");
const text = (maximum: number) => z.string().max(maximum).refine(noNul, "expected text without NUL");
const absolutePath = text(4096).regex(/^(?:\/|[A-Za-z]:[\\/])/, "expected an absolute path");
const variableName = z.string().regex(/^[^=\0]{1,256}$/, "expected a variable name");
const checkpointName = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, "expected letters, digits, _ . - (1 to 64)");
const bound = (least: number, greatest: number, normal: number) => z.number().int().min(least).max(greatest).default(normal);
const moment = z.number().int().min(0).max(300_000);
const dimension = z.number().int().min(1).max(1000);

/** Set for the program by the product, so no scenario may set them. */
export const reservedVariables = [
  "REA_PROCESS_RUN_ID",
  "REA_REPLAY_HTTP_URL",
  "REA_REPLAY_WEBSOCKET_URL",
  "REA_SHIM_LEDGER_URL",
] as const;

const event = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("input"), at_ms: moment, data: z.string().max(65_536), sensitive: z.boolean().default(false) }),
  z.strictObject({ kind: z.literal("resize"), at_ms: moment, columns: dimension, rows: dimension }),
  z.strictObject({ kind: z.literal("signal"), at_ms: moment, signal: z.enum(captureSignals) }),
  z.strictObject({ kind: z.literal("close_stdin"), at_ms: moment }),
]);

const checkpoint = z.strictObject({
  name: checkpointName,
  trigger: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("time"), at_ms: moment }),
    z.strictObject({ kind: z.literal("terminal_literal"), value: z.string().min(1).max(4096), occurrence: bound(1, 10_000, 1) }),
    z.strictObject({ kind: z.literal("root_exit") }),
    z.strictObject({ kind: z.literal("settled") }),
  ]),
});

const shimRoute = z.strictObject({
  name: z.string().regex(/^(?!\.{1,2}$)[^/\\\0\s]{1,128}$/, "expected a command name without a slash or blank"),
  arguments: z.array(text(32_768)).max(256).default([]),
  outputs: z
    .array(z.strictObject({ at_ms: moment.default(0), stream: z.enum(["stdout", "stderr"]).default("stdout"), data: z.string().max(65_536) }))
    .max(1000)
    .default([]),
  exit_code: z.number().int().min(0).max(255).optional(),
  signal: z.enum(captureSignals).optional(),
  /** Calls it answers; when they are used up the next route of the same call is asked. */
  max_calls: bound(0, 100, 1),
});

const limits = z
  .strictObject({
    output_bytes: bound(0, 100_000_000, 1_000_000),
    files: bound(0, 1_000_000, 10_000),
    file_bytes: bound(0, 1_073_741_824, 10_000_000),
    processes: bound(1, 10_000, 1000),
    protocol_events: bound(0, 100_000, 10_000),
    protocol_body_bytes: bound(0, 16_777_216, 1_000_000),
    connections: bound(0, 1000, 100),
    filesystem_depth: bound(0, 100, 16),
    frames: bound(0, 100_000, 10_000),
  })
  .prefault({});

const normalization = z
  .strictObject({
    paths: z.boolean().default(false),
    pids: z.boolean().default(true),
    ports: z.boolean().default(true),
    time_bucket_ms: bound(1, 60_000, 10),
    /** Regular expressions of the RE2 subset. */
    patterns: z.array(z.strictObject({ pattern: z.string().min(1).max(1024), replacement: z.string().max(256) })).max(32).default([]),
  })
  .prefault({});

const scenarioShape = z.strictObject({
  executable: text(4096).min(1),
  arguments: z.array(text(131_072)).max(256).default([]),
  working_directory: absolutePath.optional(),
  environment: z.array(z.strictObject({ name: variableName, value: text(131_072) })).max(256).default([]),
  inherit_environment: z.enum(["all", "none", "listed"]).default("listed"),
  inherit_names: z.array(variableName).max(64).default([]),
  secrets: z.array(z.strictObject({ name: variableName, from_env: variableName })).max(32).default([]),
  terminal: z.strictObject({ columns: dimension.default(80), rows: dimension.default(24), scrollback: bound(0, 10_000, 1000) }).prefault({}),
  events: z.array(event).max(1000).default([]),
  checkpoints: z.array(checkpoint).max(64).default([]),
  command_shims: z.array(shimRoute).max(3200).default([]),
  filesystem_observation_paths: z.array(absolutePath).max(16).default([]),
  timeout_ms: bound(1, 300_000, 30_000),
  /** 0: never. */
  idle_timeout_ms: bound(0, 300_000, 30_000),
  settle_ms: bound(0, 60_000, 100),
  limits,
  normalization,
  isolation: z.enum(["none", "pid_namespace"]).default("none"),
  trace: z.enum(["none", "syscalls"]).default("none"),
  replay_http: replayHttpSchema.optional(),
  replay_websocket: replayWebSocketSchema.optional(),
  /** A machine as `run_replay_machine` takes it; checked against its own grammar. */
  replay_machine: z.record(z.string(), z.unknown()).optional(),
  reactive: reactiveScenarioSchema.optional(),
});

export const processScenarioSchema = scenarioShape.superRefine((scenario, context) => {
  const issue = (path: (string | number)[], message: string): void => void context.addIssue({ code: "custom", path, message });
  for (const [list, entries] of [["environment", scenario.environment], ["secrets", scenario.secrets]] as const) {
    entries.forEach(({ name }, index) => {
      if (reservedVariables.some((reserved) => reserved === name)) issue([list, index, "name"], "expected no reserved variable");
    });
  }
  scenario.events.forEach((entry, index) => {
    if (index > 0 && entry.at_ms < (scenario.events[index - 1]?.at_ms ?? 0)) issue(["events", index, "at_ms"], "expected events ordered by at_ms");
    if (entry.kind === "input" && tooShortToHide(entry)) issue(["events", index, "data"], "expected at least 4 bytes in each line of sensitive input");
  });
  scenario.checkpoints.forEach(({ name }, index) => {
    if (scenario.checkpoints.findIndex((other) => other.name === name) !== index) issue(["checkpoints", index, "name"], "expected unique names");
  });
  const calls = new Map<string, number>();
  scenario.command_shims.forEach((route, index) => {
    const routes = (calls.get(route.name) ?? 0) + 1;
    calls.set(route.name, routes);
    if (routes > 100) issue(["command_shims", index, "name"], "expected at most 100 routes of one name");
    if (route.exit_code !== undefined && route.signal !== undefined) issue(["command_shims", index, "signal"], "expected an exit_code or a signal");
  });
  if (calls.size > 32) issue(["command_shims"], "expected at most 32 names");
  if (scenario.reactive !== undefined && scenario.events.length > 0) issue(["events"], "expected no events with reactive");
  const scripts = [scenario.replay_http, scenario.replay_websocket].filter((script) => script !== undefined);
  if (scenario.replay_machine !== undefined && scripts.length > 0) issue(["replay_machine"], "expected either scripts or a machine");
  scenario.reactive?.transitions.forEach((transition, index) =>
    transition.actions.forEach((action, position) => {
      if (action.kind === "send_input" && tooShortToHide(action)) {
        issue(["reactive", "transitions", index, "actions", position, "data"], "expected at least 4 bytes in each line of sensitive input");
      }
    }),
  );
});

/** A line that is shorter would be found everywhere, so it cannot be hidden. */
function tooShortToHide({ data, sensitive }: { readonly data: string; readonly sensitive: boolean }): boolean {
  const lines = data.split(/[\r\n]+/).filter((line) => line !== "");
  return sensitive && (lines.length === 0 || lines.some((line) => new TextEncoder().encode(line).length < 4));
}

export type ProcessScenario = z.output<typeof processScenarioSchema>;
export type ScenarioEvent = z.output<typeof event>;
export type ScenarioCheckpoint = z.output<typeof checkpoint>;
export type ShimRoute = z.output<typeof shimRoute>;
export type CaptureLimits = z.output<typeof limits>;
export type CaptureNormalization = z.output<typeof normalization>;
