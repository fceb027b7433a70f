import type { BrowserScenarioSummary } from "@rea/core";
import { byteSize, grouped } from "./figures.js";
import type { Style } from "./style.js";

type Step = BrowserScenarioSummary["steps"]["items"][number];

const signs = { completed: "✓", failed: "✗", not_run: "·" } as const;

/** A browser scenario for a person: each step in a line, what it left, what happened, and what is open. */
export function browserScenarioText(found: BrowserScenarioSummary, style: Style): string {
  const { browser, steps, completeness, cleanup, failed_step: failed } = found;
  const launched = browser.mode === "launch" ? `launched${browser.headless === true ? ", headless" : ""}` : "connected";
  const counts = found.event_counts.map(({ kind, count }) => `${grouped(count)} ${kind.replaceAll("_", " ")}`);
  const lines = [
    style.heading(failed === null ? "All steps completed." : `Step ${failed.step_id} failed: ${failed.failure.replaceAll("_", " ")}${matchesText(failed.matches)}.`),
    style.dim(`${browser.product}, ${launched}`),
    "",
    ...steps.items.flatMap((step) => stepLines(step, style)),
    ...(steps.truncated ? [`… ${grouped(steps.total - steps.returned)} more`] : []),
    "",
    `Events: ${counts.length === 0 ? "none kept" : counts.join(", ")}`,
    ...(completeness.aborted_requests > 0 ? [`Aborted requests to other origins: ${grouped(completeness.aborted_requests)}`] : []),
    ...(completeness.dropped_events > 0 ? [style.warn(`Events beyond the limit: ${grouped(completeness.dropped_events)}`)] : []),
    completeness.equality_eligible ? "The run can be compared for equality." : style.warn(`The run cannot prove equality: ${completeness.reasons.map((reason) => reason.replaceAll("_", " ")).join(", ")}.`),
    cleanup.state === "incomplete" ? style.bad(`Clean-up is incomplete: ${cleanup.resources.map(({ kind, detail }) => `${kind.replaceAll("_", " ")} (${detail.reason})`).join(", ")}`) : style.dim(cleanupText(cleanup)),
    "",
    ...found.limitations.map((text) => style.dim(text)),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function stepLines(step: Step, style: Style): string[] {
  const took = step.outcome === "not_run" ? "" : `${grouped(step.ended_ms - step.started_ms)} ms`;
  const text = `${signs[step.outcome]} ${step.step_id.padEnd(16)} ${step.type.padEnd(16)} ${took.padStart(10)}`;
  const head = step.outcome === "completed" ? style.good(text) : step.outcome === "failed" ? style.bad(text) : style.dim(text);
  const states = (["dom", "accessibility", "storage"] as const).flatMap((name) => {
    const state = step[name];
    return state === null ? [] : [`${name} ${grouped(state.items)}${state.state === "complete" ? "" : ` (${state.state})`}`];
  });
  const { screenshot } = step;
  return [
    `${head}  ${step.url ?? ""}`.trimEnd(),
    ...(states.length === 0 ? [] : [style.dim(`    ${states.join(", ")}`)]),
    ...(screenshot === null ? [] : [style.dim(screenshot.state === "captured" ? `    ${screenshot.path}  ${String(screenshot.width)} × ${String(screenshot.height)}, ${byteSize(screenshot.bytes)}` : `    no screenshot: ${screenshot.reason.replaceAll("_", " ")}`)]),
  ];
}

function matchesText(matches: number | null): string {
  if (matches === null || matches === 1) return "";
  return matches === 0 ? " (no element)" : ` (${grouped(matches)} elements)`;
}

function cleanupText({ state, ownership_proof: proof }: BrowserScenarioSummary["cleanup"]): string {
  if (proof === null) return "The browser was there before and is left as it is.";
  return `The browser and its profile are gone (${state}, ${proof.replaceAll("_", " ")}).`;
}
