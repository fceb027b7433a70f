import {
  browserScenarioCaptureSchema,
  browserScenarioPredicate,
  createEvidence,
  evidenceRefusal,
  throwIfAborted,
  webPageCaptureSchema,
  webPagePredicate,
  webPageSummarySchema,
  type BrowserScenarioCapture,
  type Evidence,
  type OperationContext,
  type WebComparisonsPort,
  type WebPageCapture,
} from "@rea/core";
import type { LedgerStore } from "../ledger/ledger-store.js";
import { retainedCapture } from "../ledger/retained-capture.js";
import { scenarioCapture } from "./web-scenarios.js";

const provider = { id: "rea-comparison", name: "REA comparison", version: "1" };
const operation = "compare_web_captures";

/** Comparison of captures of pages and scenarios; the wholes come from what the session retains. */
export function createWebCapturesPart(ledger: LedgerStore): Pick<WebComparisonsPort, "compareCaptures" | "adopt"> {
  return {
    compareCaptures: async ({ left, right, normalization, max_changes: maxChanges }, context) => {
      if (left.operation !== right.operation) {
        throw evidenceRefusal("wrong_operation", "A page and a scenario cannot be compared with each other. Give two records of one tool.", {
          evidence_id: right.evidence_id,
          expected: left.operation,
          actual: right.operation,
        });
      }
      const pair =
        left.operation === "inspect_web_page"
          ? ({ kind: "web-page", left: pageCapture(left, ledger), right: pageCapture(right, ledger) } as const)
          : ({ kind: "browser-scenario", left: scenarioCapture(left, ledger), right: scenarioCapture(right, ledger) } as const);
      await turn(context);
      const { compareWebCaptures } = await import("@rea/cdp");
      const result = compareWebCaptures(pair, { normalization, maxChanges, operation });
      await turn(context);
      return { result, raw_result: null, provider, analysis_profile: null, subject: null, confidence: "derived", limitations: result.limitations, locations: [], resolved_parameters: { normalization: result.normalization.rules } };
    },
    adopt: async (given) => {
      const { summarizePage, summarizeScenario, wholeOf } = await import("@rea/cdp");
      const page = webPageCaptureSchema.safeParse(given);
      const scenario = browserScenarioCaptureSchema.safeParse(given);
      const capture = page.success ? page.data : scenario.success ? scenario.data : null;
      if (capture === null) throw evidenceRefusal("schema", "This is no capture of a page or a browser scenario of this version. Capture again.");
      const whole = wholeOf(capture);
      ledger.retain(whole);
      return capture.kind === "web-page" ? recordOf(capture, summarizePage(capture, whole)) : recordOf(capture, summarizeScenario(capture, whole));
    },
  };
}

const kinds = {
  "web-page": { operation: "inspect_web_page", predicate_type: webPagePredicate, provider: { id: "rea-cdp-browser", name: "REA browser observation", version: "1" } },
  "browser-scenario": { operation: "capture_browser_scenario", predicate_type: browserScenarioPredicate, provider: { id: "rea-browser-scenario", name: "REA browser scenarios", version: "1" } },
} as const;

/** What only the file says is left out: what it was asked with. */
function recordOf(capture: WebPageCapture | BrowserScenarioCapture, summary: object): Evidence {
  return createEvidence({
    ...kinds[capture.kind],
    subject: null,
    parameters: capture.kind === "browser-scenario" ? { scenario: capture.scenario } : {},
    normalized_result: summary,
    confidence: "observed",
    authority: "runtime-observation",
    limitations: [...capture.limitations, "The capture was read from a file; this record was made from it."],
  });
}

function pageCapture(record: Evidence, ledger: LedgerStore): WebPageCapture {
  return retainedCapture(record, ledger, { summary: webPageSummarySchema, whole: webPageCaptureSchema, words: "a capture of a page" });
}

/** Lets a cancel be heard between steps that compute without pause. */
async function turn({ signal }: OperationContext): Promise<void> {
  await new Promise((resume) => setImmediate(resume));
  throwIfAborted(signal, operation);
}
