import { jsonObject, ReaError, throwIfAborted, z, type DeepOperationName, type JsonObject, type OperationContext, type OperationParams } from "@rea/core";
import { OnDemandEngine, type Engine, type EngineResource } from "@rea/lineage";
import type { AnalysisClient, ClientActivity, ClientAnswer, CloseOutcome } from "@rea/provider";
import { bridgeAnswer } from "../bridge/bridge-answer.js";
import { refusalOf } from "../bridge/bridge-refusal.js";
import { bridgeVersion } from "../hopper-bounds.js";
import { deadlineOf, servedOperations } from "../hopper-capabilities.js";
import { HopperSession, type HopperSessionOptions } from "../launch/hopper-session.js";
import { startFailureOf } from "../launch/start-failure.js";
import { analyzeFunction, type AskBridge } from "./analyze-function.js";

/** What the bridge says once the analysis has ended. */
const opened = z.strictObject({
  bridge_version: z.literal(bridgeVersion),
  run_id: z.string(),
  python: z.string().max(64),
  operations: z.array(z.string()).max(128),
});

/** One target in a Hopper of its own, which the first call starts, and the first call after it died starts again. */
export class HopperClient implements AnalysisClient {
  readonly #engine: OnDemandEngine;
  readonly #runId: string;

  constructor(options: HopperSessionOptions) {
    this.#runId = options.runId;
    const session = new HopperSession(options);
    this.#engine = new OnDemandEngine(options.launcher, session.spec, async (engine, leftMs, context) => {
      try {
        await session.checkDisplay(engine);
        await this.#open(engine, leftMs, context);
      } finally {
        session.release();
      }
    });
  }

  /** Throws `capability_unavailable` for an operation that is not offered, and the typed errors of start, kit and operation. */
  async execute<N extends DeepOperationName>(operation: N, params: OperationParams<N>, context: OperationContext): Promise<ClientAnswer> {
    if (!served.includes(operation)) throw notOffered(operation);
    throwIfAborted(context.signal, operation);
    const asked = jsonObject.parse(params);
    const ask: AskBridge = async (method, given) => {
      try {
        return bridgeAnswer(await this.#engine.call({ operation, method, params: given, timeoutMs: deadlineOf(method) }, context), method, given);
      } catch (error) {
        throw refusalOf(startFailureOf(error), operation);
      }
    };
    return operation === "analyze_function" ? await analyzeFunction(asked, ask) : await ask(operation, asked);
  }

  runtimeLineage(): JsonObject | null {
    const observed = this.#engine.lineage();
    return observed === null ? null : jsonObject.parse(observed);
  }

  activity(): ClientActivity {
    return this.#engine.activity();
  }

  alive(): boolean {
    return this.#engine.alive;
  }

  async close(): Promise<CloseOutcome> {
    const { resources } = await this.#engine.close();
    return { remaining: resources.map(({ kind, detail }) => ({ kind, detail: lineOf(detail) })) };
  }

  /** Waits for the document of the target and the end of its analysis, within what is left of the start's deadline. */
  async #open(engine: Engine, leftMs: number, context: OperationContext): Promise<void> {
    const operation = "start_engine";
    try {
      const told = opened.safeParse(await engine.call({ operation, method: "open_target", params: {}, timeoutMs: leftMs }, context));
      const known = told.success && told.data.run_id === this.#runId && methods.every((name) => told.data.operations.includes(name));
      if (!known) throw otherBridge(operation);
    } catch (error) {
      throw refusalOf(error, operation);
    }
  }
}

const served: readonly string[] = servedOperations();

/** What the bridge has to have; the dossier is put together of several answers. */
const methods: readonly string[] = [...served.filter((name) => name !== "analyze_function"), "function_dossier", "function_listing"];

function lineOf(detail: EngineResource["detail"]): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");
}

function notOffered(operation: string): ReaError {
  return new ReaError("capability_unavailable", {
    message: "Hopper is not asked for that operation. Call binary_session for the operations it offers.",
    details: { provider_id: "hopper", operation },
  });
}

function otherBridge(operation: string): ReaError {
  return new ReaError("unreadable_output", {
    message: "What answers from inside Hopper is not the bridge of this REA. Report the provider and operation.",
    details: { provider_id: "hopper", operation, reason: "other_bridge" },
  });
}
