import type { ElectronPageSummary } from "./operations/electron-page.js";
import type { RuntimeSummary } from "./operations/javascript-runtime.js";
import type { WebBundleSummary } from "./operations/web-bundle.js";
import type {
  AnalyzeWebBundleInput,
  CaptureWebScreenshotInput,
  InspectElectronPageInput,
  InspectWebPageInput,
  ListBrowserTargetsInput,
  ListElectronTargetsInput,
  ListRuntimeTargetsInput,
  ObserveRuntimeInput,
  ObserveWebSessionInput,
} from "./operations/web-inputs.js";
import type { WebPageSummary } from "./operations/web-page.js";
import type { WebScreenshot } from "./operations/web-screenshot.js";
import type { RuntimeTargetList, WebTargetList } from "./operations/web-targets.js";
import type { WebTimelineSummary } from "./operations/web-timeline.js";
import type { Execution, OperationContext } from "./execution.js";

type Observe<I, R> = (input: I, context: OperationContext) => Promise<Execution<R>>;

/** A page that shows a URL. */
export interface ShownWebPage {
  readonly cdp_endpoint: string;
  readonly target_id: string;
  /** It was open in a browser that runs already; otherwise one was started for it. */
  readonly found: boolean;
  readonly limitations: readonly string[];
  /** Ends what was started. Throws `cleanup_incomplete` with what remains; safe to call twice. */
  close(): Promise<void>;
}

/**
 * Looks at what runs behind a loopback endpoint of the DevTools protocol, without acting on it. Every call throws
 * `invalid_request` for an endpoint that is not one, `provider_unavailable` (`endpoint_unreachable`, `disconnected`),
 * `target_unavailable` (`target_not_found`, `target_not_allowed`, `target_changed`), `provider_timeout`, or
 * `unreadable_output` with the reason in its details.
 */
export interface WebPort {
  readonly listTargets: Observe<ListBrowserTargetsInput, WebTargetList>;
  /** The whole capture is retained. */
  readonly inspectPage: Observe<InspectWebPageInput, WebPageSummary>;
  /** The capture and the analysis are retained. */
  readonly analyzeBundle: Observe<AnalyzeWebBundleInput, WebBundleSummary>;
  /** The whole timeline is retained. */
  readonly observeSession: Observe<ObserveWebSessionInput, WebTimelineSummary>;
  /** Writes a file; `undo` removes it. */
  readonly captureScreenshot: Observe<CaptureWebScreenshotInput, WebScreenshot>;
  readonly listElectronTargets: Observe<ListElectronTargetsInput, WebTargetList>;
  readonly inspectElectronPage: Observe<InspectElectronPageInput, ElectronPageSummary>;
  readonly listRuntimeTargets: Observe<ListRuntimeTargetsInput, RuntimeTargetList>;
  readonly observeRuntime: Observe<ObserveRuntimeInput, RuntimeSummary>;
  /** Finds the page in a running browser, or starts one without a window and with a profile that goes with it. */
  readonly showPage: (input: { readonly url: string; readonly sandbox: "enabled" | "disabled" }, context: OperationContext) => Promise<ShownWebPage>;
}
