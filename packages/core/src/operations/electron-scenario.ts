import { coverageSchema } from "../coverage.js";
import { jsonObject } from "../json-schemas.js";
import { z } from "../z.js";
import { scenarioCleanupSchema, stepFailures } from "./browser-scenario-capture.js";
import { webCaptureReference, webExcerpt } from "./web-words.js";

/** The grammar of `capture_electron_scenario`, and what a run leaves. */

const count = z.number().int().nonnegative();
const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const moment = z.iso.datetime({ precision: 3 });
const bound = (least: number, greatest: number, normal: number) => z.int().min(least).max(greatest).default(normal);
const absolutePath = z.string().max(4096).regex(/^(?:\/|[A-Za-z]:[\\/])[^\0]*$/, "expected an absolute path");
const plain = (maximum: number) => z.string().min(1).max(maximum);

const locator = {
  role: z.string().regex(/^[A-Za-z]{1,64}$/, "expected a role such as button").optional(),
  name: z.string().max(1024).optional(),
  text: plain(1024).optional(),
  test_id: plain(256).optional(),
  css: plain(2048).optional(),
  match: z.enum(["exact", "contains"]).default("exact"),
  /** Which window, in the order in which their pages appeared. */
  window: bound(0, 31, 0),
};

const action = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("click"), ...locator }),
  /** Until an element is visible, or so many milliseconds. */
  z.strictObject({ type: z.literal("wait"), ...locator, ms: z.int().min(0).max(30_000).optional() }),
  z.strictObject({ type: z.literal("renderer_reload"), window: bound(0, 31, 0) }),
  z.strictObject({ type: z.literal("renderer_crash"), window: bound(0, 31, 0) }),
  z.strictObject({ type: z.literal("deep_link"), mode: z.enum(["open_url", "second_instance"]), url: plain(4096) }),
]);

const limits = z
  .strictObject({
    max_duration_ms: bound(1, 120_000, 60_000),
    action_timeout_ms: bound(1, 30_000, 5000),
    windows: bound(1, 32, 32),
    runtime_events: bound(0, 5000, 5000),
    ipc_events: bound(0, 2000, 2000),
    processes: bound(1, 32, 32),
  })
  .prefault({});

const shape = z.strictObject({
  executable_path: absolutePath,
  application_path: absolutePath,
  args: z.array(z.string().max(4096).refine((value) => !value.includes("\0"), "expected text without NUL")).max(32).default([]),
  actions: z.array(action).max(100).default([]),
  limits,
});

export const electronScenarioSchema = shape.superRefine(({ actions }, context) => {
  actions.forEach((given, index) => {
    if (given.type !== "click" && given.type !== "wait") return;
    const ways = [given.role, given.text, given.test_id, given.css].filter((way) => way !== undefined).length;
    const good = given.type === "click" ? ways === 1 : given.ms === undefined ? ways === 1 : ways === 0;
    if (!good) context.addIssue({ code: "custom", path: ["actions", index, "css"], message: given.type === "click" ? "expected exactly one of role, text, test_id, css" : "expected either ms or one of role, text, test_id, css" });
    if (given.name !== undefined && given.role === undefined) context.addIssue({ code: "custom", path: ["actions", index, "name"], message: "expected role beside name" });
  });
});

export type ElectronScenario = z.output<typeof electronScenarioSchema>;
export type ElectronAction = z.output<typeof action>;

export const electronEventKinds = ["app", "window", "contents", "session", "navigation", "shell", "permission", "popup", "download", "protocol", "native_addon", "process", "ipc", "hook"] as const;
export type ElectronEventKind = (typeof electronEventKinds)[number];

/** As the hook in the main process tells it; text is escaped, paths below the application are shortened. */
export const electronEventSchema = z.strictObject({
  order: count,
  at_ms: count,
  /** Position of the action during which it was told; null before the first. */
  action: count.nullable(),
  kind: z.enum(electronEventKinds),
  event: text,
  /** Number of the window's contents; null where it is about none. */
  contents: count.nullable(),
  url: text.nullable(),
  /** A name: a scheme, a permission, a program, a channel. */
  name: text.nullable(),
  /** An effect outside the application that was kept from happening. */
  blocked: z.boolean(),
  direction: z.enum(["to_main", "to_renderer", "registered"]).nullable(),
  /** Shapes of the arguments of a message, never their values. */
  argument_shapes: z.array(text).nullable(),
  reason: text.nullable(),
});
export type ElectronEvent = z.output<typeof electronEventSchema>;

export const electronCoverageStates = ["complete", "partial_attach", "capture_truncated", "hook_conflict", "target_exited", "cleanup_failed"] as const;
export type ElectronCoverageState = (typeof electronCoverageStates)[number];

const actionResult = z.strictObject({
  index: count,
  type: text,
  outcome: z.enum(["completed", "failed", "not_run"]),
  failure: z.enum([...stepFailures, "window_not_found", "hook_missing"]).nullable(),
  matches: count.nullable(),
  started_ms: count,
  ended_ms: count,
});
export type ElectronActionResult = z.output<typeof actionResult>;

export const electronScenarioCaptureSchema = z.strictObject({
  schema_version: z.literal(1),
  kind: z.literal("electron-scenario"),
  /** Digest of the program; of a packaged application it is the application's own. */
  executable: z.strictObject({ name: text, sha256 }),
  versions: z.strictObject({ electron: text.nullable(), chrome: text.nullable(), node: text.nullable() }),
  /** Without paths. */
  scenario: jsonObject,
  scenario_sha256: sha256,
  started_at: moment,
  ended_at: moment,
  outcome: z.enum(["completed", "failed"]),
  actions: z.array(actionResult),
  windows: z.array(z.strictObject({ window: count, url: text, title: text })),
  events: z.array(electronEventSchema),
  dropped_events: z.strictObject({ runtime: count, ipc: count }),
  processes: z.strictObject({ most: count, limit_reached: z.boolean() }),
  exit: z.strictObject({ code: z.number().int().nullable(), signal: text.nullable(), by_itself: z.boolean() }),
  /** Worst first; `complete` alone when nothing is missing. */
  observation: z.array(z.enum(electronCoverageStates)),
  /** Switches of the build that were found in the program, and those of them that keep it from being observed. */
  fuses: z.array(z.strictObject({ name: text, enabled: z.boolean().nullable(), blocks: z.boolean() })),
  coverage: coverageSchema,
  limitations: z.array(text),
  cleanup: scenarioCleanupSchema,
});
export type ElectronScenarioCapture = z.output<typeof electronScenarioCaptureSchema>;

/** Predicate of records that commit to the capture of an Electron scenario. */
export const electronScenarioPredicate = "rea.electron-scenario/v1";

/** What `capture_electron_scenario` answers: a page about a capture, which is retained whole. */
export const electronScenarioSummarySchema = electronScenarioCaptureSchema.omit({ scenario: true, events: true }).extend({
  capture: webCaptureReference,
  events: webExcerpt(electronEventSchema),
  event_counts: z.array(z.strictObject({ kind: text, count })),
  blocked_effects: webExcerpt(electronEventSchema),
  ipc_channels: z.array(z.strictObject({ name: text, count })),
});
export type ElectronScenarioSummary = z.output<typeof electronScenarioSummarySchema>;
