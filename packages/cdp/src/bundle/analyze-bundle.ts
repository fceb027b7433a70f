import {
  coverageOf,
  webAnalysisLimits,
  webAnalysisLimitsSchema,
  type AnalyzeWebBundleInput,
  type OperationContext,
  type RetainedWhole,
  type ScriptReader,
  type WebBundleAnalysis,
  type WebBundleSummary,
} from "@rea/core";
import { capturePage, type CapturedPage } from "../page/capture-page.js";
import { excerptOf } from "../page/excerpt.js";
import { mergedLimits } from "../page/merged-limits.js";
import { wholeOf } from "../page/summarize-page.js";
import { parseEndpoint } from "../protocol/endpoint.js";
import { admitPage } from "../targets/attach.js";
import { readScripts, type ReadScripts } from "./read-scripts.js";
import { readSourceMaps } from "./source-maps.js";

const operation = "analyze_web_bundle";

/** How a page is built: the capture, what its scripts say, and the page about both. */
export interface AnalyzedBundle {
  readonly wholes: readonly RetainedWhole[];
  readonly summary: WebBundleSummary;
}

/** Captures a page with its sources and reads them as data. Throws an observation error. */
export async function analyzeBundle(input: AnalyzeWebBundleInput, { signal, progress }: OperationContext, reader: ScriptReader): Promise<AnalyzedBundle> {
  const endpoint = parseEndpoint(input.cdp_endpoint, { operation, field: "cdp_endpoint" });
  const page = await admitPage({ endpoint, operation, signal, targetId: input.target_id, allowedOrigins: input.allowed_origins, supports: (url) => /^https?:/i.test(url) });
  const include = [...new Set([...input.include, "script_sources" as const])];
  const captured = await capturePage(page, { observationMs: input.observation_ms, include, limits: input.limits, progress });
  const limits = mergedLimits(webAnalysisLimitsSchema, webAnalysisLimits, input.analysis_limits);
  progress.report({ phase: "analysing", completed: input.observation_ms, message: "Reading the scripts." });
  const scripts = await readScripts(captured, { reader, limits, signal });
  const seen = captured.scripts.map((script) => script.seen);
  const { maps, omissions } = await readSourceMaps(seen, { reader, policy: page.policy, limits, fetch: input.fetch_source_maps, signal });
  const { capture } = captured;
  const captureWhole = wholeOf(capture);
  const analysis: WebBundleAnalysis = {
    schema_version: 1,
    kind: "web-bundle",
    capture: { sha256: captureWhole.sha256, bytes: captureWhole.bytes },
    browser: capture.browser,
    target: capture.target,
    observations: { chunks: scripts.chunks, endpoints: scripts.endpoints, routes: scripts.routes, source_maps: maps },
    inferences: [...scripts.hints, ...declaredHints(captured), ...sourceLayout(maps)],
    unknowns: unknownsOf(scripts, maps),
    completeness: capture.completeness,
    coverage: coverageOf([...capture.coverage.omissions, ...scripts.omissions, ...omissions]),
    limitations: [...capture.limitations, "Scripts that the page had not loaded when the capture ended are not read."],
  };
  const whole = wholeOf(analysis);
  return { wholes: [captureWhole, whole], summary: summarize(analysis, whole) };
}

function declaredHints({ capture }: CapturedPage): WebBundleAnalysis["inferences"] {
  return capture.metadata.items.flatMap(({ name, value }) => {
    if (name === "meta:generator") return [{ kind: "framework" as const, value, basis: "meta-generator", confidence: "inferred" as const }];
    const framework = frameworkOf(name);
    return framework === undefined ? [] : [{ kind: "framework" as const, value: value === "" ? framework : `${framework} ${value}`, basis: name.replace("attribute:", "attribute-"), confidence: "inferred" as const }];
  });
}

function frameworkOf(name: string): string | undefined {
  switch (name) {
    case "attribute:ng-version":
      return "Angular";
    case "attribute:data-v-app":
    case "attribute:data-server-rendered":
      return "Vue";
    case "attribute:data-n-head":
      return "Nuxt";
    case "attribute:data-reactroot":
      return "React";
    case "attribute:data-sveltekit-preload-data":
      return "SvelteKit";
    default:
      return undefined;
  }
}

/** Original sources say where a package manager put them. */
function sourceLayout(maps: WebBundleAnalysis["observations"]["source_maps"]): WebBundleAnalysis["inferences"] {
  const packages = new Set<string>();
  for (const { names } of maps) {
    for (const name of names) {
      const found = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(name)?.[1];
      if (found !== undefined) packages.add(found);
    }
  }
  return [...packages].sort().slice(0, 100).map((value) => ({ kind: "package", value, basis: "source-map-source", confidence: "derived" }));
}

function unknownsOf({ unread }: ReadScripts, maps: WebBundleAnalysis["observations"]["source_maps"]): WebBundleAnalysis["unknowns"] {
  const unknowns = [{ question: "Which chunks does the application have that were not loaded?", reason: "Only what the page loaded until the end of the capture is read." }];
  if (unread > 0) unknowns.push({ question: "What do the scripts without a kept source say?", reason: "Their sources are larger than the limits, or could not be read." });
  const notRead = maps.filter(({ verdict }) => verdict === "not_read" || verdict === "failed" || verdict === "unreadable").length;
  if (notRead > 0) unknowns.push({ question: "Which original sources are behind the maps that were not read?", reason: "They were not fetched, are not allowed, or are damaged." });
  return unknowns;
}

function summarize(analysis: WebBundleAnalysis, whole: RetainedWhole): WebBundleSummary {
  const { schema_version: _version, kind: _kind, observations, inferences, ...shared } = analysis;
  return {
    ...shared,
    analysis: { sha256: whole.sha256, bytes: whole.bytes },
    inferences: excerptOf(inferences, { bytes: 1500, most: 20 }).items,
    observations: {
      chunks: excerptOf(observations.chunks, { bytes: 2500, most: 20 }),
      endpoints: excerptOf(observations.endpoints, { bytes: 2500, most: 20 }),
      routes: excerptOf(observations.routes, { bytes: 1500, most: 15 }),
      source_maps: excerptOf(observations.source_maps, { bytes: 1800, most: 8 }),
    },
  };
}
