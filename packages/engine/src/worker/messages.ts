import { confidenceLevels, errorTable, evidenceLocationSchema, jsonObject, z, type ErrorCode, type ErrorObject } from "@rea/core";
import type { Target } from "@rea/provider";
import type { AnalysisCacheSettings } from "../cache/cache-settings.js";

/** What crosses between the main thread and a worker. One worker serves one target, one call at a time. */

/** Its first message; a worker that knows more sooner was told by `EarlyTarget`. */
export interface WorkerSetup {
  readonly target: WorkerTarget;
  /** One 32-bit word: the id of the call that its caller gave up, polled by running work. */
  readonly cancelledCall: SharedArrayBuffer;
}

export type WorkerTarget = Pick<Target, "path" | "sha256" | "bytes" | "architecture" | "raw" | "available_architectures">;

export interface WorkerCall {
  readonly id: number;
  readonly operation: string;
  readonly params: unknown;
  readonly session: WorkerSession | null;
}

/** What an operation knows of who asks; the operations on the file alone need none of it. */
export interface WorkerSession {
  /** Null before the first move. */
  readonly cursor: string | null;
  readonly author: { readonly name: string; readonly version: string };
  readonly stateDirectory: string;
  readonly cache: AnalysisCacheSettings | null;
}

const answerSchema = z.object({
  result: z.unknown(),
  confidence: z.enum(confidenceLevels),
  limitations: z.array(z.string()),
  locations: z.array(evidenceLocationSchema),
  resolved: jsonObject,
  cursor: z.string().nullable(),
});
export type WorkerAnswer = z.infer<typeof answerSchema>;

const errorCode = z.string().refine((code): code is ErrorCode => code in errorTable);
const errorSchema: z.ZodType<ErrorObject> = z.object({
  code: errorCode,
  category: z.custom<ErrorObject["category"]>((value) => typeof value === "string"),
  message: z.string(),
  retryable: z.boolean(),
  remediation: z.object({ action: z.string(), restart_required: z.boolean() }),
  details: z.record(z.string(), z.unknown()).optional(),
});

const progressSchema = z.object({
  phase: z.string(),
  completed: z.number(),
  total: z.number().nullable(),
  message: z.string(),
});
export type WorkerProgress = z.infer<typeof progressSchema>;

export const workerReplySchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("progress"), id: z.number(), progress: progressSchema }),
  // `keeping`: what was analysed is now written to the cache; `kept` follows.
  z.object({ kind: z.literal("answer"), id: z.number(), answer: answerSchema, keeping: z.boolean().optional() }),
  z.object({ kind: z.literal("error"), id: z.number(), error: errorSchema }),
  z.object({ kind: z.literal("kept") }),
  z.object({ kind: z.literal("note"), text: z.string() }),
]);
export type WorkerReply = z.infer<typeof workerReplySchema>;
