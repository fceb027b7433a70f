import { isReaError, jsonObject, ReaError, throwIfAborted, type DeepOperationName, type JsonObject, type OperationContext, type OperationParams } from "@rea/core";
import type { Engine } from "@rea/lineage";
import type { AnalysisClient, ClientActivity, ClientAnswer, CloseOutcome } from "@rea/provider";
import { isGhidraOperation } from "../ghidra-capabilities.js";
import { engineAnswer, type AskBridge } from "./engine-answer.js";
import { refusalOf } from "./engine-refusal.js";
import { askGhidra } from "./ghidra-questions.js";
import { openGhidra, type GhidraStart } from "./open-ghidra.js";
import { leftBy, leftByFailure } from "./remaining.js";
import { risingReporter } from "./rising-reporter.js";
import { SharedStart } from "./shared-start.js";

/**
 * One target in one Ghidra, which is started by the first call and again by the first call after it died. Calls are
 * answered in order, one at a time.
 */
export class GhidraClient implements AnalysisClient {
  readonly #options: GhidraStart;
  #engine: Engine | null = null;
  #start: SharedStart<Engine> | null = null;
  #startedAt = 0;
  #closed = false;
  /** What failed starts could not remove. */
  #left: CloseOutcome["remaining"] = [];
  #lineage: JsonObject | null = null;

  constructor(options: GhidraStart) {
    this.#options = options;
  }

  /** Throws `capability_unavailable` for an operation that is not offered, and the typed errors of the kit and of the operation. */
  async execute<N extends DeepOperationName>(operation: N, params: OperationParams<N>, context: OperationContext): Promise<ClientAnswer> {
    if (!isGhidraOperation(operation)) throw notOffered();
    throwIfAborted(context.signal, operation);
    const progress = risingReporter(context.progress);
    const engine = await this.#ready({ signal: context.signal, progress }, operation);
    const ask: AskBridge = async (method, asked, timeoutMs) => {
      try {
        const told = await engine.call({ operation, method, params: asked, timeoutMs }, { signal: context.signal, progress });
        return engineAnswer(told, operation);
      } catch (error) {
        throw refusalOf(error, operation);
      }
    };
    return await askGhidra(operation, params, ask);
  }

  /** The last observation of the engine's processes: dated, and nothing about now. */
  runtimeLineage(): JsonObject | null {
    const observed = this.#engine?.lineage() ?? null;
    if (observed !== null) this.#lineage = jsonObject.parse(observed);
    return this.#lineage;
  }

  activity(): ClientActivity {
    const start = this.#start;
    if (start === null) return this.#engine?.activity() ?? { active: null, queued_requests: 0 };
    const active = {
      request_id: "0",
      operation: "start_engine",
      elapsed_ms: Math.round(performance.now() - this.#startedAt),
      timeout_ms: this.#options.usable.startupMs,
      caller_state: start.abandoned ? ("cancelled" as const) : ("waiting" as const),
    };
    return { active, queued_requests: start.waiting };
  }

  /** Also while a start that somebody waits for is under way: it may yet answer. */
  alive(): boolean {
    return this.#engine?.state === "alive" || this.#start?.abandoned === false;
  }

  /** Ends a start first, then the engine. Safe to call again: what could not be removed is tried again. */
  async close(): Promise<CloseOutcome> {
    this.#closed = true;
    this.#start?.abandon();
    await this.#start?.settled();
    const outcome = await this.#engine?.close();
    this.runtimeLineage();
    return { remaining: [...this.#left, ...(outcome === undefined ? [] : leftBy(outcome.resources))] };
  }

  async #ready(context: OperationContext, operation: string): Promise<Engine> {
    for (;;) {
      if (this.#closed) throw closed(operation);
      if (this.#engine?.state === "alive") return this.#engine;
      if (this.#start?.abandoned === true) await this.#start.settled();
      else return await this.#join(context, operation);
    }
  }

  async #join(context: OperationContext, operation: string): Promise<Engine> {
    const start = this.#start ?? this.#begin();
    try {
      return await start.join(context, operation);
    } catch (error) {
      if (this.#closed && isReaError(error) && error.code === "cancelled" && !context.signal.aborted) throw closed(operation);
      throw error;
    }
  }

  #begin(): SharedStart<Engine> {
    const start = new SharedStart(async (context) => {
      try {
        await this.#retire();
        this.#engine = await openGhidra(this.#options, context);
        return this.#engine;
      } catch (error) {
        this.#left = [...this.#left, ...leftByFailure(error)];
        throw error;
      } finally {
        this.#start = null;
      }
    });
    this.#start = start;
    this.#startedAt = performance.now();
    return start;
  }

  /** A dead engine is wholly gone before another one is started. */
  async #retire(): Promise<void> {
    const outcome = await this.#engine?.close();
    this.runtimeLineage();
    this.#engine = null;
    if (outcome !== undefined) this.#left = [...this.#left, ...leftBy(outcome.resources)];
  }
}

function notOffered(): ReaError {
  return new ReaError("capability_unavailable", {
    message: "Ghidra is not asked for that operation. Call binary_session for the operations it offers, or open the target with rea-native.",
    details: { provider_id: "ghidra" },
  });
}

function closed(operation: string): ReaError {
  return new ReaError("provider_unavailable", {
    message: "The analysis of this target was closed. Open the target again.",
    details: { provider_id: "ghidra", operation, reason: "closed" },
  });
}
