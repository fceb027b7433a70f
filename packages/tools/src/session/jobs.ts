import { jsonObject, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";

const states = z.enum(["running", "completed", "failed", "cancelled"]);
const jobId = z.string().min(1).max(64).describe("Id from start_job");

export const startJob = defineTool({
  name: "start_job",
  family: "session",
  description:
    "Starts a call of any other tool and returns its job_id at once, for clients that give up on long calls. Its Evidence is retained as by the tool itself. Continue with get_job; cancel_job ends it. The end of the connection ends all jobs.",
  input: z.strictObject({
    tool: z.string().min(1).max(64).describe("Name of the tool to call"),
    arguments: z.record(z.string(), z.unknown()).default({}).describe("Its arguments"),
  }),
  output: z.strictObject({ job_id: z.string() }),
  effects: effectClasses.anyTool,
  evidence: false,
  requires: ["jobs"],
  target: "none",
  cli: null,
  examples: [{ title: "Ask for the state of the session in the background", input: { tool: "binary_session" } }],
  run: (input, ports) => {
    const { tool, arguments: given } = input;
    return Promise.resolve({ result: ports.jobs.start({ tool, arguments: jsonObject.parse(given) }), produced: null });
  },
});

export const getJob = defineTool({
  name: "get_job",
  family: "session",
  description:
    "Returns the state of a job, its last progress, and once it is over the reply of the tool itself in outcome: {result, …} or {error}. Waits for the end up to wait_ms. Call again while the state is running; finished jobs are forgotten after many newer ones.",
  input: z.strictObject({
    job_id: jobId,
    wait_ms: z.int().min(0).max(50_000).default(0).describe("Longest wait for the end, in milliseconds"),
  }),
  output: z.strictObject({
    state: states,
    progress: z
      .strictObject({ phase: z.string(), completed: z.number(), total: z.number().optional(), message: z.string() })
      .nullable(),
    outcome: z.record(z.string(), z.unknown()).nullable(),
  }),
  effects: effectClasses.pure,
  evidence: false,
  requires: ["jobs"],
  target: "none",
  cli: null,
  examples: [{ title: "Wait for a job", input: { job_id: "job_1", wait_ms: 1000 } }],
  run: async (input, ports, context) => ({ result: await ports.jobs.get(input, context), produced: null }),
});

export const cancelJob = defineTool({
  name: "cancel_job",
  family: "session",
  description:
    "Ends a running job, waits until it has cleaned up, and returns its state: cancelled, or how it had ended before. A cancelled job leaves no Evidence and no files. Repeating it changes nothing.",
  input: z.strictObject({ job_id: jobId }),
  output: z.strictObject({ state: states }),
  effects: effectClasses.jobEnd,
  evidence: false,
  requires: ["jobs"],
  target: "none",
  cli: null,
  examples: [{ title: "End a job", input: { job_id: "job_1" } }],
  run: async (input, ports, context) => ({ result: await ports.jobs.cancel(input, context), produced: null }),
});
