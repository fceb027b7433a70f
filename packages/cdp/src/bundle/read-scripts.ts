import { escapeUntrusted, omission, throwIfAborted, type Omission, type ScriptFact, type ScriptReader, type WebAnalysisLimits, type WebBundleAnalysis } from "@rea/core";
import type { CapturedPage } from "../page/capture-page.js";
import { pageUrl } from "../page/page-text.js";

type Observations = WebBundleAnalysis["observations"];
type Finding = Observations["endpoints"][number];

export interface ReadScripts {
  readonly chunks: Observations["chunks"];
  readonly endpoints: Finding[];
  readonly routes: Finding[];
  readonly hints: WebBundleAnalysis["inferences"];
  readonly unread: number;
  readonly omissions: readonly Omission[];
}

/** What the sources of a page's scripts say, read one after the other; nothing is run. */
export async function readScripts({ scripts }: CapturedPage, { reader, limits, signal }: { readonly reader: ScriptReader; readonly limits: WebAnalysisLimits; readonly signal: AbortSignal }): Promise<ReadScripts> {
  const gathered = new Gathered(limits.findings);
  const read = new Set<string>();
  let unread = 0;
  let unreadable = 0;
  for (const { item } of scripts) {
    throwIfAborted(signal, "analyze_web_bundle");
    gathered.chunk({ kind: "script", name: item.url === "" ? "(without a URL)" : item.url, script_id: item.script_id, length: item.length, basis: "loaded-script", confidence: "observed" });
    if (item.source.state === "omitted") {
      unread += 1;
      continue;
    }
    // The same file in several frames says the same.
    if (read.has(item.source.sha256)) continue;
    read.add(item.source.sha256);
    const reading = await reader.readScript(item.source.text, { astNodes: limits.ast_nodes, findings: limits.findings });
    if (reading.dialect === "unreadable") unreadable += 1;
    gathered.omitted += reading.omitted;
    for (const { kind, value, basis, confidence } of reading.parts) gathered.chunk({ kind, name: shown(value), script_id: item.script_id, length: null, basis, confidence });
    for (const fact of reading.endpoints) gathered.finding("endpoints", findingOf(fact, item.script_id));
    for (const fact of reading.routes) gathered.finding("routes", findingOf(fact, item.script_id));
    for (const { kind, name, version, basis } of reading.hints) gathered.hint({ kind, value: shown(version === null ? name : `${name} ${version}`), basis: escapeUntrusted(basis), confidence: "inferred" });
  }
  const omissions: Omission[] = [];
  if (unread > 0) omissions.push(omission("scripts", "not_examined", { count: unread, how_to_continue: "Their sources were not kept; raise limits.script_source_bytes or limits.total_source_bytes." }));
  if (unreadable > 0) omissions.push(omission("scripts", "malformed", { count: unreadable }));
  if (gathered.omitted > 0) omissions.push(omission("findings", "limit_items", { count: gathered.omitted, limit: limits.findings, how_to_continue: "Raise analysis_limits.findings or analysis_limits.ast_nodes." }));
  return { chunks: gathered.chunks, endpoints: gathered.endpoints, routes: gathered.routes, hints: gathered.hints, unread, omissions };
}

/** Findings up to a limit over all scripts; what says the same of the same script stands once. */
class Gathered {
  readonly chunks: Observations["chunks"] = [];
  readonly endpoints: Finding[] = [];
  readonly routes: Finding[] = [];
  readonly hints: WebBundleAnalysis["inferences"] = [];
  omitted = 0;
  readonly #known = new Set<string>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  chunk(chunk: Observations["chunks"][number]): void {
    if (this.#admit(this.chunks.length, ["chunk", chunk.kind, chunk.name, chunk.script_id])) this.chunks.push(chunk);
  }

  finding(list: "endpoints" | "routes", finding: Finding): void {
    if (this.#admit(this[list].length, [list, finding.value, finding.basis, finding.at.script_id])) this[list].push(finding);
  }

  hint(hint: WebBundleAnalysis["inferences"][number]): void {
    if (this.#admit(this.hints.length, ["hint", hint.kind, hint.value, hint.basis])) this.hints.push(hint);
  }

  #admit(length: number, identity: readonly string[]): boolean {
    const key = identity.join("\u0000");
    if (this.#known.has(key)) return false;
    if (length >= this.#limit) {
      this.omitted += 1;
      return false;
    }
    this.#known.add(key);
    return true;
  }
}

function findingOf({ value, basis, confidence, range }: ScriptFact, scriptId: string): Finding {
  return { value: shown(value), basis: escapeUntrusted(basis), confidence, at: { script_id: scriptId, start: range.start, end: range.end } };
}

/** Endpoints may carry credentials as URLs do. */
function shown(text: string): string {
  return pageUrl(text);
}
