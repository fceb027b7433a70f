import {
  canonicalDigestOfWhole,
  webDimensions,
  type BrowserScenarioCapture,
  type ScenarioStep,
  type WebComparisonStatus,
  type WebDifferences,
  type WebDimension,
  type WebDimensionFinding,
  type WebNormalizationRule,
  type WebPageCapture,
} from "@rea/core";
import { excerptOf } from "../page/excerpt.js";
import { accessibilityItems, domItems, metadataItems, requestItems, resourceItems, scriptItems, storageItems } from "./comparable-items.js";
import { compareSections, type ComparedItem, type ComparedSection, type SectionFinding } from "./compared-section.js";
import { WebNormalization } from "./web-normalization.js";

export type WebCapturePair =
  | { readonly kind: "web-page"; readonly left: WebPageCapture; readonly right: WebPageCapture }
  | { readonly kind: "browser-scenario"; readonly left: BrowserScenarioCapture; readonly right: BrowserScenarioCapture };

export interface WebComparisonOptions {
  readonly normalization: readonly WebNormalizationRule[];
  readonly maxChanges: number;
  readonly operation: string;
}

/** So that a result stays under the bound of a reply, which holds it twice. */
const changeBytes = 400_000;

/**
 * Compares two captures of pages, or of scenarios step by step. Pure. Throws `invalid_request` for rules that contradict each
 * other. Mirrored sides give the mirrored answer, and a complete capture equals itself.
 */
export function compareWebCaptures(pair: WebCapturePair, { normalization, maxChanges, operation }: WebComparisonOptions): WebDifferences {
  const rules = new WebNormalization(normalization, operation);
  const { findings, steps, limitations, blocked } = pair.kind === "web-page" ? comparePages(pair, rules) : compareScenarios(pair, rules);
  const dimensions = webDimensions.map((dimension) => joined(findings.filter((finding) => finding.dimension.dimension === dimension)));
  const captured = dimensions.filter(({ reason }) => reason !== "not_captured");
  const status = overall([...captured.map((each) => each.status), ...steps.map((step) => step.status), ...(blocked ? (["unknown"] as const) : [])]);
  const changes = findings.flatMap((finding) => finding.changes);
  const missing = dimensions.filter(({ reason }) => reason === "not_captured").map(({ dimension }) => dimension);
  return {
    kind: pair.kind,
    status,
    left: sideOf(pair.kind === "web-page" ? { page: pair.left } : { scenario: pair.left }),
    right: sideOf(pair.kind === "web-page" ? { page: pair.right } : { scenario: pair.right }),
    normalization: { rules: [...rules.rules], sha256: rules.sha256 },
    dimensions,
    steps,
    changes: excerptOf(changes, { bytes: changeBytes, most: maxChanges }),
    limitations: [...limitations, ...(missing.length === 0 ? [] : [`Not captured on either side, and left out of the status: ${missing.join(", ")}.`])],
  };
}

interface Compared {
  readonly findings: readonly SectionFinding[];
  readonly steps: WebDifferences["steps"];
  readonly limitations: readonly string[];
  /** Something outside the dimensions keeps the captures from being called equal. */
  readonly blocked: boolean;
}

function comparePages({ left, right }: { readonly left: WebPageCapture; readonly right: WebPageCapture }, rules: WebNormalization): Compared {
  const sections = { left: pageSections(left, rules), right: pageSections(right, rules) };
  const findings = webDimensions.map((dimension) => compareSections({ dimension, stepId: null, left: sections.left[dimension], right: sections.right[dimension] }));
  const scope = JSON.stringify([...left.allowed_origins].sort()) !== JSON.stringify([...right.allowed_origins].sort());
  return {
    findings,
    steps: [],
    blocked: scope,
    limitations: [
      "Only what lies in the allowed origins is compared.",
      "Requests are those of each capture's window; what was sent before is not known.",
      ...(scope ? ["The two captures allowed different origins, so they cannot be called equal."] : []),
    ],
  };
}

type Sections = { readonly [D in WebDimension]: ComparedSection | null };

function pageSections(capture: WebPageCapture, rules: WebNormalization): Sections {
  const make = (section: { readonly state: ComparedSection["state"] }, items: ComparedItem[], ordered = false): ComparedSection => ({ state: section.state, items, ordered });
  return {
    dom_structure: make(capture.dom, domItems(capture.dom.items, rules), true),
    scripts: make(capture.scripts, scriptItems(capture.scripts.items, rules)),
    resources: make(capture.resources, resourceItems(capture.resources.items, rules)),
    network: make(capture.network, requestItems(capture.network.items, rules)),
    metadata: make(capture.metadata, metadataItems(capture.metadata.items, rules)),
    accessibility: make(capture.accessibility, accessibilityItems(capture.accessibility.items, rules), true),
    storage: make(capture.storage, storageItems(capture.storage.items, rules)),
  };
}

