import { electronScripts, omission, unescapeUntrusted, type ElectronPageCapture, type ElectronPageSummary, type InspectElectronPageInput, type OperationContext, type RetainedWhole, type WebSection } from "@rea/core";
import { capturePage, type CapturedPage } from "../page/capture-page.js";
import { excerptOf } from "../page/excerpt.js";
import { summarizePage, wholeOf } from "../page/summarize-page.js";
import { parseEndpoint } from "../protocol/endpoint.js";
import { admitPage } from "../targets/attach.js";
import { localPaths, mostPaths } from "./local-paths.js";

const operation = "inspect_electron_page";
const without: readonly WebSection[] = ["accessibility", "network", "console", "websocket", "metadata", "storage"];

export interface InspectedElectronPage {
  readonly capture: ElectronPageCapture;
  readonly whole: RetainedWhole;
  readonly summary: ElectronPageSummary;
}

/** The `inspect_electron_page` tool: a page that an application shows from its own files. Throws an observation error. */
export async function inspectElectronPage(input: InspectElectronPageInput, { signal, progress }: OperationContext): Promise<InspectedElectronPage> {
  const endpoint = parseEndpoint(input.cdp_endpoint, { operation, field: "cdp_endpoint" });
  const page = await admitPage({ endpoint, operation, signal, targetId: input.target_id, allowedOrigins: ["file://"], supports: (url) => /^file:/i.test(url) });
  const captured = await capturePage(page, {
    observationMs: input.observation_ms,
    include: input.include_script_sources ? ["script_sources"] : [],
    limits: { scripts: electronScripts, ...input.limits },
    without,
    progress,
  });
  const paths = await localPaths(fileUrls(captured));
  const { browser, target, capture_window, frames, dom, resources, scripts, workers, completeness, coverage, limits } = captured.capture;
  const limitations = [...captured.capture.limitations, "What the page may do in its application (preload, isolation, sandbox) is not told by the page; analyze_javascript_application reads it from the files."];
  if (paths.length === mostPaths) coverage.omissions.push(omission("local_paths", "limit_items", { limit: mostPaths }));
  const shared = { schema_version: 2 as const, browser, target, capture_window, frames, dom, resources, scripts, workers, completeness, coverage, limitations };
  const capture: ElectronPageCapture = { ...shared, kind: "electron-page", limits, local_paths: paths };
  const whole = wholeOf(capture);
  const begun = summarizePage({ ...captured.capture, limitations }, whole);
  return {
    capture,
    whole,
    summary: {
      schema_version: 2,
      capture: begun.capture,
      browser,
      target,
      capture_window,
      frames: begun.frames,
      dom: begun.dom,
      resources: begun.resources,
      scripts: begun.scripts,
      workers: begun.workers,
      completeness,
      coverage,
      limitations,
      local_paths: excerptOf(paths, { bytes: 1500, most: 15 }),
    },
  };
}

function fileUrls({ capture, scripts }: CapturedPage): string[] {
  const shown = [...capture.frames.items, ...capture.resources.items].map(({ url }) => unescapeUntrusted(url));
  return [...shown, ...scripts.map(({ seen }) => seen.url)];
}
