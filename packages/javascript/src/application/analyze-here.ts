import { basename } from "node:path";
import { omission, throwIfAborted, type ApplicationAnalysis, type ApplicationUnknown, type JsonObject, type Omission, type Page, type ProgressReporter, type SubjectFormat } from "@rea/core";
import { buildSemanticGraph, type SealedSemantics } from "../semantics/build-semantic-graph.js";
import { keptSemantics } from "../semantics/kept-semantics.js";
import { semanticPage, type SemanticPageRequest } from "../semantics/semantic-page.js";
import { FactCache } from "../cache/fact-cache.js";
import { KeptApplications, type KeptApplication } from "../cache/kept-applications.js";
import { buildApplicationGraph } from "../graph/build-graph.js";
import { graphPage, type GraphPageRequest } from "../graph/graph-page.js";
import type { SealedGraph } from "../graph/graph-text.js";
import { linkApplication, type LinkedScript } from "../link/linked-application.js";
import { linkElectron } from "../link/electron.js";
import { identifyPackages } from "../link/packages.js";
import { readManifest } from "../resolve/manifest.js";
import { directoryOf } from "../resolve/module-tree.js";
import { sizeSteps } from "../summary/sizes.js";
import { statisticsOf } from "../summary/statistics.js";
import { summarize, type SummaryInput } from "../summary/summarize.js";
import { unknownsOf } from "../summary/unknowns.js";
import { firstOf } from "../summary/cite.js";
import { workerPool } from "../worker/pool.js";
import { boundTexts, textTotals } from "./bounded-texts.js";
import { applicationLimits, readApplication, type ApplicationFile } from "./application-files.js";
import type { AnalysisRequest } from "./analysis-request.js";
import { chosenRoot } from "./chosen-root.js";
import { electronVerdicts } from "./electron-verdicts.js";
import { TextReading, textLimits, type ReadText } from "./read-texts.js";

/** An analysis before it is cut to a reply. */
export interface AnalyzedApplication {
  /** Everything of the reply but its graphs and page. */
  readonly reply: Omit<ApplicationAnalysis, "graph" | "semantic_graph" | "page">;
  readonly semantics: SealedSemantics;
  /** The page of a graph that was asked for. */
  readonly page: Page<JsonObject> | null;
  readonly graph: SealedGraph;
  readonly unknowns: readonly ApplicationUnknown[];
  readonly subject: { readonly name: string; readonly format: SubjectFormat; readonly sha256: string | null };
}

const standardTimeMs = 30_000;