function compareScenarios({ left, right }: { readonly left: BrowserScenarioCapture; readonly right: BrowserScenarioCapture }, rules: WebNormalization): Compared {
  const order = [...new Set([...left.steps, ...right.steps].map(({ step_id }) => step_id))];
  const of = (capture: BrowserScenarioCapture, id: string): ScenarioStep | undefined => capture.steps.find(({ step_id }) => step_id === id);
  const aligned = order.map((id) => ({ id, before: of(left, id), after: of(right, id) }));
  const findings = aligned.flatMap(({ id, before, after }) => {
    // What only one side did is a change of the step, not of each of its states.
    if (before === undefined || after === undefined) return [];
    const sections = { left: stepSections(left, before, rules), right: stepSections(right, after, rules) };
    return webDimensions.map((dimension) => compareSections({ dimension, stepId: id, left: sections.left[dimension], right: sections.right[dimension] }));
  });
  const eligible = left.completeness.equality_eligible && right.completeness.equality_eligible;
  return {
    findings,
    steps: aligned.map(({ id, before, after }) => {
      const step = stepOf(id, before, after, rules);
      const own = findings.filter(({ stepId, dimension }) => stepId === id && dimension.reason !== "not_captured");
      return { ...step, status: overall([step.status, ...own.map(({ dimension }) => dimension.status)]) };
    }),
    blocked: !eligible,
    limitations: [
      "Steps are aligned by their exact step_id; times are not compared.",
      ...(eligible ? [] : ["At least one run is not eligible for equality (completeness.reasons of its capture), so the two cannot be called equal."]),
    ],
  };
}

function stepSections(capture: BrowserScenarioCapture, step: ScenarioStep, rules: WebNormalization): Sections {
  const { dom, accessibility, storage } = step;
  const requests = capture.events.filter((event) => event.kind === "network" && event.step_id === step.step_id);
  const asked = scenarioAskedFor(capture, "network");
  return {
    dom_structure: dom === null ? null : { state: dom.state, items: domItems(dom.items, rules), ordered: true },
    accessibility: accessibility === null ? null : { state: accessibility.state, items: accessibilityItems(accessibility.items, rules), ordered: true },
    storage: storage === null ? null : { state: storage.state, items: storageItems(storage.items, rules), ordered: false },
    network: asked ? { state: capture.completeness.dropped_events > 0 ? "partial" : "complete", items: requestItems(requests.flatMap((event) => (event.kind === "network" ? [event] : [])), rules), ordered: false } : null,
    scripts: null,
    resources: null,
    metadata: null,
  };
}

function scenarioAskedFor({ scenario }: BrowserScenarioCapture, kind: string): boolean {
  const { capture } = scenario;
  const events = typeof capture === "object" && capture !== null && "events" in capture ? capture["events"] : undefined;
  return Array.isArray(events) && events.includes(kind);
}

function stepOf(id: string, left: ScenarioStep | undefined, right: ScenarioStep | undefined, rules: WebNormalization): WebDifferences["steps"][number] {
  if (left === undefined || right === undefined) {
    return { step_id: id, sides: left === undefined ? "right_only" : "left_only", status: "changed", left_outcome: left?.outcome ?? null, right_outcome: right?.outcome ?? null, url: "not_captured", screenshot: "not_captured" };
  }
  const url = compared(left.url === null ? null : rules.apply("url", left.url), right.url === null ? null : rules.apply("url", right.url));
  const screenshot = compared(shot(left), shot(right));
  const outcome = left.outcome === right.outcome && left.failure === right.failure && left.type === right.type ? "unchanged" : "changed";
  return {
    step_id: id,
    sides: "both",
    status: overall([outcome, ...[url, screenshot].filter((each) => each !== "not_captured")]),
    left_outcome: left.failure ?? left.outcome,
    right_outcome: right.failure ?? right.outcome,
    url,
    screenshot,
  };
}

/** Equal bytes are equal pictures; other bytes may still show the same, which compare_web_screenshots tells. */
function shot({ screenshot }: ScenarioStep): string | null {
  return screenshot === null ? null : screenshot.state === "captured" ? screenshot.sha256 : "";
}

function compared(left: string | null, right: string | null): WebComparisonStatus | "not_captured" {
  if (left === null && right === null) return "not_captured";
  if (left === null || right === null || left === "" || right === "") return "unknown";
  return left === right ? "unchanged" : "changed";
}

/** Findings of all steps about one dimension, as one. */
function joined(findings: readonly SectionFinding[]): WebDimensionFinding {
  const parts = findings.map((finding) => finding.dimension).filter(({ reason }) => reason !== "not_captured");
  const [first] = findings.length === 0 || parts.length === 0 ? findings.map((finding) => finding.dimension) : parts;
  if (first === undefined) throw new Error("Every dimension has a finding.");
  const sum = (field: "left_items" | "right_items" | "added" | "removed" | "changed" | "unknown"): number => parts.reduce((total, part) => total + part[field], 0);
  if (parts.length < 2) return first;
  return {
    dimension: first.dimension,
    status: overall(parts.map((part) => part.status)),
    reason: overall(parts.map((part) => part.status)) === "unknown" ? (parts.find(({ reason }) => reason !== null)?.reason ?? null) : null,
    left_items: sum("left_items"),
    right_items: sum("right_items"),
    added: sum("added"),
    removed: sum("removed"),
    changed: sum("changed"),
    unknown: sum("unknown"),
    left_sha256: canonicalDigestOfWhole(parts.map((part) => part.left_sha256)).sha256,
    right_sha256: canonicalDigestOfWhole(parts.map((part) => part.right_sha256)).sha256,
  };
}

function overall(statuses: readonly WebComparisonStatus[]): WebComparisonStatus {
  if (statuses.includes("changed")) return "changed";
  return statuses.includes("unknown") ? "unknown" : "unchanged";
}

function sideOf(capture: { readonly page: WebPageCapture } | { readonly scenario: BrowserScenarioCapture }): WebDifferences["left"] {
  if ("page" in capture) return { capture_sha256: canonicalDigestOfWhole(capture.page).sha256, started_at: capture.page.capture_window.started_at, url: capture.page.target.url };
  const { scenario } = capture;
  return { capture_sha256: canonicalDigestOfWhole(scenario).sha256, started_at: scenario.started_at, url: scenario.steps.findLast(({ url }) => url !== null)?.url ?? null };
}

