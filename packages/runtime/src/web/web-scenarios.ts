import {
  browserScenarioCaptureSchema,
  browserScenarioPredicate,
  browserScenarioSummarySchema,
  electronScenarioPredicate,
  escapeUntrusted,
  evidenceRefusal,
  type BrowserScenario,
  type BrowserScenarioCapture,
  type BrowserScenarioSummary,
  type ElectronScenario,
  type ElectronScenarioSummary,
  type Evidence,
  type Execution,
  type OperationContext,
  type WebScenariosPort,
} from "@rea/core";
import type { ProcessLauncher } from "@rea/lineage";
import type { CloseOutcome } from "@rea/provider";
import { continuousProgress } from "../continuous-progress.js";
import type { LedgerStore } from "../ledger/ledger-store.js";
import type { SessionFiles } from "../session-files.js";
import { createScreenshotFiles } from "./screenshot-files.js";

const browserProvider = { id: "rea-browser-scenario", name: "REA browser scenarios", version: "1" };

const electronProvider = { id: "rea-electron-scenario", name: "REA Electron scenarios", version: "1" };

export interface WebScenariosOptions {
  readonly env: { readonly [name: string]: string | undefined };
  readonly files: SessionFiles;
  readonly ledger: LedgerStore;
  readonly product: { readonly name: string; readonly version: string };
}

/** Scenarios in browsers and Electron applications; nothing is loaded or started before the first. */
export interface WebScenarios {
  readonly port: WebScenariosPort;
  /** Ends what still runs; safe to call twice. */
  close(): Promise<CloseOutcome>;
}

export function createWebScenarios({ env, files, ledger, product }: WebScenariosOptions): WebScenarios {
  let launcher: ProcessLauncher | null = null;
  const screenshots = createScreenshotFiles(files);
  const captureBrowser = async (scenario: BrowserScenario, context: OperationContext): Promise<Execution<BrowserScenarioSummary>> => {
    const [{ createLauncher }, { runBrowserScenario, summarizeScenario, wholeOf }] = await Promise.all([import("@rea/lineage"), import("@rea/cdp")]);
    launcher ??= createLauncher();
    const undos: (() => Promise<void>)[] = [];
    const undo = async (): Promise<void> => {
      for (const takeBack of undos.splice(0)) await takeBack();
    };
    try {
      const capture = await runBrowserScenario({
        scenario,
        host: { launcher, environment: env },
        save: async (image, sha256) => {
          const written = await screenshots.write(image, sha256);
          undos.push(written.undo);
          return written.path;
        },
        signal: context.signal,
        progress: continuousProgress(context.progress),
      });
      const whole = wholeOf(capture);
      return {
        result: summarizeScenario(capture, whole),
        raw_result: null,
        provider: browserProvider,
        analysis_profile: null,
        subject: null,
        confidence: "observed",
        predicate_type: browserScenarioPredicate,
        environment: { id: null, platform: process.platform, architecture: process.arch, isolation: "none" },
        limitations: capture.limitations,
        locations: [],
        resolved_parameters: { scenario: capture.scenario },
        wholes: [whole],
        undo,
      };
    } catch (error) {
      await undo();
      throw error;
    }
  };
  const captureElectron = async (scenario: ElectronScenario, context: OperationContext): Promise<Execution<ElectronScenarioSummary>> => {
    const [{ createLauncher }, { runElectronScenario, summarizeElectron, wholeOf }] = await Promise.all([import("@rea/lineage"), import("@rea/cdp")]);
    launcher ??= createLauncher();
    const capture = await runElectronScenario({ scenario, host: { launcher, environment: env }, signal: context.signal, progress: continuousProgress(context.progress) });
    const whole = wholeOf(capture);
    const { name, sha256 } = capture.executable;
    return {
      result: summarizeElectron(capture, whole),
      raw_result: null,
      provider: electronProvider,
      analysis_profile: null,
      subject: { name, digest: { sha256 }, format: "file", architecture: null, local_path: escapeUntrusted(scenario.executable_path) },
      confidence: "observed",
      predicate_type: electronScenarioPredicate,
      environment: { id: null, platform: process.platform, architecture: process.arch, isolation: "none" },
      limitations: capture.limitations,
      locations: [],
      resolved_parameters: { scenario: capture.scenario },
      wholes: [whole],
    };
  };
  return {
    port: {
      captureBrowser,
      captureElectron,
      har: async (record) => {
        const capture = scenarioCapture(record, ledger);
        const { harText } = await import("@rea/report");
        return harText(capture, product);
      },
    },
    async close() {
      const remaining = (await launcher?.close())?.remaining ?? [];
      return { remaining: remaining.map(({ kind, detail }) => ({ kind, detail: `pid ${String(detail.pid)}: ${detail.reason}` })) };
    },
  };
}

/** The whole that a record of a browser scenario commits to. Throws `evidence_integrity_mismatch`. */
export function scenarioCapture({ normalized_result, evidence_id }: Evidence, ledger: LedgerStore): BrowserScenarioCapture {
  const summary = browserScenarioSummarySchema.safeParse(normalized_result);
  if (!summary.success) throw evidenceRefusal("schema", "The record does not hold a browser scenario.", { evidence_id });
  const { sha256 } = summary.data.capture;
  const whole = ledger.whole(sha256);
  if (whole === undefined) {
    throw evidenceRefusal(
      "missing",
      "The whole of this capture is not retained in this session, and it cannot be rebuilt. Run the scenario again, or import a bundle that was exported with its wholes.",
      { evidence_id, expected: sha256 },
    );
  }
  const capture = browserScenarioCaptureSchema.safeParse(whole.content);
  if (!capture.success) throw evidenceRefusal("schema", "The retained whole is not a browser scenario.", { evidence_id, actual: sha256 });
  return capture.data;
}