/** Analyses an application in the calling thread and its readers. See `createApplicationAnalyzer`. */
export async function analyzeHere(request: AnalysisRequest, { signal, progress }: { readonly signal: AbortSignal; readonly progress: ProgressReporter }): Promise<AnalyzedApplication> {
  const limits = { ...applicationLimits, ...request.limits };
  const cache = request.cache === null ? undefined : new FactCache(request.cache);
  const whole = cache === undefined || hasOwnBounds(request) ? undefined : new KeptApplications({ cache, request, limits });
  const known = keptAnalysis(await whole?.find({ signal, progress }), { cache, request });
  if (known !== undefined) return known;
  const pool = workerPool(request.threads === null ? {} : { threads: request.threads });
  const timeMs = request.timeMs ?? standardTimeMs;
  const reading = new TextReading({ pool, cache, signal, progress, timeMs });
  const kept: ApplicationFile[] = [];
  try {
    const { path, integrityPolicy, innerPath } = request;
    const onFile = (file: ApplicationFile): void => {
      if (file.role === "manifest") kept.push(file);
      else reading.take(file);
    };
    const read = await readApplication({ path, integrityPolicy, signal, progress, innerPath: innerPath ?? undefined, limits, onFile });
    const root = chosenRoot(read.inventory, request);
    const bounded = boundTexts(read.files, await reading.finish(), { ...textTotals, ...request.totals });
    // What threads hold is wanted for the graphs.
    await pool.close();
    const { texts } = bounded;
    const bounds = { maxEntries: limits.entries, maxTotalBytes: limits.artifactBytes, maxEntryBytes: limits.entryBytes };
    const verdicts = await electronVerdicts({ path, inventory: read.inventory, integrityPolicy, limits: bounds, signal, progress });
    throwIfAborted(signal, operation);
    progress.report({ phase: "link", completed: read.files.length, message: "Tying files together" });
    const manifests = kept.sort((a, b) => (a.path < b.path ? -1 : 1)).map((file) => ({ file, manifest: file.bytes === undefined ? undefined : readManifest(directoryOf(file.path), file.bytes) }));
    const application = linkApplication(read, texts, manifests, { originals: textLimits.originals });
    const electron = linkElectron(application);
    const packages = identifyPackages(application);
    const late = reading.late > 0 ? [omission("Texts that were not read in time.", "limit_time", { count: reading.late, limit: timeMs, how_to_continue: "Call again: what was read is kept." })] : [];
    const omissions = [...read.omissions, ...bounded.omissions, ...late, ...omissionsOf(application)];
    const limitations = limitationsOf(reading.late > 0);
    throwIfAborted(signal, operation);
    progress.report({ phase: "graph", completed: read.files.length, message: "Building the graph" });
    const sealed = buildApplicationGraph({ application, electron, packages, root, omissions, limitations, ...(request.graphLimits === undefined ? {} : { limits: request.graphLimits }) });
    const input: SummaryInput = { application, electron, packages, verdicts, format: root.applicationFormat, isWhole: isWhole(application, [...read.inventory.omissions, ...bounded.omissions, ...late], [...read.left, ...read.disproved]) };
    const unknowns = unknownsOf(application, electron, { left: [...read.left, ...bounded.left].sort(), disproved: read.disproved });
    throwIfAborted(signal, operation);
    progress.report({ phase: "semantics", completed: read.files.length, message: "Following values and calls" });
    const { id: graphId } = sealed.graph;
    const { semanticLimits } = request;
    const semanticInput = { places: sealed.places, electron, graphId, rootSha256: root.sha256, textOf: (script: LinkedScript) => semanticsOf(texts.get(script.path)), ...(semanticLimits === undefined ? {} : { limits: semanticLimits }) };
    const semantics = keptSemantics({ graphId, cache: semanticLimits === undefined ? cache : undefined, build: () => buildSemanticGraph(semanticInput) });
    // What the cache lost cannot be read any more: everything is read anew.
    if (semantics === undefined) return await analyzeHere({ ...request, cache: null }, { signal, progress });
    const analysis = {
      reply: replyOf({ input, root, sealed, unknowns, limitations, manifestId: read.inventory.manifest.manifest_id }),
      graph: sealed.graph,
      unknowns,
      subject: { name: root.name, format: root.format, sha256: root.sha256 },
    };
    // What time or memory ended may come out otherwise in another run.
    if (reading.late === 0 && application.failures.length === 0) whole?.put(read.inventory, keptText(analysis));
    return { ...analysis, semantics, page: pageOf(request, analysis.graph, semantics) };
  } finally {
    await pool.close();
  }
}

/** Such an analysis is kept by nobody: the key of what is kept does not tell its bounds. */
function hasOwnBounds({ semanticLimits, totals, graphLimits }: AnalysisRequest): boolean {
  return semanticLimits !== undefined || totals !== undefined || graphLimits !== undefined;
}

function pageOf({ page }: AnalysisRequest, graph: SealedGraph, semantics: SealedSemantics): Page<JsonObject> | null {
  if (page === null || page === undefined) return null;
  return isOfGraph(page) ? graphPage(graph.text, page) : semanticPage(semantics, page);
}

function isOfGraph(page: GraphPageRequest | SemanticPageRequest): page is GraphPageRequest {
  return page.list === "nodes" || page.list === "edges";
}

type FoundAnalysis = Omit<AnalyzedApplication, "semantics" | "page">;
type KeptAnalysis = Omit<FoundAnalysis, "graph"> & { readonly graph: Omit<SealedGraph, "text"> };

/** The graph stays the text that it is. */
function keptText({ graph: { text: graph, ...said }, ...analysis }: FoundAnalysis): KeptApplication {
  const kept: KeptAnalysis = { ...analysis, graph: said };
  return { analysis: JSON.stringify(kept), graph };
}

