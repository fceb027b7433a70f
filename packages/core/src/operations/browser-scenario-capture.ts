import { coverageSchema } from "../coverage.js";
import { jsonObject } from "../json-schemas.js";
import { z } from "../z.js";
import { webAccessibilityNodeSchema, webDomNodeSchema, webStorageSchema } from "./web-page-items.js";
import { webBrowserSchema, webCaptureReference, webExcerpt } from "./web-words.js";

/** What a browser scenario leaves: a whole of kind `capture`, and the page about it. */

const count = z.number().int().nonnegative();
const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const moment = z.iso.datetime({ precision: 3 });

/** Why a step did not come to its end. */
export const stepFailures = [
  "locator_not_found",
  "locator_ambiguous",
  "locator_invalid",
  "not_visible",
  "not_stable",
  "not_enabled",
  "not_editable",
  "covered",
  "wrong_element",
  "option_not_found",
  "key_unknown",
  "state_not_reached",
  "navigation_failed",
  "navigation_blocked",
  "timeout",
  "time_limit",
  "target_crashed",
  "target_closed",
  "browser_exited",
  "disconnected",
  "payload_limit",
  "protocol_error",
] as const;
export type StepFailure = (typeof stepFailures)[number];

/** Items of one state of the page, and whether they are all there were. */
function state<T extends z.ZodType>(item: T) {
  return z.strictObject({ state: z.enum(["complete", "partial", "unavailable"]), items: z.array(item), total: count.nullable(), sha256 });
}

const screenshot = z.discriminatedUnion("state", [
  z.strictObject({ state: z.literal("captured"), sha256, bytes: count, width: count, height: count, path: text }),
  z.strictObject({ state: z.literal("withheld"), reason: z.enum(["secret_visible", "too_large", "total_limit", "unavailable"]) }),
]);

const stepSchema = z.strictObject({
  step_id: text,
  type: text,
  outcome: z.enum(["completed", "failed", "not_run"]),
  failure: z.enum(stepFailures).nullable(),
  /** How many elements the locator had at its last look; null for actions without one. */
  matches: count.nullable(),
  /** Milliseconds since the start of the scenario. */
  started_ms: count,
  ended_ms: count,
  /** Each null unless it was asked for, or when the page was gone. */
  url: text.nullable(),
  history: z.strictObject({ index: count, entries: z.array(text) }).nullable(),
  dom: state(webDomNodeSchema).nullable(),
  accessibility: state(webAccessibilityNodeSchema).nullable(),
  storage: state(webStorageSchema).nullable(),
  screenshot: screenshot.nullable(),
});

const header = z.strictObject({ name: text, value: text, redacted: z.boolean() });
const eventBase = { order: count, step_id: text, at_ms: count };

export const scenarioEventSchema = z.discriminatedUnion("kind", [
  z.strictObject({ ...eventBase, kind: z.literal("console"), level: text, text, text_truncated: z.boolean(), argument_types: z.array(text) }),
  z.strictObject({ ...eventBase, kind: z.literal("page_error"), text, text_truncated: z.boolean(), url: text.nullable(), line: count.nullable() }),
  z.strictObject({ ...eventBase, kind: z.literal("dialog"), dialog: text, answer: z.literal("dismissed") }),
  z.strictObject({
    ...eventBase,
    kind: z.literal("network"),
    method: text,
    url: text,
    resource_type: text,
    request_headers: z.array(header),
    request_body_bytes: count,
    status: count.nullable(),
    status_text: text,
    protocol: text.nullable(),
    media_type: text.nullable(),
    response_headers: z.array(header),
    encoded_bytes: count.nullable(),
    decoded_bytes: count.nullable(),
    outcome: z.enum(["finished", "failed", "canceled", "redirected", "pending"]),
    failure: text.nullable(),
    /** Answered by the scenario itself. */
    replayed: z.boolean(),
    redirected_from: count.nullable(),
    wall_time: moment.nullable(),
    /** From the request to the answer, and to its end; null when that was not seen. */
    answered_ms: count.nullable(),
    ended_ms: count.nullable(),
  }),
  /** A request that the scenario aborted: of an origin that is not allowed, or one without a response in the replay. */
  z.strictObject({ ...eventBase, kind: z.literal("blocked_request"), reason: z.enum(["unmatched_replay"]), method: text, url: text, resource_type: text }),
  z.strictObject({ ...eventBase, kind: z.literal("websocket"), socket: count, event: z.enum(["opened", "sent", "received", "failed", "closed"]), url: text.nullable(), opcode: count.nullable(), bytes: count.nullable() }),
  z.strictObject({ ...eventBase, kind: z.literal("frame"), event: z.enum(["attached", "navigated", "navigated_within_document", "detached"]), main: z.boolean(), url: text.nullable() }),
  z.strictObject({ ...eventBase, kind: z.literal("worker"), worker: z.enum(["dedicated", "shared", "service", "other"]), url: text }),
  z.strictObject({ ...eventBase, kind: z.literal("popup"), url: text, closed: z.boolean() }),
  z.strictObject({ ...eventBase, kind: z.literal("download"), url: text, suggested_name: text, denied: z.boolean() }),
]);
export type BrowserScenarioEvent = z.output<typeof scenarioEventSchema>;

