import {
  canonicalDigestOfWhole,
  captureDimensions,
  type ProcessCapture,
  type CaptureDifferences,
  type ProcessDifference,
  type TraceSpecification,
} from "@rea/core";
import type { PatternFinder } from "../normalize/normalizer.js";
import { viewCapture } from "./capture-view.js";
import { requireEqualContracts } from "./contract-difference.js";
import { earliest, type DimensionFinding } from "./dimension-finding.js";
import { compareFilesystems } from "./filesystem-dimension.js";
import { compareProcesses } from "./process-dimension.js";
import { compareExits, compareInteractions, compareProtocols, compareShims } from "./sequence-dimensions.js";
import { compareTerminals } from "./terminal-dimension.js";
import { judgeTraces } from "./trace-language.js";

export interface CaptureComparisonInput {
  readonly left: ProcessCapture;
  readonly right: ProcessCapture;
  readonly traceSpec?: TraceSpecification | undefined;
  /** Makes finders of the captures' patterns. */
  readonly compile: (pattern: string) => PatternFinder;
}

const comparers = {
  terminal: compareTerminals,
  interaction: compareInteractions,
  exit: compareExits,
  filesystem: compareFilesystems,
  protocol: compareProtocols,
  process: compareProcesses,
  shim: compareShims,
} as const;

const shownDivergences = 100;

/**
 * Compares two captures whose commitments were checked, dimension by dimension. Programs and scenarios may differ, the
 * comparison contracts may not: that throws `invalid_request` naming the field. Pure; swapping the sides mirrors the
 * result.
 */
export function compareCaptures({ left, right, traceSpec, compile }: CaptureComparisonInput): CaptureDifferences {
  requireEqualContracts(left.manifest.comparison_contract, right.manifest.comparison_contract, "compare_process_captures");
  const views = { left: viewCapture(left, compile), right: viewCapture(right, compile) };
  const findings = captureDimensions.map((dimension) => comparers[dimension](views.left, views.right));
  const divergences = findings.flatMap(({ differences }) => differences);
  const residual = [...residualOf(left, "left"), ...residualOf(right, "right")];
  const judged = traceSpec === undefined ? null : judgeTraces(traceSpec, views.left, views.right);
  const items = divergences.slice(0, shownDivergences);
  return {
    status: statusOf(findings),
    verdict: blocked(judged?.verdict ?? verdictOf(findings), residual),
    comparison_contract_sha256: left.manifest.commitments.comparison_contract_sha256,
    left: sideOf(left),
    right: sideOf(right),
    dimensions: findings.map(({ compared }) => compared),
    first_divergence: earliest(divergences.filter(isCertain)) ?? null,
    divergences: { items, returned: items.length, total: divergences.length, truncated: items.length < divergences.length },
    trace: judged?.trace ?? null,
    residual_unknowns: residual,
    limitations: [
      "Times are not compared, and how output was cut into frames is not either.",
      ...(residual.length > 0 ? ["What a capture leaves open keeps the verdict from being equivalent; a difference that was seen stands."] : []),
    ],
  };
}

function isCertain({ state }: ProcessDifference): boolean {
  return state !== "unknown";
}

function statusOf(findings: readonly DimensionFinding[]): CaptureDifferences["status"] {
  const statuses = new Set(findings.map(({ compared }) => compared.status));
  if (statuses.has("contradiction")) return "contradiction";
  if (["added", "removed", "changed"].some((status) => [...statuses].some((one) => one === status))) return "changed";
  if (statuses.has("unknown")) return "unknown";
  return statuses.has("truncated") ? "truncated" : "unchanged";
}

function verdictOf(findings: readonly DimensionFinding[]): CaptureDifferences["verdict"] {
  const certain = findings.some(({ differences }) => differences.some(({ state }) => state !== "unknown" && state !== "contradiction"));
  if (certain) return "different";
  return statusOf(findings) === "unchanged" ? "equivalent" : "unknown";
}

function blocked(verdict: CaptureDifferences["verdict"], residual: readonly unknown[]): CaptureDifferences["verdict"] {
  return verdict === "equivalent" && residual.length > 0 ? "unknown" : verdict;
}

function residualOf({ residual_unknowns }: ProcessCapture, side: "left" | "right"): CaptureDifferences["residual_unknowns"] {
  return residual_unknowns.map(({ dimension, reason }) => ({ side, dimension, reason }));
}

function sideOf(capture: ProcessCapture): CaptureDifferences["left"] {
  const { executable, commitments, started_at } = capture.manifest;
  return {
    capture_sha256: canonicalDigestOfWhole(capture).sha256,
    executable_sha256: executable.sha256,
    scenario_sha256: commitments.scenario_sha256,
    started_at,
    journal_entries: capture.event_journal.length,
  };
}
