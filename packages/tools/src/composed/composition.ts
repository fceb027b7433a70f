import {
  isAbort,
  isReaError,
  throwIfAborted,
  weakestConfidence,
  type Confidence,
  type EvidenceLocation,
  type Execution,
  type JsonObject,
  type JsonValue,
  type ReaError,
} from "@rea/core";
import type { Produced, ToolContext } from "@rea/tool";

/** An answer, or the typed failure that stays local to it. */
export type Attempt<R> = { readonly ok: true; readonly value: R } | { readonly ok: false; readonly error: ReaError };

interface ProducedOptions {
  readonly limitations?: readonly string[];
  readonly locations?: readonly EvidenceLocation[];
  /** Names of session defaults to keep from the parts, beside the digest of the annotations. */
  readonly keep?: readonly string[];
}

/**
 * Collects the answers one composed result is made of, all from the bound provider, and speaks for them together:
 * confidence at most derived, limitations merged in order.
 */
export interface Composition {
  /** Asks one operation; its failure is the caller's to handle. */
  ask<R>(call: () => Promise<Execution<R>>): Promise<R>;
  /** Asks one operation whose failure stays local. Cancellation and the deadline of the call still end it. */
  attempt<R>(call: () => Promise<Execution<R>>): Promise<Attempt<R>>;
  /** Runs work of several questions whose failure stays local. */
  local<R>(work: () => Promise<R>): Promise<Attempt<R>>;
  /** Provenance of the whole; throws the first failure when not one operation answered. */
  produced(options?: ProducedOptions): Produced;
  /** Limitations of the parts so far, without repetition. */
  limitations(): readonly string[];
  /** The first answer, whose subject and provider all others share. */
  first(): Execution<unknown> | undefined;
}

export function compose(operation: string, context: Pick<ToolContext, "signal">): Composition {
  const answers: Execution<unknown>[] = [];
  let firstFailure: ReaError | undefined;

  const ask = async <R>(call: () => Promise<Execution<R>>): Promise<R> => {
    throwIfAborted(context.signal, operation);
    const execution = await call();
    answers.push(execution);
    return execution.result;
  };

  const local = async <R>(work: () => Promise<R>): Promise<Attempt<R>> => {
    try {
      return { ok: true, value: await work() };
    } catch (error) {
      // Ports throw nothing else; a fault of our own must not pass for a missing answer.
      if (!isReaError(error) || endsTheCall(error) || context.signal.aborted) throw error;
      firstFailure ??= error;
      return { ok: false, error };
    }
  };

  const limitations = (): string[] => [...new Set(answers.flatMap((answer) => answer.limitations))];

  return {
    ask,
    attempt: (call) => local(() => ask(call)),
    local,
    limitations,
    first: () => answers[0],
    produced: (options = {}) => {
      const [first] = answers;
      if (first === undefined) throw firstFailure ?? new Error(`${operation} asked nothing.`);
      return {
        raw_result: null,
        provider: first.provider,
        analysis_profile: first.analysis_profile,
        subject: first.subject,
        confidence: confidenceOf(answers),
        limitations: [...new Set([...limitations(), ...(options.limitations ?? [])])],
        locations: options.locations ?? [],
        resolved_parameters: keptParameters(answers, ["annotations_sha256", ...(options.keep ?? [])]),
      };
    },
  };
}

/** What nobody may pass over: a cancellation, and resources that could not be released. */
function endsTheCall(error: ReaError): boolean {
  return isAbort(error) || error.code === "cleanup_incomplete";
}

function confidenceOf(answers: readonly Execution<unknown>[]): Confidence {
  return weakestConfidence(["derived", ...answers.map((answer) => answer.confidence)]);
}

function keptParameters(answers: readonly Execution<unknown>[], names: readonly string[]): JsonObject {
  const kept = new Map<string, JsonValue>();
  for (const { resolved_parameters: parameters } of answers) {
    for (const name of names) {
      const value = parameters[name];
      if (value !== undefined && !kept.has(name)) kept.set(name, value);
    }
  }
  return Object.fromEntries(kept);
}
