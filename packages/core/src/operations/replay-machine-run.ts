import { z } from "../z.js";
import { replayOutcomes } from "./process-capture-replay.js";
import { replayActionKinds, replayBound, replayData, replayEncoding, replayHeaderLines, replayTriggers } from "./replay-machine-shape.js";
import { headersOf, isBase64 } from "./replay-text.js";
import { count } from "./values.js";

/** What a replay machine is run on without a program, and what such a run tells. */

const machineEvent = z.strictObject({
  kind: z.enum([...replayTriggers, "websocket_close"]),
  at_ms: replayBound(0, 300_000, 0).describe("Since the start; never before the event before it"),
  connection: replayBound(0, 100_000, 0).describe("Number of the connection it belongs to"),
  method: z.string().regex(/^[A-Z]{1,32}$/, "expected an HTTP method").optional().describe("Of http; default GET"),
  path: z.string().regex(/^\/\S*$/, "expected a path that starts with /").max(4096).optional().describe("With query; default /"),
  headers: replayHeaderLines.optional(),
  data: replayData.optional(),
  encoding: replayEncoding,
});
export type ReplayMachineEvent = z.output<typeof machineEvent>;

/** Events of a run, in the order of their time. */
export const replayMachineEventsSchema = z
  .array(machineEvent)
  .max(10_000)
  .superRefine((events, context) => {
    events.forEach((event, index) => {
      const report = (field: string, message: string): void => void context.addIssue({ code: "custom", path: [index, field], message });
      if (index > 0 && event.at_ms < (events[index - 1]?.at_ms ?? 0)) report("at_ms", "expected events ordered by at_ms");
      if (event.headers !== undefined && headersOf(event.headers) === undefined) report("headers", "expected lines of the form Name: value");
      if (event.encoding === "base64" && !isBase64(event.data ?? "")) report("data", "expected base64");
    });
  });

const text = z.string();
const figures = z.strictObject({ bytes: count, connections: count, duration_ms: count, messages: count });
const limitName = z.enum(["bytes", "connections", "duration_ms", "messages"]);
export type ReplayLimitName = z.output<typeof limitName>;

/** What `run_replay_machine` answers: decisions, never the values that were captured. */
export const replayMachineRunSchema = z.strictObject({
  machine_sha256: text,
  initial_state: text,
  final_state: text,
  /** `closed`: ends of connections that were open; they are neither. */
  summary: z.strictObject({ events: count, matched: count, closed: count, refused: count }),
  decisions: z.array(
    z.strictObject({
      /** Position in the events. */
      event: count,
      outcome: z.enum(replayOutcomes),
      /** After the event. */
      state: text,
      transition_id: text.nullable(),
      actions: count,
      /** The limit that was reached. */
      limit: limitName.nullable(),
    }),
  ),
  transitions: z.array(
    z.strictObject({ event: count, transition_id: text, from: text, to: text, use: count, captures: z.array(text) }),
  ),
  actions: z.array(
    z.strictObject({
      transition_id: text,
      /** Position in the transition's actions. */
      action: count,
      kind: z.enum(replayActionKinds),
      status: count.nullable(),
      code: count.nullable(),
      header_names: z.array(text),
      data_bytes: count,
      data_sha256: text,
      template: z.boolean(),
      delay_ms: count,
      uses: count,
    }),
  ),
  limits: z.strictObject({ configured: figures, used: figures }),
  limitations: z.array(text),
});
export type ReplayMachineRun = z.output<typeof replayMachineRunSchema>;
export type ReplayOutcome = ReplayMachineRun["decisions"][number]["outcome"];
