import { checkedJson, isReaError, jsonObject, ReaError, throwIfAborted, type InputIssue, type JobsPort, type JobView, type JsonObject, type OperationContext, type ProgressUpdate } from "@rea/core";
import { invoke, parseInput, type Tool, type ToolHost, type ToolReply } from "@rea/tool";

/** Jobs at the same time. */
const maximumRunning = 8;
/** What is kept of jobs that are over; the oldest goes first. */
const maximumKept = 64;
const maximumKeptBytes = 32 * 1024 * 1024;

interface Job {
  readonly controller: AbortController;
  settled: Promise<void>;
  state: JobView["state"];
  progress: JobView["progress"];
  outcome: JsonObject | null;
  bytes: number;
}

export interface Jobs {
  readonly port: JobsPort;
  /** Cancels what runs and waits for it; starts no more. */
  close(): Promise<void>;
}

/** Calls of tools in the background, over the same pipeline as any call. */
export function createJobs(parts: { readonly tools: readonly Tool[]; readonly host: () => ToolHost }): Jobs {
  const jobs = new Map<string, Job>();
  let count = 0;
  let closed = false;

  const start: JobsPort["start"] = ({ tool: name, arguments: given }) => {
    const tool = jobTool(parts.tools, name);
    checkArguments(tool, given);
    const running = [...jobs.values()].filter(({ state }) => state === "running").length;
    if (closed || running >= maximumRunning) throw full(running);
    count += 1;
    const id = `job_${String(count)}`;
    jobs.set(id, begin(tool, given, parts.host()));
    return { job_id: id };
  };

  const begin = (tool: Tool, given: JsonObject, host: ToolHost): Job => {
    const job: Job = { controller: new AbortController(), settled: Promise.resolve(), state: "running", progress: null, outcome: null, bytes: 0 };
    const progressSink = ({ phase, completed, total, message }: ProgressUpdate): void => {
      job.progress = { phase, completed, ...(total === undefined ? {} : { total }), message };
    };
    job.settled = invoke(tool, given, host, { signal: job.controller.signal, progressSink }).then((reply) => { settle(job, reply); });
    return job;
  };

  const settle = (job: Job, reply: ToolReply): void => {
    job.state = reply.ok ? "completed" : reply.error.code === "cancelled" ? "cancelled" : "failed";
    job.outcome = jsonObject.parse(checkedJson(reply.ok ? reply.value : { error: reply.error }));
    job.bytes = Buffer.byteLength(JSON.stringify(job.outcome));
    forgetOldest(jobs);
  };

  const find = (id: string, operation: string): Job => {
    const job = jobs.get(id);
    if (job !== undefined) return job;
    throw new ReaError("invalid_request", {
      message: `${operation} knows no job of this id: there never was one, or it ended before many others. Start it again with start_job.`,
      details: { operation, issues: [{ path: "job_id", reason: "invalid_value", expected: "id of a job of this connection" }] },
      action: "Start the call again with start_job.",
    });
  };

  return {
    port: {
      start,
      async get({ job_id, wait_ms }, context) {
        const job = find(job_id, "get_job");
        await waitFor(job, wait_ms, context);
        throwIfAborted(context.signal, "get_job");
        const { state, progress, outcome } = job;
        return { state, progress, outcome };
      },
      async cancel({ job_id }, context) {
        const job = find(job_id, "cancel_job");
        job.controller.abort();
        await waitFor(job, maximumCleanupMs, context);
        return { state: job.state };
      },
    },
    async close() {
      closed = true;
      for (const { controller } of jobs.values()) controller.abort();
      await Promise.all([...jobs.values()].map(({ settled }) => settled));
      jobs.clear();
    },
  };
}

/** More than the pipeline itself gives an aborted call. */
const maximumCleanupMs = 15_000;

function jobTool(tools: readonly Tool[], name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined && !tool.requires.includes("jobs")) return tool;
  const why = tool === undefined ? "knows no tool of this name" : "starts no job that is about jobs";
  throw new ReaError("invalid_request", {
    message: `start_job ${why}. Call binary_session for the names of the tools.`,
    details: { operation: "start_job", issues: [{ path: "tool", reason: "invalid_value", expected: "name of a tool that is not about jobs" }] },
    action: "Call binary_session for the names of the tools, and start_job again.",
  });
}

/** Throws what the tool itself would throw, its issues below `arguments`. */
function checkArguments(tool: Tool, given: JsonObject): void {
  try {
    parseInput(tool, given);
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    throw new ReaError("invalid_request", {
      message: error.message,
      details: { operation: "start_job", issues: error.details.issues.map(below) },
      action: error.action,
      cause: error,
    });
  }
}

function isInvalidRequest(error: unknown): error is ReaError<"invalid_request"> {
  return isReaError(error) && error.code === "invalid_request";
}

function below(issue: InputIssue): InputIssue {
  return { ...issue, path: issue.path === "" ? "arguments" : `arguments.${issue.path}` };
}

function full(running: number): ReaError {
  return new ReaError("provider_unavailable", {
    message: `start_job has ${String(running)} jobs running, and no more may run. Wait for one with get_job or end one with cancel_job, then call again.`,
    details: { reason: "queue_full", running, maximum: maximumRunning },
    action: "Wait for a job with get_job, or end one with cancel_job, then call again.",
  });
}

function forgetOldest(jobs: Map<string, Job>): void {
  const over = [...jobs].filter(([, { state }]) => state !== "running");
  let bytes = over.reduce((sum, [, job]) => sum + job.bytes, 0);
  for (const [at, [id, job]] of over.entries()) {
    // The newest stays, whatever its size.
    if (at === over.length - 1 || (over.length - at <= maximumKept && bytes <= maximumKeptBytes)) return;
    bytes -= job.bytes;
    jobs.delete(id);
  }
}

/** Until the job is over, the time has passed or the caller gives up. */
async function waitFor(job: Job, waitMs: number, { signal }: OperationContext): Promise<void> {
  if (job.state !== "running" || waitMs === 0) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, waitMs);
    signal.addEventListener("abort", end, { once: true });
    void job.settled.then(end);
  });
}