/** An analysis of an earlier run with the semantic graph that was kept with it; undefined when either is not there. */
function keptAnalysis(found: KeptApplication | undefined, { cache, request }: { readonly cache: FactCache | undefined; readonly request: AnalysisRequest }): AnalyzedApplication | undefined {
  const value: unknown = found === undefined ? undefined : JSON.parse(found.analysis);
  if (found === undefined || !isKept(value)) return undefined;
  const semantics = keptSemantics({ graphId: value.graph.id, cache, build: () => undefined });
  if (semantics === undefined) return undefined;
  const graph = { ...value.graph, text: found.graph };
  return { ...value, graph, subject: { ...value.subject, name: request.innerPath === null ? basename(request.path) : value.subject.name }, semantics, page: pageOf(request, graph, semantics) };
}

/** Only packs that are whole and written by this code get here, so their shape is known. */
function isKept(value: unknown): value is KeptAnalysis {
  return typeof value === "object" && value !== null && "reply" in value && "graph" in value && "subject" in value;
}

const operation = "analyze_javascript_application";

/** Undefined where the cache has the facts of a file but not its semantics any more. */
function semanticsOf(text: ReadText | undefined): Uint8Array | undefined {
  return text?.kind === "script" || text?.kind === "page" ? text.semantics() : new Uint8Array();
}

interface Replying {
  readonly input: SummaryInput;
  readonly root: ReturnType<typeof chosenRoot>;
  readonly sealed: ReturnType<typeof buildApplicationGraph>;
  readonly unknowns: readonly ApplicationUnknown[];
  readonly limitations: readonly string[];
  readonly manifestId: string;
}

/** A result stands twice in a reply, with a graph of up to 16 KiB: what is left is for the page. */
const mostPageBytes = 22 * 1024;

/** The page with the longest lists that fit. */
function replyOf({ input, root, sealed, unknowns, limitations, manifestId }: Replying): AnalyzedApplication["reply"] {
  const statistics = statisticsOf(input.application, sealed.graph);
  let reply: AnalyzedApplication["reply"] | undefined;
  for (const sizes of sizeSteps) {
    reply = {
      schema_version: 2,
      format: root.applicationFormat,
      root_artifact_sha256: root.sha256,
      manifest_id: manifestId,
      graph_sha256: sealed.graph.sha256,
      summary: summarize(input, sizes),
      statistics,
      coverage: sealed.coverage,
      limitations: [...limitations],
      unknowns: firstOf(unknowns, sizes.unknowns),
    };
    if (Buffer.byteLength(JSON.stringify(reply)) <= mostPageBytes) return reply;
  }
  if (reply === undefined) throw new Error("There is always a smallest page.");
  return reply;
}

function limitationsOf(isLate: boolean): readonly string[] {
  const fixed = [
    "Nothing of the application was run; what code puts together at run time is not known.",
    "Declaration files (.d.ts) hold no code and were not analysed.",
  ];
  return isLate ? [...fixed, "Time was up before every text was read, so another run may find more."] : fixed;
}

/** Whether nothing of the application's own code was left out, so that what was not found is not there. */
function isWhole({ failures, scripts }: ReturnType<typeof linkApplication>, omissions: readonly Omission[], left: readonly string[]): boolean {
  const isOwn = ({ path }: { readonly path: string }): boolean => !/(?:^|\/)node_modules\//u.test(path);
  return omissions.length === 0 && left.length === 0 && !failures.some(isOwn) && !scripts.some((script) => script.facts.dialect === "unreadable" && isOwn(script));
}

function omissionsOf({ failures, originalsLeft, scripts }: ReturnType<typeof linkApplication>): readonly Omission[] {
  const found: Omission[] = [];
  const unread = failures.length + scripts.filter(({ facts }) => facts.dialect === "unreadable").length;
  if (unread > 0) found.push(omission("Scripts that could not be read; each is among the unknowns.", "malformed", { count: unread }));
  if (originalsLeft > 0) found.push(omission("Originals of source maps beyond the bound.", "limit_items", { count: originalsLeft, limit: textLimits.originals }));
  const omitted = scripts.reduce((sum, { facts }) => sum + facts.omitted, 0);
  if (omitted > 0) found.push(omission("Findings beyond the bound of one file.", "limit_items", { count: omitted, limit: textLimits.findings }));
  return found;
}