const eligibility = z.enum(["step_failed", "events_dropped", "state_incomplete", "attach_limited", "replay_incomplete", "secret_withheld"]);

const completeness = z.strictObject({
  /** False when something that was to be captured is missing, so that this run cannot prove to be equal to another. */
  equality_eligible: z.boolean(),
  reasons: z.array(eligibility),
  dropped_events: count,
  /** Requests to origins that are not allowed; nothing else of them is kept. */
  aborted_requests: count,
});

const resource = z.strictObject({
  kind: z.enum(["process_group", "browser_profile", "socket", "temporary_root"]),
  detail: z.strictObject({ pid: count.optional(), path: text.optional(), reason: text }),
});
/** How ending what the run owned came out. A connected browser is not ours: nothing of it is ended. */
export const scenarioCleanupSchema = z.strictObject({
  state: z.enum(["proven", "unproven", "incomplete"]),
  ownership_proof: z.enum(["pid_namespace", "cgroup", "job_object", "group_and_token", "group_only", "unproven"]).nullable(),
  ownership_reason: text.optional(),
  resources: z.array(resource),
});
export type ScenarioCleanup = z.output<typeof scenarioCleanupSchema>;

const ranBrowser = webBrowserSchema.extend({
  mode: z.enum(["launch", "connect"]),
  executable_sha256: sha256.nullable(),
  headless: z.boolean().nullable(),
  sandbox: z.enum(["enabled", "disabled"]).nullable(),
});

export const browserScenarioCaptureSchema = z.strictObject({
  schema_version: z.literal(1),
  kind: z.literal("browser-scenario"),
  browser: ranBrowser,
  /** As it was asked for, with defaults; no secret is in it. */
  scenario: jsonObject,
  scenario_sha256: sha256,
  allowed_origins: z.array(text),
  started_at: moment,
  ended_at: moment,
  outcome: z.enum(["completed", "failed"]),
  /** The first one is the state before the first action. */
  steps: z.array(stepSchema),
  events: z.array(scenarioEventSchema),
  completeness,
  coverage: coverageSchema,
  limitations: z.array(text),
  cleanup: scenarioCleanupSchema,
});
export type BrowserScenarioCapture = z.output<typeof browserScenarioCaptureSchema>;
export type ScenarioStep = z.output<typeof stepSchema>;
export type ScenarioScreenshot = z.output<typeof screenshot>;
export type ScenarioHeader = z.output<typeof header>;
export type ScenarioRequest = Extract<BrowserScenarioEvent, { kind: "network" }>;

/** Predicate of records that commit to the capture of a browser scenario. */
export const browserScenarioPredicate = "rea.browser-scenario/v1";

const shownState = z.strictObject({ state: z.enum(["complete", "partial", "unavailable"]), items: count, sha256 });
const shownStep = stepSchema.omit({ dom: true, accessibility: true, storage: true }).extend({
  dom: shownState.nullable(),
  accessibility: shownState.nullable(),
  storage: shownState.nullable(),
});

/** What `capture_browser_scenario` answers: a page about a capture, which is retained whole. */
export const browserScenarioSummarySchema = browserScenarioCaptureSchema.omit({ steps: true, events: true, scenario: true }).extend({
  capture: webCaptureReference,
  failed_step: z.strictObject({ step_id: text, type: text, failure: z.enum(stepFailures), matches: count.nullable() }).nullable(),
  steps: webExcerpt(shownStep),
  events: webExcerpt(scenarioEventSchema),
  event_counts: z.array(z.strictObject({ kind: text, count })),
});
export type BrowserScenarioSummary = z.output<typeof browserScenarioSummarySchema>;
