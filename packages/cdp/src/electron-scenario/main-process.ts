import { ReaError, throwIfAborted, z } from "@rea/core";
import type { OwnedProcess } from "@rea/lineage";
import { Connection } from "../protocol/connection.js";
import { discover } from "../protocol/discovery.js";
import { parseEndpoint } from "../protocol/endpoint.js";
import { observationError } from "../protocol/failures.js";
import { TargetSession } from "../protocol/target-session.js";
import { mainProcessMethods } from "./electron-methods.js";

const paused = z.looseObject({ callFrames: z.array(z.looseObject({ callFrameId: z.string() })) });
const evaluated = z.looseObject({ result: z.looseObject({ value: z.unknown().optional() }), exceptionDetails: z.looseObject({}).optional() });
const state = z.object({
  dropped: z.object({ runtime: z.int().nonnegative(), ipc: z.int().nonnegative() }),
  attached: z.boolean(),
  versions: z.object({ electron: z.string().nullable(), chrome: z.string().nullable(), node: z.string().nullable() }),
});
export type HookState = z.output<typeof state>;

const pollMs = 20;
const hook = 'globalThis[Symbol.for("rea.hook")]';

export interface MainProcessOptions {
  readonly run: OwnedProcess;
  /** Absolute path of the hook. */
  readonly hookPath: string;
  readonly timeoutMs: number;
  readonly operation: string;
  readonly signal: AbortSignal;
}

/** The main process of an application that waits at its first statement, and is let go when the hook is in it. */
export class MainProcess {
  readonly #connection: Connection;
  readonly #session: TargetSession;

  private constructor(connection: Connection, session: TargetSession) {
    this.#connection = connection;
    this.#session = session;
  }

  /**
   * Finds the inspector that the process announces, loads the hook before the application's own code and lets it run. Throws
   * `provider_timeout`, `provider_unavailable` when the process ends before, and observation errors.
   */
  static async hooked(options: MainProcessOptions): Promise<MainProcess> {
    const { operation, signal, hookPath, timeoutMs } = options;
    const endpoint = parseEndpoint(`http://127.0.0.1:${String(await inspectorPort(options))}`, { operation, field: "inspector" });
    const { targets } = await discover({ endpoint, operation, signal });
    const url = targets.find(({ socket }) => socket !== null)?.socket;
    if (url === undefined || url === null) throw observationError({ operation, reason: "invalid_endpoint_response", message: "The main process announces an inspector without a target. Start the application by hand to see why." });
    const connection = await Connection.open({ url, allow: mainProcessMethods, operation, signal });
    const session = new TargetSession(connection, undefined);
    try {
      const stopped = firstPause(session);
      letGoAtEnd(session, connection);
      await session.enable("Runtime");
      await session.enable("Debugger");
      await session.tell("Runtime.runIfWaitingForDebugger");
      const callFrameId = await within(stopped, timeoutMs, operation);
      const path = JSON.stringify(hookPath);
      // Modules of the standard form have no require of their own.
      const expression = `(typeof require === "function" ? require : process.getBuiltinModule("module").createRequire(${path}))(${path}); true`;
      const answer = await session.command("Debugger.evaluateOnCallFrame", { callFrameId, expression, silent: true }, evaluated);
      if (answer.exceptionDetails !== undefined) throw observationError({ operation, reason: "protocol_error", message: "The hook could not be loaded into the main process. The application may forbid modules of others." });
      await session.tell("Debugger.resume");
      // An application may have ended before it is asked.
      await session.tell("Debugger.disable").catch(() => undefined);
      return new MainProcess(connection, session);
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Null when the process does not answer any more. */
  async state(): Promise<HookState | null> {
    const value = await this.#ask(`${hook}.state()`).catch(() => null);
    return state.safeParse(value).data ?? null;
  }

  /** False when nobody in the application listens for it. */
  async deepLink(mode: "open_url" | "second_instance", url: string): Promise<boolean> {
    return (await this.#ask(`${hook}.deepLink(${JSON.stringify(mode)}, ${JSON.stringify(url)})`)) === true;
  }

  close(): void {
    this.#connection.close();
  }

  async #ask(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.#session.command("Runtime.evaluate", { expression, returnByValue: true, silent: true }, evaluated);
    return exceptionDetails === undefined ? result.value : null;
  }
}

function firstPause(session: TargetSession): Promise<string> {
  return new Promise((resolve) => {
    session.on("Debugger.paused", paused, ({ callFrames }) => {
      const [first] = callFrames;
      if (first !== undefined) resolve(first.callFrameId);
    });
  });
}

/** A process that has done its last waits until nobody is attached to it any more. */
function letGoAtEnd(session: TargetSession, connection: Connection): void {
  let main: number | null = null;
  session.on("Runtime.executionContextCreated", z.looseObject({ context: z.looseObject({ id: z.int() }) }), ({ context }) => {
    main ??= context.id;
  });
  session.on("Runtime.executionContextDestroyed", z.looseObject({ executionContextId: z.int() }), ({ executionContextId }) => {
    if (executionContextId === main) connection.close();
  });
}

/** Node and Electron announce the inspector on standard error before they run anything. */
async function inspectorPort({ run, timeoutMs, operation, signal }: MainProcessOptions): Promise<number> {
  const deadline = performance.now() + timeoutMs;
  let over = false;
  void run.ended.then(() => (over = true));
  for (;;) {
    throwIfAborted(signal, operation);
    const port = /^Debugger listening on ws:\/\/127\.0\.0\.1:(\d{1,5})\//m.exec(run.output().stderr.bytes.toString("latin1"))?.[1];
    if (port !== undefined) return Number(port);
    if (over) throw endedBefore();
    if (performance.now() > deadline) throw late(timeoutMs, operation);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

async function within<T>(work: Promise<T>, timeoutMs: number, operation: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late(timeoutMs, operation)), timeoutMs);
  });
  try {
    return await Promise.race([work, overdue]);
  } finally {
    clearTimeout(timer);
  }
}

function endedBefore(): ReaError {
  return new ReaError("provider_unavailable", {
    message: "The application ended before it could be observed. Start it by hand to see why, and check executable_path and application_path.",
    details: { reason: "target_exited" },
    action: "Start the application by hand; on Linux it needs a display, and as root --no-sandbox among args.",
  });
}

function late(timeoutMs: number, operation: string): ReaError {
  return new ReaError("provider_timeout", {
    message: `The main process did not open its inspector within ${String(timeoutMs)} ms. A build whose switch node_cli_inspect is off never does.`,
    details: { operation, timeout_ms: timeoutMs, phase: "electron_main" },
  });
}
