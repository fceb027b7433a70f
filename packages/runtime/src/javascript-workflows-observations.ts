import {
  electronPageCaptureSchema,
  electronPageSummarySchema,
  evidenceRefusal,
  runtimeCaptureSchema,
  runtimeSummarySchema,
  webBundleSummarySchema,
  webPageCaptureSchema,
  webPageSummarySchema,
  type Evidence,
  type RuntimeCapture,
  type WebPageCapture,
} from "@rea/core";
import type { RuntimeObservation } from "@rea/javascript";
import type { LedgerStore } from "./ledger/ledger-store.js";
import { retainedCapture } from "./ledger/retained-capture.js";

/** Scripts that a record of the web, Electron and inspector tools tells of, from the capture it commits to. */
export function observedScripts(record: Evidence, ledger: LedgerStore): RuntimeObservation {
  switch (record.operation) {
    case "inspect_web_page":
      return pageScripts(record, retainedCapture(record, ledger, { summary: webPageSummarySchema, whole: webPageCaptureSchema, words: "a capture of a page" }));
    case "analyze_web_bundle":
      return pageScripts(record, retainedCapture(record, ledger, { summary: webBundleSummarySchema, whole: webPageCaptureSchema, words: "a capture of a page" }));
    case "inspect_electron_page":
      return pageScripts(record, retainedCapture(record, ledger, { summary: electronPageSummarySchema, whole: electronPageCaptureSchema, words: "a capture of a page" }));
    case "observe_javascript_runtime":
      return runtimeScripts(record, retainedCapture(record, ledger, { summary: runtimeSummarySchema, whole: runtimeCaptureSchema, words: "a capture of a JavaScript runtime" }));
    default:
      throw evidenceRefusal("wrong_operation", "The record tells of no scripts that ran.", { evidence_id: record.evidence_id, actual: record.operation });
  }
}

function pageScripts({ evidence_id: evidenceId, operation }: Evidence, { scripts, completeness }: Pick<WebPageCapture, "scripts" | "completeness">): RuntimeObservation {
  const isCut = completeness.conditions.some(({ condition, sections }) => condition !== "complete_within_window" && sections.includes("scripts"));
  return {
    evidenceId,
    operation,
    scripts: scripts.items.map(({ script_id: scriptId, url, content_sha256: sha256 }) => ({ scriptId, url, sha256 })),
    isComplete: scripts.state === "complete" && !isCut,
  };
}

/** The runtime's own modules are no part of an application. */
function runtimeScripts({ evidence_id: evidenceId, operation }: Evidence, { scripts, excluded, coverage }: RuntimeCapture): RuntimeObservation {
  const own = scripts.filter(({ origin_kind: origin }) => origin !== "runtime");
  return {
    evidenceId,
    operation,
    scripts: own.map(({ script_id: scriptId, url, content_sha256: sha256 }) => ({ scriptId, url, sha256 })),
    isComplete: coverage.state === "complete" && excluded.scripts === 0,
  };
}
