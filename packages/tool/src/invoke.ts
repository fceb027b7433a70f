import {
  checkedJson,
  createEvidence,
  createProgress,
  isJsonObject,
  isReaError,
  jsonObject,
  ReaError,
  silentProgress,
  toReaError,
  type Evidence,
  type InputIssue,
  type JsonObject,
  type ProgressController,
  type ProgressReporter,
  type ProgressUpdate,
} from "@rea/core";
import { authorityOf } from "./authority.js";
import { callLimits, type CallLimits } from "./call-limits.js";
import type { Produced, Tool, ToolOutcome } from "./define-tool.js";
import { evidenceParameters } from "./evidence-parameters.js";
import type { ToolHost, ToolReply, ToolSuccess } from "./host.js";
import { hiddenKeyIssues, inputIssues, pathIssues } from "./input-issues.js";
import { inputSchemaOf } from "./input-schema.js";

export interface InvokeOptions {
  /** Aborts the call; the reply is then `cancelled` and nothing is recorded. */
  readonly signal: AbortSignal;
  /** Receives progress; absent when nobody watches. Results are the same with and without. */
  readonly progressSink?: (update: ProgressUpdate) => void;
  /** Milliseconds after which the call ends with `provider_timeout`. */
  readonly deadlineMs?: number;
  /** Milliseconds an aborted call may take to clean up before it is reported as `cleanup_incomplete`. */
  readonly cleanupGraceMs?: number;
}

interface Call {
  readonly tool: Tool;
  readonly host: ToolHost;
  readonly limits: CallLimits;
  readonly progress: ProgressReporter;
}

/**
 * The only way a tool runs, on every surface: parse the input, ask the host for availability and admission, run under
 * signal and deadline, check the output, wrap and record Evidence. Never rejects: whatever goes wrong comes back as
 * one typed error. A call that was cancelled before its record was written leaves no record.
 */
export async function invoke(tool: Tool, rawInput: unknown, host: ToolHost, options: InvokeOptions): Promise<ToolReply> {
  const watch = watchProgress(options.progressSink);
  const limits = callLimits({
    operation: tool.name,
    signal: options.signal,
    deadlineMs: options.deadlineMs,
    graceMs: options.cleanupGraceMs ?? 10_000,
    phase: () => watch.phase(),
  });
  try {
    const value = await succeed({ tool, host, limits, progress: watch.reporter }, rawInput);
    watch.finish("done");
    return { ok: true, value };
  } catch (error) {
    watch.finish("failed");
    return { ok: false, error: failureOf(error, tool, limits).toObject() };
  } finally {
    limits.release();
  }
}

async function succeed(call: Call, rawInput: unknown): Promise<ToolSuccess> {
  const { tool, host, limits } = call;
  const input = parseInput(tool, rawInput);
  limits.check();
  host.requireAvailable(tool);
  return limits.settle(host.admit(tool, () => produce(call, input)));
}

async function produce(call: Call, input: JsonObject): Promise<ToolSuccess> {
  const { tool, host, limits } = call;
  limits.check();
  const outcome = await tool.run(input, host.ports, {
    signal: limits.signal,
    progress: call.progress,
    offers: (operation) => host.offers(operation),
  });
  try {
    return await deliver(call, input, outcome);
  } catch (error) {
    await outcome.produced?.undo?.();
    throw error;
  }
}

