import { z, type JsonValue } from "@rea/core";
import type { EngineFrame, EngineProtocol } from "@rea/lineage";

const id = z.int().min(0);
const result: z.ZodType<JsonValue> = z.json();
const failureTypes = ["remote", "authorization", "invalid_request", "capability_unavailable", "bridge_exception"] as const;
const failure = z.strictObject({ code: z.string().max(128), message: z.string().max(512), type: z.enum(failureTypes) });
const count = z.int().min(0);
const progress = z.strictObject({
  type: z.literal("progress"),
  phase: z.string().max(128),
  completed: count,
  total: count.nullable(),
  message: z.string().max(512),
  terminal: z.boolean().optional(),
});

const frames: z.ZodType<EngineFrame> = z.union([
  z.strictObject({ id, result }).transform((frame) => ({ kind: "answer" as const, ...frame })),
  z.strictObject({ id, error: failure }).transform((frame) => ({ kind: "failure" as const, id: frame.id, failure: frame.error })),
  z.strictObject({ id, event: progress }).transform(({ id: of, event }) => ({
    kind: "progress" as const,
    id: of,
    progress: { phase: event.phase, completed: event.completed, total: event.total },
  })),
]);

/** What the bridge speaks. To give a request up and to end are requests too, which it does not answer. */
export const hopperProtocol: EngineProtocol = {
  maximumLineBytes: 10 * 1024 * 1024,
  maximumRequestLength: 2 * 1024 * 1024,
  frames,
  request: ({ id: number, token, method, params }) => ({ id: number, token, method, params }),
  cancel: ({ id: number, token }) => ({ id: number, token, method: "cancel", params: {} }),
  shutdown: ({ id: number, token }) => ({ id: number, token, method: "shutdown", params: {} }),
};
