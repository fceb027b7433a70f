import {
  canonicalSha256,
  headersOf,
  sha256Hex,
  throwIfAborted,
  type OperationContext,
  type ReplayMachineDefinition,
  type ReplayMachineEvent,
  type ReplayMachineRun,
} from "@rea/core";
import type { ReplayDecision } from "./replay-decision.js";
import type { ReplayEvent } from "./replay-event.js";
import { createReplayMachine, type ReplayMachine } from "./replay-machine.js";

/** Events between two pauses in which a cancel can be heard. */
const eventsAtATime = 64;

/**
 * Feeds events to a machine and tells what it decided: which transitions it took, what it would have sent, what it used.
 * Opens no socket and waits for nothing; equal input gives equal output. Captured values appear nowhere, only their
 * aliases. Throws `cancelled`.
 */
export async function runReplayMachine(
  input: { readonly machine: ReplayMachineDefinition; readonly events: readonly ReplayMachineEvent[] },
  { signal, progress }: OperationContext,
): Promise<ReplayMachineRun> {
  const machine = createReplayMachine(input.machine);
  const decisions: ReplayDecision[] = [];
  for (const [index, event] of input.events.entries()) {
    if (index % eventsAtATime === 0) {
      progress.report({ phase: "replay", completed: index, total: input.events.length, message: "Deciding events." });
      await new Promise((resume) => setImmediate(resume));
      throwIfAborted(signal, "run_replay_machine");
    }
    const { actions, ...decision } = machine.handle(eventOf(event));
    // The payloads hold captured values and are not needed any more.
    decisions.push({ ...decision, actions: actions.map(({ delayMs }) => ({ kind: "continue", delayMs })) });
  }
  return runOf(input, machine, decisions);
}

/** An event as a caller writes it, with what it leaves out filled in. */
function eventOf(event: ReplayMachineEvent): ReplayEvent {
  return {
    kind: event.kind,
    atMs: event.at_ms,
    connection: event.connection,
    method: event.method ?? "GET",
    path: event.path ?? "/",
    headers: headersOf(event.headers ?? "") ?? [],
    data: Buffer.from(event.data ?? "", event.encoding),
  };
}

function runOf(
  { machine: definition, events }: { readonly machine: ReplayMachineDefinition; readonly events: readonly ReplayMachineEvent[] },
  machine: ReplayMachine,
  decisions: readonly ReplayDecision[],
): ReplayMachineRun {
  const matched = decisions.filter(({ outcome }) => outcome === "matched").length;
  const closed = decisions.filter(({ outcome }, index) => outcome === "disconnected" && events[index]?.kind === "websocket_close").length;
  return {
    machine_sha256: canonicalSha256(definition),
    initial_state: definition.initial_state,
    final_state: machine.state(),
    summary: { events: decisions.length, matched, closed, refused: decisions.length - matched - closed },
    decisions: decisions.map(({ outcome, to, transitionId, actions, limit }, event) => ({
      event,
      outcome,
      state: to,
      transition_id: transitionId,
      actions: actions.length,
      limit,
    })),
    transitions: journalOf(decisions),
    actions: actionTable(definition, machine),
    limits: { configured: definition.limits, used: machine.used() },
    limitations: ["Payloads are left out of the table of actions: each is given by its size and its digest before templates are filled in."],
  };
}

function journalOf(decisions: readonly ReplayDecision[]): ReplayMachineRun["transitions"] {
  const uses = new Map<string, number>();
  return decisions.flatMap(({ transitionId, from, to, captures }, event) => {
    if (transitionId === null) return [];
    const use = (uses.get(transitionId) ?? 0) + 1;
    uses.set(transitionId, use);
    return [{ event, transition_id: transitionId, from, to, use, captures: [...captures] }];
  });
}

/** What the machine can send, without what it says: sizes and digests of the payloads as declared. */
function actionTable({ transitions }: ReplayMachineDefinition, machine: ReplayMachine): ReplayMachineRun["actions"] {
  return transitions.flatMap(({ id, actions }) =>
    actions.map(({ kind, status, code, headers, data, encoding, template, delay_ms }, action) => {
      const payload = Buffer.from(data ?? "", encoding);
      return {
        transition_id: id,
        action,
        kind,
        status: kind === "http_response" ? (status ?? 200) : null,
        code: kind === "websocket_close" ? (code ?? 1000) : null,
        header_names: (headersOf(headers ?? "") ?? []).map(([name]) => name),
        data_bytes: payload.byteLength,
        data_sha256: sha256Hex(payload),
        template,
        delay_ms,
        uses: machine.usesOf(id),
      };
    }),
  );
}
