import { z } from "../z.js";

/** The grammar of `capture_browser_scenario`: one page of one browser, and all that is done in it. */

const bound = (least: number, greatest: number, normal: number) => z.int().min(least).max(greatest).default(normal);
const stepId = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, "expected letters, digits, _ . - (1 to 64)");
const variableName = z.string().regex(/^[^=\0]{1,256}$/, "expected a variable name");
const absolutePath = z.string().max(4096).regex(/^(?:\/|[A-Za-z]:[\\/])[^\0]*$/, "expected an absolute path");
const webUrl = z.string().min(1).max(8192).regex(/^https?:\/\/[^\s]+$/i, "expected an http or https URL");
const text = (maximum: number) => z.string().max(maximum);
const name = z.string().min(1).max(256);
const origin = z.string().min(1).max(512);

/** Set on the first step, which is none of the caller's. */
export const scenarioStart = "scenario_start";

/** Exactly one of `role`, `text`, `test_id`, `css`; which is checked below. */
const locator = {
  role: z.string().regex(/^[A-Za-z]{1,64}$/, "expected a role such as button").optional(),
  /** Accessible name, beside `role`. */
  name: text(1024).optional(),
  text: z.string().min(1).max(1024).optional(),
  /** Value of the attribute `data-testid`. */
  test_id: z.string().min(1).max(256).optional(),
  css: z.string().min(1).max(2048).optional(),
  /** How `name` and `text` are compared, blanks made one: as a whole, or as a part in any letter case. */
  match: z.enum(["exact", "contains"]).default("exact"),
};
const step = { step_id: stepId };

const action = z.discriminatedUnion("type", [
  z.strictObject({ ...step, type: z.literal("goto"), url: webUrl }),
  z.strictObject({ ...step, type: z.literal("click"), ...locator }),
  z.strictObject({ ...step, type: z.literal("fill"), ...locator, value: text(65_536).optional(), secret_env: variableName.optional() }),
  z.strictObject({ ...step, type: z.literal("press"), ...locator, key: z.string().min(1).max(64) }),
  z.strictObject({ ...step, type: z.literal("select_option"), ...locator, values: z.array(text(1024)).min(1).max(64) }),
  z.strictObject({ ...step, type: z.literal("check"), ...locator }),
  z.strictObject({ ...step, type: z.literal("uncheck"), ...locator }),
  z.strictObject({ ...step, type: z.literal("wait_for"), ...locator, state: z.enum(["attached", "detached", "visible", "hidden"]).default("visible") }),
  z.strictObject({ ...step, type: z.literal("wait_for_timeout"), ms: z.int().min(0).max(30_000) }),
]);

const browser = z.discriminatedUnion("mode", [
  z.strictObject({
    mode: z.literal("launch"),
    /** Default the first browser that is found on the host. */
    executable_path: absolutePath.optional(),
    headless: z.boolean().default(true),
    /** `disabled` is told in the result; as root of Linux there is no other way. */
    sandbox: z.enum(["enabled", "disabled"]).default("enabled"),
  }),
  z.strictObject({ mode: z.literal("connect"), cdp_endpoint: z.string().min(1).max(256), target_id: z.string().min(1).max(256) }),
]);

const environment = z
  .strictObject({
    viewport: z
      .strictObject({ width: z.int().min(320).max(7680), height: z.int().min(240).max(4320), device_scale_percent: bound(50, 400, 100) })
      .optional(),
    locale: z.string().regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, "expected a language tag such as de-CH").optional(),
    timezone: z.string().regex(/^[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+){0,2}$/, "expected a zone such as Europe/Zurich").max(64).optional(),
    color_scheme: z.enum(["light", "dark", "no-preference"]).optional(),
    reduced_motion: z.enum(["reduce", "no-preference"]).optional(),
  })
  .prefault({});

const seedItem = z.strictObject({ origin, name: text(1024), value: text(65_536) });
const storageSeed = z.strictObject({
  cookies: z
    .array(
      z.strictObject({
        url: webUrl,
        name: z.string().min(1).max(256),
        value: text(4096).optional(),
        secret_env: variableName.optional(),
        secure: z.boolean().optional(),
        http_only: z.boolean().default(false),
        same_site: z.enum(["strict", "lax", "none"]).optional(),
      }),
    )
    .max(100)
    .default([]),
  local: z.array(seedItem).max(200).default([]),
  session: z.array(seedItem).max(200).default([]),
});

