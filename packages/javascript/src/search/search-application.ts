import { escapeUntrusted, type ApplicationSearch, type ApplicationSearchHit } from "@rea/core";
import { AnyMap, generatedPositionFor, originalPositionFor, sourceContentFor, type TraceMap } from "@jridgewell/trace-mapping";
import { applicationLimits, readApplication } from "../application/application-files.js";
import { sourcePath } from "../link/source-name.js";
import { decodeText } from "../text/decode.js";
import { Places } from "../text/places.js";
import { span } from "../facts/fact.js";
import { mappedTexts, type MappedText } from "./map-texts.js";

export interface SearchRequest {
  readonly path: string;
  readonly innerPath: string | null;
  readonly text: string;
  readonly caseSensitive: boolean;
  readonly offset: number;
  readonly limit: number;
}

const mostHits = 100_000;

/** Places of a text in scripts, pages and originals, in order of paths; each with where it lies on the other side of a map. */
export async function searchApplication(request: SearchRequest, signal: AbortSignal): Promise<ApplicationSearch> {
  const read = await readApplication({
    path: request.path,
    integrityPolicy: "record-and-continue",
    signal,
    progress: { report: () => undefined },
    innerPath: request.innerPath ?? undefined,
    limits: applicationLimits,
    keepsName: true,
    onFile: () => undefined,
  });
  const hits: ApplicationSearchHit[] = [];
  const seen = new Set<string>();
  let total = 0;
  const keep = (hit: ApplicationSearchHit): void => {
    if (total >= request.offset && hits.length < request.limit) hits.push(hit);
    total += 1;
  };
  for (const mapped of mappedTexts(read.files)) {
    if (total >= mostHits) break;
    searchOne(mapped, request, { keep, seen });
  }
  const next = request.offset + hits.length;
  return { hits, total, next_offset: next < total ? next : null, omissions: [...read.omissions] };
}

interface Keeping {
  readonly keep: (hit: ApplicationSearchHit) => void;
  /** Originals that another map already showed. */
  readonly seen: Set<string>;
}

function searchOne({ file, text, map }: MappedText, request: SearchRequest, { keep, seen }: Keeping): void {
  const found = positions(text, request);
  const trace = map === null || (found.length === 0 && positions(map.text, { ...request, text: jsonText(request.text) }).length === 0) ? undefined : traceOf(map.text);
  if (found.length > 0 && file.bytes !== undefined) {
    const places = new Places(decodeText(file.bytes), file.bytes.byteLength);
    for (const start of found) {
      const at = span(start, start + request.text.length);
      places.place(at);
      keep({ path: escapeUntrusted(file.path), kind: file.role === "script" ? "code" : file.role, start: at.start, end: at.end, line: at.line, column: at.column, excerpt: excerptOf(text, start, request.text.length), counterpart: trace === undefined ? null : originalOf(trace, at) });
    }
  }
  if (trace === undefined || map === null) return;
  for (const source of trace.sources) {
    const content = source === null ? null : sourceContentFor(trace, source);
    if (source === null || typeof content !== "string") continue;
    const path = sourcePath(source);
    const key = `${path}\0${String(content.length)}\0${content.slice(0, 200)}`;
    if (seen.has(key)) continue;
    const inside = positions(content, request);
    if (inside.length > 0) seen.add(key);
    const bytes = Buffer.from(content, "utf8");
    const places = new Places({ text: content, encoding: "utf-8", prefixBytes: 0 }, bytes.byteLength);
    for (const start of inside) {
      const at = span(start, start + request.text.length);
      places.place(at);
      keep({ path: escapeUntrusted(path), kind: "original", start: at.start, end: at.end, line: at.line, column: at.column, excerpt: excerptOf(content, start, request.text.length), counterpart: generatedOf(trace, { source, line: at.line, column: at.column, script: file.path }) });
    }
  }
}

/** The text as it stands in a JSON string. */
function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function positions(text: string, { text: wanted, caseSensitive }: SearchRequest): readonly number[] {
  const hay = caseSensitive ? text : text.toLowerCase();
  const needle = caseSensitive ? wanted : wanted.toLowerCase();
  // Letters whose small form is longer shift what follows: then only exact letters are looked for.
  const [where, what] = hay.length === text.length && needle.length === wanted.length ? [hay, needle] : [text, wanted];
  const found: number[] = [];
  for (let at = where.indexOf(what); at >= 0 && found.length < mostHits; at = where.indexOf(what, at + what.length)) found.push(at);
  return found;
}

function traceOf(text: string): TraceMap | undefined {
  try {
    return new AnyMap(text.replace(/^\)\]\}'?[^\n]*\n/u, ""));
  } catch {
    // A damaged map leads nowhere; the hits stand alone.
    return undefined;
  }
}

function originalOf(trace: TraceMap, { line, column }: { readonly line: number; readonly column: number }): ApplicationSearchHit["counterpart"] {
  try {
    const found = originalPositionFor(trace, { line, column });
    return found.source === null ? null : { path: escapeUntrusted(sourcePath(found.source)), line: Math.max(1, found.line), column: found.column };
  } catch {
    // Positions beyond what the map can express.
    return null;
  }
}

function generatedOf(trace: TraceMap, { script, ...original }: { readonly source: string; readonly line: number; readonly column: number; readonly script: string }): ApplicationSearchHit["counterpart"] {
  try {
    // The segment at or before the place, else the first after it.
    const before = generatedPositionFor(trace, { ...original, bias: 1 });
    const found = before.line === null ? generatedPositionFor(trace, { ...original, bias: -1 }) : before;
    return found.line === null ? null : { path: escapeUntrusted(script), line: found.line, column: found.column };
  } catch {
    // Positions beyond what the map can express.
    return null;
  }
}

const around = 60;

function excerptOf(text: string, start: number, length: number): string {
  const from = Math.max(0, start - around, text.lastIndexOf("\n", start) + 1);
  const end = text.indexOf("\n", start + length);
  const to = Math.min(text.length, start + length + around, end < 0 ? text.length : end);
  return escapeUntrusted(text.slice(from, to).trim());
}
