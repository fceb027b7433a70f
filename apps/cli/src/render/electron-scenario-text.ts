import type { ElectronScenarioSummary } from "@rea/core";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";

const signs = { completed: "✓", failed: "✗", not_run: "·" } as const;

/** A run of an Electron application for a person: its actions, what it tried to do outside, its messages, what is open. */
export function electronScenarioText(found: ElectronScenarioSummary, style: Style): string {
  const { actions, windows, blocked_effects: blocked, ipc_channels: channels, versions, observation } = found;
  const counts = found.event_counts.map(({ kind, count }) => `${grouped(count)} ${kind.replaceAll("_", " ")}`);
  const lines = [
    style.heading(found.outcome === "completed" ? "All actions completed." : "An action failed."),
    style.dim([found.executable.name, versions.electron === null ? "" : `Electron ${versions.electron}`, versions.chrome === null ? "" : `Chrome ${versions.chrome}`].filter((part) => part !== "").join(", ")),
    "",
    ...actions.map((action) => actionLine(action, style)),
    ...windows.map(({ window, url, title }) => `  window ${String(window)}  ${title}  ${style.dim(url)}`),
    "",
    `Events: ${counts.length === 0 ? "none" : counts.join(", ")}`,
    ...(channels.length === 0 ? [] : [`Channels: ${channels.map(({ name, count }) => `${name} (${grouped(count)})`).join(", ")}`]),
    ...(blocked.items.length === 0 ? [] : ["Kept from happening:", ...blocked.items.map(({ event, url, name }) => style.warn(`  ${event} ${url ?? name ?? ""}`.trimEnd()))]),
    ...(blocked.truncated ? [`  … ${grouped(blocked.total - blocked.returned)} more`] : []),
    observation.includes("complete") ? style.good("Observation is complete.") : style.warn(`Observation: ${observation.map((state) => state.replaceAll("_", " ")).join(", ")}`),
    "",
    ...found.limitations.map((text) => style.dim(text)),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function actionLine({ index, type, outcome, failure, started_ms: from, ended_ms: to }: ElectronScenarioSummary["actions"][number], style: Style): string {
  const text = `${signs[outcome]} ${String(index).padStart(3)} ${type.padEnd(16)} ${outcome === "not_run" ? "" : `${grouped(to - from)} ms`}${failure === null ? "" : `  ${failure.replaceAll("_", " ")}`}`;
  if (outcome === "completed") return style.good(text);
  return outcome === "failed" ? style.bad(text) : style.dim(text);
}
