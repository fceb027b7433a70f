import type { ReplayMachineRun } from "@rea/core";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";

const shownDecisions = 60;
const limits = ["bytes", "connections", "duration_ms", "messages"] as const;

/** A run of a machine for a person: what came of each event, the actions it can take, and what it used. */
export function replayRunText(run: ReplayMachineRun, style: Style): string {
  const { summary, decisions, actions } = run;
  const width = Math.max(8, ...actions.map(({ transition_id }) => transition_id.length));
  const more = decisions.length - shownDecisions;
  const closed = summary.closed === 0 ? "" : `, ${grouped(summary.closed)} ends of connections`;
  const lines = [
    style.heading(`${grouped(summary.matched)} of ${grouped(summary.events)} events matched, ${grouped(summary.refused)} refused${closed}; ${run.initial_state} → ${run.final_state}`),
    "",
    ...decisions.slice(0, shownDecisions).map((one) => decisionLine(one, run, style)),
    ...(more > 0 ? [`… ${grouped(more)} more; --json shows all`] : []),
    ...(actions.length === 0 ? [] : ["", style.heading("Actions")]),
    ...actions.map(({ transition_id, kind, status, code, data_bytes, uses }) => {
      const what = status === null ? (code === null ? kind : `${kind} ${String(code)}`) : `${kind} ${String(status)}`;
      return `  ${transition_id.padEnd(width)}  ${what.padEnd(20)} ${grouped(data_bytes)} bytes  ${style.dim(`taken ${grouped(uses)} times`)}`;
    }),
    "",
    style.dim(`used ${limits.map((name) => `${grouped(run.limits.used[name])}/${grouped(run.limits.configured[name])} ${name}`).join(", ")}`),
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function decisionLine({ event, outcome, state, transition_id, limit }: ReplayMachineRun["decisions"][number], { transitions }: ReplayMachineRun, style: Style): string {
  const number = String(event).padStart(5);
  if (transition_id === null) return `${number}  ${style.warn(outcome)}${limit === null ? "" : ` (${limit})`}  ${style.dim(`in ${state}`)}`;
  const captures = transitions.find((one) => one.event === event)?.captures ?? [];
  const kept = captures.length === 0 ? "" : style.dim(`  keeps ${captures.join(", ")}`);
  return `${number}  ${style.good(transition_id)} → ${state}${kept}`;
}
