import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { isJsonObject, jsonObject, ReaError, silentProgress, toReaError, type CapabilityPorts, type JobView, type JsonObject } from "@rea/core";
import type { ToolReply } from "@rea/tool";
import { toCallToolResult } from "./tool-result.js";

type Jobs = CapabilityPorts["jobs"];

const pollMs = 500;
/** Longest wait of one question to a job; a result is asked for until it is there. */
const waitMs = 50_000;

/** A call that may be a task: its name and input as they came, and the params that may ask for one. */
interface TaskCall {
  readonly name: string;
  readonly input: object;
  readonly params: unknown;
  /** The tools are called through `call_tool`. */
  readonly facade: boolean;
}

interface KnownTask {
  readonly createdAt: string;
  lastUpdatedAt: string;
  status: string;
}

/** MCP's tasks over the jobs of the connection: one store, the same bounds, the same end. */
export class Tasks {
  readonly #jobs: () => Promise<Jobs>;
  readonly #known = new Map<string, KnownTask>();

  constructor(jobs: () => Promise<Jobs>) {
    this.#jobs = jobs;
  }

  /** The reply to a call that asks for a task; null for one that does not. */
  async create({ name, input, params, facade }: TaskCall): Promise<{ [key: string]: unknown } | null> {
    const asked = isJsonObject(params) ? params["task"] : undefined;
    if (asked === undefined) return null;
    if (!isJsonObject(asked)) throw new McpError(ErrorCode.InvalidParams, "params.task must be an object.");
    const jobs = await this.#jobs();
    const wanted = facade && name === "call_tool" ? innerCall(input) : { tool: name, arguments: jsonObject.parse(input) };
    try {
      const { job_id } = jobs.start(wanted);
      const now = new Date().toISOString();
      this.#known.set(job_id, { createdAt: now, lastUpdatedAt: now, status: "working" });
      return { task: this.#shown(job_id, "working", null) };
    } catch (error) {
      // What the call itself would be refused for; the protocol has no place for it in a task that was not made.
      const { message } = toReaError(error, name);
      throw new McpError(ErrorCode.InvalidParams, message);
    }
  }

  /** `tasks/get`, `tasks/result` and `tasks/cancel`. Throws -32602 for an id that is not known and -32601 for another method. */
  async answer(request: { readonly method: string; readonly params?: unknown }, signal: AbortSignal, budget: number | ReaError): Promise<{ [key: string]: unknown }> {
    const id = isJsonObject(request.params) ? request.params["taskId"] : undefined;
    const known = typeof id === "string" ? this.#known.get(id) : undefined;
    if (!answered.has(request.method)) throw new McpError(ErrorCode.MethodNotFound, "Method not found");
    if (typeof id !== "string" || known === undefined) throw unknownTask();
    const jobs = await this.#jobs();
    const context = { signal, progress: silentProgress };
    if (request.method === "tasks/get") return this.#shown(id, ...(await viewed(jobs.get({ job_id: id, wait_ms: 0 }, context))));
    if (request.method === "tasks/result") return resultOf(jobs, { id, context, budget });
    const before = await jobs.get({ job_id: id, wait_ms: 0 }, context).catch(gone);
    if (before.state !== "running") throw new McpError(ErrorCode.InvalidParams, "The task is over; only one that works can be cancelled.");
    const { state } = await jobs.cancel({ job_id: id }, context);
    return this.#shown(id, statuses[state], null);
  }

  #shown(taskId: string, status: string, message: string | null): { [key: string]: unknown } {
    const known = this.#known.get(taskId);
    if (known === undefined) throw unknownTask();
    if (known.status !== status) {
      known.status = status;
      known.lastUpdatedAt = new Date().toISOString();
    }
    const { createdAt, lastUpdatedAt } = known;
    // Kept until the connection ends or many newer ones are over: no time is promised.
    return { taskId, status, ttl: null, createdAt, lastUpdatedAt, pollInterval: pollMs, ...(message === null ? {} : { statusMessage: message }) };
  }
}

const answered: ReadonlySet<string> = new Set(["tasks/get", "tasks/result", "tasks/cancel"]);

const statuses: { readonly [state in JobView["state"]]: string } = { running: "working", completed: "completed", failed: "failed", cancelled: "cancelled" };

async function viewed(view: Promise<JobView>): Promise<[status: string, message: string | null]> {
  const { state, progress } = await view.catch(gone);
  return [statuses[state], progress?.message ?? null];
}

interface Asking {
  readonly id: string;
  readonly context: Parameters<Jobs["get"]>[1];
  readonly budget: number | ReaError;
}

/** Waits for the end, however long it takes; the reply is that of the call itself. */
async function resultOf(jobs: Jobs, { id, context, budget }: Asking): Promise<{ [key: string]: unknown }> {
  for (;;) {
    const { outcome } = await jobs.get({ job_id: id, wait_ms: waitMs }, context).catch(gone);
    if (outcome === null) continue;
    if (budget instanceof ReaError) return { ...toCallToolResult({ ok: false, error: budget.toObject() }, 0), ...related(id) };
    return { ...outcomeResult(outcome, budget), ...related(id) };
  }
}

function related(taskId: string): { readonly _meta: JsonObject } {
  return { _meta: { "io.modelcontextprotocol/related-task": { taskId } } };
}

function outcomeResult(outcome: JsonObject, budget: number): ReturnType<typeof toCallToolResult> {
  if (isJsonObject(outcome["error"])) return { isError: true, content: [{ type: "text", text: JSON.stringify(outcome) }] };
  const value: Extract<ToolReply, { ok: true }>["value"] = { result: null, ...outcome };
  return toCallToolResult({ ok: true, value }, budget);
}

/** The tool behind `call_tool`. */
function innerCall(input: object): { readonly tool: string; readonly arguments: JsonObject } {
  const given = jsonObject.parse(input);
  const inner = given["arguments"];
  return { tool: typeof given["name"] === "string" ? given["name"] : "", arguments: isJsonObject(inner) ? inner : {} };
}

function gone(error: unknown): never {
  if (error instanceof Error && "code" in error && error.code === "cancelled") throw error;
  throw unknownTask();
}

function unknownTask(): McpError {
  return new McpError(ErrorCode.InvalidParams, "There is no such task (any more).");
}