async function deliver({ tool, host, limits }: Call, input: JsonObject, outcome: ToolOutcome<unknown>): Promise<ToolSuccess> {
  const result = checkOutput(tool, outcome);
  // Without a record, what the tool did to the session is its effect, and it is done.
  if (!tool.evidence) return { result };
  // Each step goes over the whole result, which may be large; what else waits for this thread goes between them.
  await nextTurn();
  const evidence = evidenceOf(tool, input, result, outcome.produced);
  await nextTurn();
  limits.check();
  await host.record(evidence, outcome.produced?.wholes ?? [], outcome.produced?.unknown_revision);
  return { result: evidence.normalized_result, evidence_id: evidence.evidence_id, evidence };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Parses strictly; throws `invalid_request` that names every problem and the valid keys, never a value. */
export function parseInput(tool: Tool, rawInput: unknown): JsonObject {
  const given = rawInput ?? {};
  const parsed = tool.input.safeParse(given);
  const schema = inputSchemaOf(tool);
  const hidden = hiddenKeyIssues(given, schema);
  if (!parsed.success || hidden.length > 0) {
    const found = parsed.success ? [] : inputIssues(parsed.error, given, schema);
    throw invalidRequest(tool, [...found, ...hidden.filter(({ path }) => found.every((issue) => issue.path !== path))]);
  }
  const input = jsonObject.parse(parsed.data);
  const issues = pathIssues(input, tool.paths ?? []);
  if (issues.length > 0) throw invalidRequest(tool, issues);
  return input;
}

function invalidRequest(tool: Tool, issues: readonly InputIssue[]): ReaError {
  return new ReaError("invalid_request", {
    message: `${tool.name} cannot use these arguments: ${problemText(issues)}. Correct them and call again.`,
    details: { operation: tool.name, issues },
  });
}

/** Field names of the tool and numbers only; an unknown key is the caller's word and stays in the details. */
function problemText(issues: readonly InputIssue[]): string {
  const texts = issues.map((issue) => {
    if (issue.reason === "unknown_argument") return `an argument is unknown (${validText(issue.expected ?? "")})`;
    const name = issue.path === "" ? "the input" : issue.path;
    return `${name} ${reasonTexts[issue.reason]}${rangeText(issue)}`;
  });
  const shown = [...new Set(texts)].slice(0, 4);
  return shown.length < new Set(texts).size ? `${shown.join("; ")}; and more` : shown.join("; ");
}

function validText(keys: string): string {
  return keys === "" ? "there are none here" : `valid: ${keys}`;
}

const reasonTexts = {
  missing_argument: "is missing",
  invalid_type: "has the wrong type",
  out_of_range: "is out of range",
  invalid_value: "has a value that is not allowed",
  invalid_format: "has the wrong format",
  stale_cursor: "is no longer valid",
} as const satisfies { readonly [reason in Exclude<InputIssue["reason"], "unknown_argument">]: string };

function rangeText(issue: InputIssue): string {
  if (issue.maximum !== undefined) return ` (at most ${String(issue.maximum)})`;
  if (issue.minimum !== undefined) return ` (at least ${String(issue.minimum)})`;
  return issue.reason === "invalid_type" && issue.expected !== undefined ? ` (expected ${issue.expected})` : "";
}

function checkOutput(tool: Tool, outcome: ToolOutcome<unknown>): unknown {
  const parsed = tool.output.safeParse(outcome.result);
  if (!parsed.success) throw unreadable(tool, outcome.produced, parsed.error.issues[0]?.path.map(String).join(".") ?? "");
  try {
    return checkedJson(parsed.data);
  } catch (error) {
    throw unreadable(tool, outcome.produced, isReaError(error) ? error.message : "", error);
  }
}

function unreadable(tool: Tool, produced: Produced | null, where: string, cause?: unknown): ReaError {
  return new ReaError("unreadable_output", {
    message: `The answer to ${tool.name} does not have the shape it must have. Report the provider and operation in details.`,
    details: { operation: tool.name, provider_id: produced?.provider.id ?? null, where },
    cause,
  });
}

function evidenceOf(tool: Tool, input: JsonObject, result: unknown, produced: Produced | null): Evidence {
  if (produced === null) throw new Error(`${tool.name} produces Evidence but gave no provenance.`);
  return createEvidence({
    subject: produced.subject,
    provider: produced.provider,
    analysis_profile: produced.analysis_profile,
    ...(produced.predicate_type === undefined ? {} : { predicate_type: produced.predicate_type }),
    environment: produced.environment ?? null,
    operation: tool.name,
    parameters: evidenceParameters(tool, input, produced),
    raw_result: produced.raw_result,
    normalized_result: result,
    confidence: produced.confidence,
    authority: authorityOf(tool.name, produced.provider.id),
    limitations: produced.limitations,
    locations: produced.locations,
    evidence_links: produced.evidence_links ?? [],
  });
}

/** An aborted call fails with what aborted it; only a cleanup that failed is worse news. */
function failureOf(error: unknown, tool: Tool, limits: CallLimits): ReaError {
  const failure = limits.failure();
  if (failure === undefined) return toReaError(error, tool.name);
  if (!isReaError(error) || error.code !== "cleanup_incomplete") return failure;
  return new ReaError("cleanup_incomplete", {
    message: error.message,
    details: isJsonObject(error.details) ? { ...error.details, cause: failure.code } : { cause: failure.code },
    action: error.action,
    cause: error,
  });
}

interface ProgressWatch {
  readonly reporter: ProgressReporter;
  phase(): string;
  finish(phase: "done" | "failed"): void;
}

function watchProgress(sink: ((update: ProgressUpdate) => void) | undefined): ProgressWatch {
  const controller: ProgressController | undefined = sink === undefined ? undefined : createProgress(sink);
  let phase = "start";
  let open = true;
  return {
    phase: () => phase,
    reporter: {
      report: (update) => {
        // An abandoned call may still speak; nobody listens any more.
        if (!open) return;
        phase = update.phase;
        (controller ?? silentProgress).report(update);
      },
    },
    finish: (end) => {
      open = false;
      controller?.finish({ phase: end, message: end === "done" ? "The call is complete." : "The call has failed." });
    },
  };
}
