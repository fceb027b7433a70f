import { escapeUntrusted } from "@rea/core";
import type { SetupAction, SetupResult } from "@rea/clients";
import type { Style } from "./style.js";

/** A plan as people read it: what, where, and the lines that change. */
export function planText(actions: readonly SetupAction[], style: Style): string {
  if (actions.length === 0) return "Nothing is to be done.\n";
  return `${style.heading("Plan")}\n${actions.map((action, at) => actionText(action, at, style)).join("")}`;
}

function actionText(action: SetupAction, at: number, style: Style): string {
  const { label, target, operation, backup_path, network_origins, diff, kind } = action;
  const facts = [
    `   ${operation} ${escapeUntrusted(target)}`,
    ...(backup_path === null ? [] : [`   the first version stays in ${escapeUntrusted(backup_path)}`]),
    ...(network_origins.length === 0 ? [] : [`   from ${network_origins.join(", ")}`]),
  ];
  // The skill file is new as a whole; its first lines are enough.
  const lines = (diff ?? "").split("\n").filter((line) => line !== "");
  const shown = kind === "install_skill" || kind === "remove_skill" ? lines.slice(0, 8).concat(lines.length > 8 ? [`… ${String(lines.length - 8)} more lines`] : []) : lines;
  const body = shown.map((line) => `   ${coloured(line, style)}\n`).join("");
  return `${String(at + 1)}. ${label}\n${facts.join("\n")}\n${body}`;
}

function coloured(line: string, style: Style): string {
  if (line.startsWith("+")) return style.good(line);
  if (line.startsWith("-")) return style.bad(line);
  return style.dim(line);
}

const statusTexts: { readonly [status in SetupResult["status"]]: string } = {
  planned: "Planned; nothing was changed.",
  needs_confirmation: "Not confirmed; nothing was changed.",
  ready: "Done.",
  needs_human: "Done as far as REA can; the rest is yours.",
  cancelled: "Cancelled; nothing was changed.",
  failed: "Failed.",
};

/** The outcome of setup or uninstall. */
export function resultText(result: SetupResult, style: Style): string {
  const { status, planned_actions, applied_actions, clients, remediation, doctor } = result;
  const shownPlan = status === "planned" || status === "needs_confirmation" ? planText(planned_actions, style) : "";
  const rows = Object.entries(clients)
    .filter(([, client]) => status !== "planned" && status !== "needs_confirmation" && client.detail !== "There is no entry rea.")
    .map(([id, { state, path, detail }]) => `  ${id.padEnd(14)} ${stateText(state, style)}  ${escapeUntrusted(path)}${detail === undefined ? "" : `\n    ${detail}`}\n`)
    .join("");
  const others = applied_actions.filter(({ kind }) => kind !== "configure_client" && kind !== "remove_client").map(({ label, target }) => `  ${label}: ${escapeUntrusted(target)}\n`);
  const findings = doctor === null ? [] : doctor.checks.filter(({ name, ok }) => !ok && doctor.scope_checks.includes(name));
  const found = findings.map(({ detail, remediation: next }) => `  ${style.bad("!")} ${detail}\n    next: ${next ?? ""}\n`).join("");
  const next = remediation === null ? "" : `${remediation}\n`;
  const head = status === "failed" ? style.bad(statusTexts[status]) : style.heading(statusTexts[status]);
  return `${shownPlan}${head}\n${rows}${others.join("")}${found}${next}`;
}

function stateText(state: string, style: Style): string {
  const padded = state.padEnd(10);
  if (state === "failed") return style.bad(padded);
  return state === "skipped" ? style.warn(padded) : style.good(padded);
}
