import type { BrowserScenarioCapture, BrowserScenarioSummary, RetainedWhole, ScenarioStep } from "@rea/core";
import { countedWords, excerptOf } from "../page/excerpt.js";

/** Bytes of JSON that steps and events may take, so that the page stays one page. */
const room = { steps: { bytes: 12_000, most: 64 }, events: { bytes: 6000, most: 40 } } as const;

/** What a caller reads first: each step with its outcome, the first events, and how many of each kind there are. */
export function summarizeScenario(capture: BrowserScenarioCapture, whole: Pick<RetainedWhole, "sha256" | "bytes">): BrowserScenarioSummary {
  const { steps, events, scenario: _, ...rest } = capture;
  const failed = steps.find(({ outcome }) => outcome === "failed");
  return {
    ...rest,
    capture: { sha256: whole.sha256, bytes: whole.bytes },
    failed_step: failed === undefined || failed.failure === null ? null : { step_id: failed.step_id, type: failed.type, failure: failed.failure, matches: failed.matches },
    steps: excerptOf(steps.map(shownStep), room.steps),
    events: excerptOf(events, room.events),
    event_counts: countedWords(events.map(({ kind }) => kind), 16).map(({ name, count }) => ({ kind: name, count })),
  };
}

function shownStep(step: ScenarioStep): BrowserScenarioSummary["steps"]["items"][number] {
  return { ...step, dom: shownState(step.dom), accessibility: shownState(step.accessibility), storage: shownState(step.storage) };
}

function shownState(state: ScenarioStep["dom"] | ScenarioStep["accessibility"] | ScenarioStep["storage"]) {
  return state === null ? null : { state: state.state, items: state.items.length, sha256: state.sha256 };
}