const requestReplay = z.strictObject({
  /** What becomes of a request that no response is for. */
  unmatched: z.enum(["abort", "pass"]).default("pass"),
  responses: z
    .array(
      z.strictObject({
        method: z.string().regex(/^[A-Z]{1,16}$/, "expected a method such as GET").default("GET"),
        url: webUrl,
        status: bound(200, 599, 200),
        headers: z.array(z.strictObject({ name, value: text(4096) })).max(64).default([]),
        body: text(1_048_576).default(""),
      }),
    )
    .max(200)
    .default([]),
});

export const scenarioStates = ["screenshot", "dom", "accessibility", "url", "history", "storage"] as const;
export type ScenarioState = (typeof scenarioStates)[number];
export const scenarioEventKinds = ["console", "page_errors", "network", "websockets", "frames", "workers", "popups", "downloads"] as const;
export type ScenarioEventKind = (typeof scenarioEventKinds)[number];

const states = z.array(z.enum(scenarioStates)).max(scenarioStates.length).default([]);
const limits = z
  .strictObject({
    total_ms: bound(1, 300_000, 60_000),
    /** For one action, waiting for its element and for a navigation included. */
    step_ms: bound(1, 60_000, 10_000),
    events: bound(0, 20_000, 2000),
    screenshot_bytes: bound(0, 8_388_608, 4_194_304),
    total_screenshot_bytes: bound(0, 268_435_456, 67_108_864),
    dom_nodes: bound(0, 20_000, 2000),
    accessibility_nodes: bound(0, 20_000, 2000),
    storage_keys: bound(0, 10_000, 1000),
    text_bytes: bound(0, 16_384, 1024),
  })
  .prefault({});
const capture = z
  .strictObject({ after_each_step: states, at_end: states, events: z.array(z.enum(scenarioEventKinds)).max(scenarioEventKinds.length).default([]), limits })
  .prefault({});

const scenarioShape = z.strictObject({
  browser,
  actions: z.array(action).min(1).max(128),
  /** Default the origins of the `goto` actions and of the connected page. Requests elsewhere are aborted and counted. */
  allowed_origins: z.array(origin).max(32).optional(),
  environment,
  storage_seed: storageSeed.optional(),
  request_replay: requestReplay.optional(),
  redaction: z.strictObject({ header_names: z.array(name).max(64).default([]), query_names: z.array(name).max(64).default([]) }).prefault({}),
  capture,
});

type Path = (string | number)[];

export const browserScenarioSchema = scenarioShape.superRefine((scenario, context) => {
  const issue = (path: Path, message: string): void => void context.addIssue({ code: "custom", path, message });
  scenario.actions.forEach((given, index) => {
    const at = (...path: Path): Path => ["actions", index, ...path];
    if (given.step_id === scenarioStart) issue(at("step_id"), `expected another name than ${scenarioStart}`);
    if (scenario.actions.findIndex(({ step_id }) => step_id === given.step_id) !== index) issue(at("step_id"), "expected unique step_id");
    if (given.type === "fill" && (given.value === undefined) === (given.secret_env === undefined)) issue(at("value"), "expected either value or secret_env");
    if (given.type === "goto" || given.type === "wait_for_timeout") return;
    const ways = [given.role, given.text, given.test_id, given.css].filter((way) => way !== undefined).length;
    const needed = given.type === "press" ? ways <= 1 : ways === 1;
    if (!needed) issue(at("css"), "expected exactly one of role, text, test_id, css");
    if (given.name !== undefined && given.role === undefined) issue(at("name"), "expected role beside name");
  });
  scenario.storage_seed?.cookies.forEach((cookie, index) => {
    if ((cookie.value === undefined) === (cookie.secret_env === undefined)) issue(["storage_seed", "cookies", index, "value"], "expected either value or secret_env");
  });
  if (scenario.browser.mode === "connect" && scenario.storage_seed !== undefined) issue(["storage_seed"], "expected no storage_seed with mode connect");
});

export type BrowserScenario = z.output<typeof browserScenarioSchema>;
export type BrowserAction = z.output<typeof action>;
export type ScenarioEnvironment = z.output<typeof environment>;
export type RequestReplay = z.output<typeof requestReplay>;
export type StorageSeed = z.output<typeof storageSeed>;
export type ScenarioLimits = z.output<typeof limits>;
