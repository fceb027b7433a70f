import type { Evidence } from "./evidence.js";
import type { BrowserScenario } from "./operations/browser-scenario.js";
import type { BrowserScenarioSummary } from "./operations/browser-scenario-capture.js";
import type { ElectronScenario, ElectronScenarioSummary } from "./operations/electron-scenario.js";
import type { Execution, OperationContext } from "./execution.js";

/** Runs of declared actions in browsers and Electron applications. */
export interface WebScenariosPort {
  /**
   * Runs a scenario in one page; the whole capture is retained, its pictures lie in files. A step that fails is told in the
   * result. Throws `invalid_request`, `provider_unavailable` (no browser, or none that comes up), `unsupported_host` (a sandbox
   * that cannot be had), the errors of connecting, `cancelled` and `cleanup_incomplete`.
   */
  captureBrowser(scenario: BrowserScenario, context: OperationContext): Promise<Execution<BrowserScenarioSummary>>;
  /**
   * Runs an Electron application with a hook in its main process; the whole capture is retained. Throws `invalid_request`,
   * `target_unavailable`, `capability_unavailable` naming the switch of the build that forbids it, `provider_unavailable`,
   * `provider_timeout`, `cancelled` and `cleanup_incomplete`.
   */
  captureElectron(scenario: ElectronScenario, context: OperationContext): Promise<Execution<ElectronScenarioSummary>>;
  /** The requests of a `capture_browser_scenario` record as an HTTP Archive 1.2. Throws `evidence_integrity_mismatch`. */
  har(record: Evidence): Promise<string>;
}
