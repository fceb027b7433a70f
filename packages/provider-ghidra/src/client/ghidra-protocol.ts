import { z, type JsonValue } from "@rea/core";
import type { EngineFrame, EngineProtocol } from "@rea/lineage";

const id = z.int().min(0);
const result: z.ZodType<JsonValue> = z.json();

const frames: z.ZodType<EngineFrame> = z.union([
  z.strictObject({ id, ok: z.literal(true), result }).transform((frame) => ({ kind: "answer" as const, id: frame.id, result: frame.result })),
  z
    .strictObject({ id, ok: z.literal(false), error: z.strictObject({ code: z.string().max(128), message: z.string().max(4_096) }) })
    .transform((frame) => ({ kind: "failure" as const, id: frame.id, failure: frame.error })),
  z
    .strictObject({ id, event: z.strictObject({ phase: z.string().max(128), completed: z.int().min(0), total: z.int().min(0).nullable() }) })
    .transform((frame) => ({ kind: "progress" as const, id: frame.id, progress: frame.event })),
]);

/** What the bridge speaks: requests with the token, answers with `ok`, and that a request is to be given up. */
export const ghidraProtocol: EngineProtocol = {
  maximumLineBytes: 1024 * 1024,
  maximumRequestLength: 256 * 1024,
  frames,
  request: ({ id: number, token, method, params }) => ({ id: number, token, method, params }),
  cancel: ({ id: number, token }) => ({ id: number, token, cancel: true }),
  shutdown: ({ id: number, token }) => ({ id: number, token, shutdown: true }),
};
