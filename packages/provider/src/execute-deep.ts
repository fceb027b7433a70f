import {
  confidenceLevels,
  evidenceLocationSchema,
  isAbort,
  jsonObject,
  jsonValue,
  ReaError,
  throwIfAborted,
  toReaError,
  z,
  type DeepOperationName,
  type Execution,
  type OperationContext,
  type OperationName,
  type OperationParams,
  type OperationResult,
  type Subject,
} from "@rea/core";
import { parseOperationResult, unreadableAnswer } from "./operation-ports.js";
import type { AnalysisClient } from "./provider.js";
import type { AnalysisProviderBinding } from "./select-provider.js";

const answerSchema = z.object({
  confidence: z.enum(confidenceLevels),
  limitations: z.array(z.string()),
  locations: z.array(evidenceLocationSchema),
  raw_result: jsonValue,
  resolved_parameters: jsonObject,
});

/** One question to a bound client. */
export interface DeepExecution<N extends DeepOperationName> {
  readonly client: AnalysisClient;
  readonly binding: AnalysisProviderBinding;
  readonly subject: Subject | null;
  readonly operation: N;
  readonly params: OperationParams<N>;
  readonly context: OperationContext;
}

/**
 * Asks a client and checks everything it answers: the result against the operation's output contract, the rest against
 * the shape of an answer. Adds subject and provenance.
 *
 * Throws `unreadable_output` for an answer off contract, `cancelled` as soon as the signal aborts (an answer that comes
 * later is dropped), the client's own typed errors, and `execution_failure` for any other exception.
 */
export async function executeDeep<N extends DeepOperationName>(
  request: DeepExecution<N>,
): Promise<Execution<OperationResult<N>>> {
  const { binding, operation, context } = request;
  throwIfAborted(context.signal, operation);
  const answer: unknown = await answerOrAbort(request);
  return {
    ...checkAnswer(operation, answer, binding.provider.id),
    provider: binding.provider,
    analysis_profile: binding.analysis_profile,
    subject: request.subject,
  };
}

/** An answer whose result and other parts have the shape they must have. */
export type CheckedAnswer<N extends OperationName> = Omit<
  Execution<OperationResult<N>>,
  "provider" | "analysis_profile" | "subject"
>;

/** Checks what a client or an auxiliary provider answered; throws `unreadable_output`. Repeated limitations are dropped. */
export function checkAnswer<N extends OperationName>(operation: N, answer: unknown, providerId: string): CheckedAnswer<N> {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) throw unreadableAnswer({ operation, providerId, issues: parsed.error.issues });
  const limitations = [...new Set(parsed.data.limitations)];
  return { ...parsed.data, limitations, result: parseOperationResult(operation, resultOf(answer), providerId) };
}

async function answerOrAbort<N extends DeepOperationName>(request: DeepExecution<N>): Promise<unknown> {
  const { client, operation, params, context, binding } = request;
  const { signal } = context;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(cancelled(operation));
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([client.execute(operation, params, context), aborted]);
  } catch (error) {
    throw adapterError(error, operation, binding.provider.id);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function resultOf(answer: unknown): unknown {
  return typeof answer === "object" && answer !== null && "result" in answer ? answer.result : undefined;
}

function cancelled(operation: string): ReaError {
  return toReaError(new DOMException("aborted", "AbortError"), operation);
}

/** An exception that is not ours says nothing a caller may read; it stays in `cause`. */
function adapterError(error: unknown, operation: string, providerId: string): ReaError {
  if (error instanceof ReaError || isAbort(error)) return toReaError(error, operation);
  return new ReaError("execution_failure", {
    message: `The provider ${providerId} failed at ${operation}.`,
    details: { provider_id: providerId, operation, diagnostics: { incident_id: globalThis.crypto.randomUUID() } },
    cause: error,
  });
}
