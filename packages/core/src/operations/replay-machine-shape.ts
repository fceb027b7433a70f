import { z } from "../z.js";

/** The grammar of replay machines, which answer a program by what it said before. */

const name = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, "expected letters, digits, _ . - (1 to 64)");
export const replayBound = (least: number, greatest: number, normal: number) => z.number().int().min(least).max(greatest).default(normal);
const brokenText = "expected text without halves of surrogate pairs";
const wellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);
export const replayData = z.string().max(1_398_104).refine(wellFormed, brokenText).describe("Payload; default empty");
export const replayEncoding = z.enum(["utf8", "base64"]).default("utf8").describe("How data is written");
export const replayHeaderLines = z.string().max(65_536).refine(wellFormed, brokenText).describe("One header a line: Name: value");

export const replayTriggers = ["http", "websocket_connect", "websocket_message"] as const;
export type ReplayTrigger = (typeof replayTriggers)[number];

/** Parts of an event; those of one trigger are in `partsOfTrigger`. */
export const replayParts = ["method", "path", "query", "header", "body", "body_json", "message", "message_json"] as const;
export type ReplayPart = (typeof replayParts)[number];

const guard = z.strictObject({
  source: z.enum([...replayParts, "capture"]).describe("What is looked at; path is without the query"),
  name: z.string().min(1).max(256).refine(wellFormed, brokenText).optional().describe("Query or header name, JSON pointer, or capture alias"),
  test: z.enum(["equals", "not_equals", "contains", "starts_with", "present", "absent"]),
  value: z.string().max(65_536).refine(wellFormed, brokenText).optional().describe("Text compared with; none for present and absent"),
});

const capture = z.strictObject({
  alias: name.describe("Name for {{alias}} in templates and for guards"),
  source: z.enum(replayParts),
  name: z.string().min(1).max(256).refine(wellFormed, brokenText).optional().describe("Query or header name, or JSON pointer"),
  max_bytes: replayBound(1, 65_536, 4096).describe("A longer value is invalid_capture"),
});

export const replayActionKinds = ["http_response", "websocket_message", "websocket_close", "disconnect", "continue"] as const;

const action = z.strictObject({
  kind: z.enum(replayActionKinds).describe("continue sends nothing"),
  status: z.number().int().min(200).max(599).optional().describe("Of http_response; default 200"),
  headers: replayHeaderLines.optional(),
  data: replayData.optional(),
  encoding: replayEncoding,
  binary: z.boolean().default(false).describe("Send a WebSocket message as binary"),
  code: z.number().int().min(1000).max(4999).optional().describe("Of websocket_close; default 1000"),
  template: z.boolean().default(false).describe("Replace {{alias}} in data and headers"),
  delay_ms: replayBound(0, 60_000, 0).describe("Wait before it"),
});

const transition = z.strictObject({
  id: name,
  from: name,
  to: name,
  trigger: z.enum(replayTriggers),
  guards: z.array(guard).max(32).default([]).describe("All must hold"),
  captures: z.array(capture).max(32).default([]),
  actions: z.array(action).min(1).max(32),
  priority: replayBound(-1000, 1000, 0).describe("The highest wins, then the first in the list"),
  max_uses: replayBound(1, 10_000, 10_000),
});

const limits = z
  .strictObject({
    bytes: replayBound(0, 16_777_216, 1_000_000).describe("Payload bytes, both ways"),
    connections: replayBound(0, 1000, 100),
    duration_ms: replayBound(1, 300_000, 30_000),
    messages: replayBound(0, 100_000, 10_000).describe("Requests and messages, both ways"),
  })
  .prefault({});

export const replayMachineShape = z.strictObject({
  version: replayBound(1, 1, 1),
  initial_state: name,
  states: z.array(name).min(1).max(256),
  transitions: z.array(transition).max(2000),
  limits,
});

export type ReplayMachineDefinition = z.output<typeof replayMachineShape>;
export type ReplayMachineTransition = z.output<typeof transition>;
export type ReplayMachineGuard = z.output<typeof guard>;
export type ReplayMachineCapture = z.output<typeof capture>;
export type ReplayMachineAction = z.output<typeof action>;
export type ReplayMachineLimits = z.output<typeof limits>;
