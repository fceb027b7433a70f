import {
  escapeUntrusted,
  ReaError,
  webPagePredicate,
  type Execution,
  type OperationContext,
  type ProviderIdentity,
  type RetainedWhole,
  type ScriptReader,
  type WebPort,
} from "@rea/core";
import type { BrowserCleanup } from "@rea/cdp";
import type { ProcessLauncher } from "@rea/lineage";
import { continuousProgress } from "../continuous-progress.js";
import type { SessionFiles } from "../session-files.js";
import { createScreenshotFiles } from "./screenshot-files.js";

const browser = { id: "rea-cdp-browser", name: "REA browser observation", version: "1" };
const electron = { id: "rea-cdp-electron", name: "REA Electron observation", version: "1" };
const inspector = { id: "rea-v8-inspector", name: "REA V8 inspector observation", version: "1" };
/** Bytes up to which a picture also comes as base64. */
const inlineBytes = 256 * 1024;

export interface WebOptions {
  readonly files: SessionFiles;
  /** Reads scripts as data; asked for when the first bundle is analysed. */
  readonly scriptReader: () => Promise<ScriptReader>;
  /** Starts browsers; asked for when the first is needed. */
  readonly launcher: () => Promise<ProcessLauncher>;
  readonly environment: { readonly [name: string]: string | undefined };
}

/** Observation of browsers, Electron pages and V8 runtimes; nothing is loaded before the first call. */
export function createWebPort({ files, scriptReader, launcher, environment }: WebOptions): WebPort {
  const screenshots = createScreenshotFiles(files);
  return {
    listTargets: async (input, context) => {
      const { listBrowserTargets, parseEndpoint } = await import("@rea/cdp");
      const operation = "list_browser_targets";
      const endpoint = parseEndpoint(input.cdp_endpoint, { operation, field: "cdp_endpoint" });
      const { offset, limit, allowed_origins: allowedOrigins } = input;
      return observed(browser, await listBrowserTargets({ endpoint, operation, signal: context.signal }, { offset, limit, allowedOrigins }));
    },
    inspectPage: async (input, context) => {
      const { inspectPage } = await import("@rea/cdp");
      const { summary, whole } = await inspectPage(input, continuous(context));
      return { ...observed(browser, summary, [whole]), predicate_type: webPagePredicate };
    },
    analyzeBundle: async (input, context) => {
      const { analyzeBundle } = await import("@rea/cdp");
      const { summary, wholes } = await analyzeBundle(input, continuous(context), await scriptReader());
      // What a pattern suggests is told item by item; the record is as strong as its weakest.
      return { ...observed(browser, summary, wholes), confidence: "inferred" };
    },
    observeSession: async (input, context) => {
      const { observeSession } = await import("@rea/cdp");
      const { summary, whole } = await observeSession(input, continuous(context));
      return observed(browser, summary, [whole]);
    },
    captureScreenshot: async ({ inline, ...input }, context) => {
      const { captureScreenshot } = await import("@rea/cdp");
      const { png, limitations, ...seen } = await captureScreenshot(input, continuous(context));
      if (inline && png.length > inlineBytes) throw tooLargeInline(png.length);
      const { path, undo } = await screenshots.write(png, seen.sha256);
      const result = {
        ...seen,
        path: escapeUntrusted(path),
        bytes: png.length,
        media_type: "image/png" as const,
        data_base64: inline ? png.toString("base64") : null,
        limitations: [...limitations],
      };
      return { ...observed(browser, result), undo };
    },
    listElectronTargets: async (input, context) => {
      const { listElectronTargets, parseEndpoint } = await import("@rea/cdp");
      const operation = "list_electron_targets";
      const endpoint = parseEndpoint(input.cdp_endpoint, { operation, field: "cdp_endpoint" });
      return observed(electron, await listElectronTargets({ endpoint, operation, signal: context.signal }, input));
    },
    inspectElectronPage: async (input, context) => {
      const { inspectElectronPage } = await import("@rea/cdp");
      const { summary, whole } = await inspectElectronPage(input, continuous(context));
      return observed(electron, summary, [whole]);
    },
    listRuntimeTargets: async (input, context) => {
      const { listRuntimeTargets, parseEndpoint } = await import("@rea/cdp");
      const operation = "list_javascript_runtime_targets";
      const endpoint = parseEndpoint(input.inspector_endpoint, { operation, field: "inspector_endpoint" });
      return observed(inspector, await listRuntimeTargets({ endpoint, operation, signal: context.signal }, input));
    },
    observeRuntime: async (input, context) => {
      const { observeRuntime } = await import("@rea/cdp");
      const { summary, whole } = await observeRuntime(input, continuous(context));
      return observed(inspector, summary, [whole]);
    },
    showPage: async ({ url, sandbox }, { signal }) => {
      const { showPage } = await import("@rea/cdp");
      const shown = await showPage({ url, sandbox, launcher: await launcher(), environment, signal });
      const close = async (): Promise<void> => {
        const cleanup = await shown.close();
        if (cleanup !== null && cleanup.resources.length > 0) throw leftOver(cleanup.resources);
      };
      return { cdp_endpoint: shown.endpoint, target_id: shown.targetId, found: shown.found, limitations: shown.limitations, close };
    },
  };
}

function continuous({ signal, progress }: OperationContext): OperationContext {
  return { signal, progress: continuousProgress(progress) };
}

function observed<R extends { readonly limitations: readonly string[] }>(provider: ProviderIdentity, result: R, wholes: readonly RetainedWhole[] = []): Execution<R> {
  return {
    result,
    raw_result: null,
    provider,
    analysis_profile: null,
    subject: null,
    confidence: "observed",
    environment: { id: null, platform: process.platform, architecture: process.arch, isolation: "none" },
    limitations: [...new Set(result.limitations)],
    locations: [],
    resolved_parameters: {},
    wholes,
  };
}

function leftOver(resources: BrowserCleanup["resources"]): ReaError {
  return new ReaError("cleanup_incomplete", {
    message: "The browser that was started could not be removed completely. End what is listed in the details.",
    details: { operation: "show_page", cleanup: "incomplete", resources: resources.map(({ kind, detail }) => ({ kind, detail: { ...detail } })) },
  });
}

function tooLargeInline(bytes: number): ReaError {
  return new ReaError("unreadable_output", {
    message: `The picture has ${String(bytes)} bytes, more than the ${String(inlineBytes)} that come inline. Leave inline out and read the file.`,
    details: { operation: "capture_web_screenshot", reason: "payload_limit", maximum_bytes: inlineBytes, actual_bytes: bytes },
    action: "Call again without inline; the picture is written to a file.",
  });
}
