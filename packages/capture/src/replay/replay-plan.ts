import {
  ReaError,
  replayMachineSchema,
  type InputIssue,
  type JsonObject,
  type ReplayHttpScript,
  type ReplayMachineDefinition,
  type ReplayMachineLimits,
  type ReplayWebSocketScript,
} from "@rea/core";
import { parseFreeForm } from "@rea/tool";
import type { ReplayResponder } from "./replay-decision.js";
import { createReplayMachine } from "./replay-machine.js";
import { ScriptResponder } from "./script-responder.js";

/** What a program is answered with: scripts, or a machine. */
export type ReplayPlan =
  | { readonly kind: "scripts"; readonly http: ReplayHttpScript | undefined; readonly websocket: ReplayWebSocketScript | undefined }
  | { readonly kind: "machine"; readonly machine: ReplayMachineDefinition };

export interface ReplayParts {
  readonly replay_http?: ReplayHttpScript | undefined;
  readonly replay_websocket?: ReplayWebSocketScript | undefined;
  /** As it was given; checked here. */
  readonly replay_machine?: { readonly [key: string]: unknown } | undefined;
}

/** The plan of a scenario; null when it has none. Throws `invalid_request` for what no server can send. */
export function replayPlanOf(parts: ReplayParts, operation: string): ReplayPlan | null {
  if (parts.replay_machine !== undefined) return { kind: "machine", machine: parsedMachine(parts.replay_machine, operation) };
  const { replay_http: http, replay_websocket: websocket } = parts;
  if (http === undefined && websocket === undefined) return null;
  const issues = [...httpIssues(http), ...webSocketIssues(websocket)];
  if (issues.length > 0) throw refusal(operation, issues);
  return { kind: "scripts", http, websocket };
}

/** Answers as the plan says; scripts within the given limits, a machine within its own, where those are tighter. */
export function responderOf(plan: ReplayPlan, limits: ReplayMachineLimits): ReplayResponder {
  if (plan.kind === "scripts") return new ScriptResponder(plan, limits);
  const own = plan.machine.limits;
  return createReplayMachine({
    ...plan.machine,
    limits: {
      bytes: Math.min(own.bytes, limits.bytes),
      connections: Math.min(own.connections, limits.connections),
      duration_ms: Math.min(own.duration_ms, limits.duration_ms),
      messages: Math.min(own.messages, limits.messages),
    },
  });
}

/** What servers a plan needs. */
export function transportsOf(plan: ReplayPlan): { readonly http: boolean; readonly websocket: boolean } {
  if (plan.kind === "scripts") return { http: plan.http !== undefined, websocket: plan.websocket !== undefined };
  const triggers = plan.machine.transitions.map(({ trigger }) => trigger);
  return { http: triggers.includes("http"), websocket: triggers.some((trigger) => trigger !== "http") };
}

/** The plan as JSON, for a manifest. */
export function planJson(plan: ReplayPlan): JsonObject {
  if (plan.kind === "machine") return { replay_machine: plan.machine };
  return { ...(plan.http === undefined ? {} : { replay_http: plan.http }), ...(plan.websocket === undefined ? {} : { replay_websocket: plan.websocket }) };
}

/** Strictly as `run_replay_machine` reads it. */
function parsedMachine(given: { readonly [key: string]: unknown }, operation: string): ReplayMachineDefinition {
  return parseFreeForm(replayMachineSchema, given, { operation, field: "scenario.replay_machine" });
}

/** RFC 9110 §5.5 as far as it can be written in one byte a character. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

function httpIssues(script: ReplayHttpScript | undefined): InputIssue[] {
  return (script?.exchanges ?? []).flatMap(({ response }, index) => {
    const at = `replay_http.exchanges.${String(index)}.response`;
    const issues: InputIssue[] = [];
    if (response.status < 200) issues.push({ path: `${at}.status`, reason: "out_of_range", minimum: 200 });
    response.headers.forEach(({ value }, position) => {
      if (!headerValue.test(value)) issues.push({ path: `${at}.headers.${String(position)}.value`, reason: "invalid_format", expected: "visible characters of Latin-1" });
    });
    return issues;
  });
}

function webSocketIssues(script: ReplayWebSocketScript | undefined): InputIssue[] {
  return (script?.connections ?? []).flatMap(({ steps }, connection) =>
    steps.flatMap((step, index): InputIssue[] => {
      const path = `replay_websocket.connections.${String(connection)}.steps.${String(index)}.code`;
      if (step.kind !== "close" || isSendableCode(step.code)) return [];
      return [{ path, reason: "invalid_value", expected: "a close code that may be sent" }];
    }),
  );
}

/** RFC 6455 §7.4: 1004 to 1006 and 1015 are never sent, up to 2999 nothing else is assigned. */
function isSendableCode(code: number): boolean {
  return (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || code >= 3000;
}

function refusal(operation: string, issues: readonly InputIssue[]): ReaError<"invalid_request"> {
  const [first] = issues;
  return new ReaError("invalid_request", {
    message: `${operation} cannot replay what this scenario declares: ${first?.path.split(".", 1)[0] ?? "it"} has values that cannot be used. Correct them and call again.`,
    details: { operation, issues: issues.map((issue) => ({ ...issue, path: `scenario.${issue.path}` })) },
  });
}
