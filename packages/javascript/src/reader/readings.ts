import type { ScriptPart, ScriptReading, SourceMapReading, TextRange } from "@rea/core";
import type { Span } from "../facts/fact.js";
import { readFacts } from "../facts/read-facts.js";
import type { ScriptFacts } from "../facts/script-facts.js";
import { readMap } from "../maps/read-map.js";

/** The facts of a text in the words of `ScriptReader`. */
export async function scriptReading(text: string, limits: { readonly astNodes: number; readonly findings: number }): Promise<ScriptReading> {
  return readingOf(text, await readFacts(text, { name: "", moduleType: null }, limits));
}

function readingOf(text: string, facts: ScriptFacts): ScriptReading {
  const chunks = facts.chunks.map(({ ids, basis, confidence, at }): ScriptPart => ({ kind: "chunk", value: ids.join(","), basis, confidence, range: rangeOf(at) }));
  const modules = facts.modules.map(({ id, path, basis, confidence, at }): ScriptPart => ({ kind: "module", value: path ?? id, basis, confidence, range: rangeOf(at) }));
  return {
    dialect: facts.dialect,
    parts: [...chunks, ...modules, ...lateChunks(facts)],
    endpoints: facts.endpoints.map(({ value, basis, confidence, at }) => ({ value, basis, confidence, range: rangeOf(at) })),
    routes: facts.routes.map(({ value, basis, confidence, at }) => ({ value, basis, confidence, range: rangeOf(at) })),
    hints: facts.hints.map(({ kind, name, version, basis }) => ({ kind, name, version, basis })),
    sourceMapUrl: facts.sourceMap === null ? null : text.slice(facts.sourceMap.at.start, facts.sourceMap.at.end),
    problems: facts.problems.map(({ what, at }) => ({ what, offset: at?.start ?? null })),
    omitted: facts.omitted,
  };
}

/** Files that a script loads only when it needs them; bundlers write their chunks so. */
function lateChunks({ imports }: ScriptFacts): ScriptPart[] {
  return imports.flatMap(({ kind, specifier, confidence, at }): ScriptPart[] => {
    if (kind !== "dynamic-import" || specifier === null || !/^(?:\.{0,2}\/|https?:)/u.test(specifier)) return [];
    return [{ kind: "chunk", value: specifier, basis: "dynamic-import", confidence, range: rangeOf(at) }];
  });
}

export function sourceMapReading(text: string, limits: { readonly sources: number; readonly mappings: number }): SourceMapReading {
  const { verdict, sources, mappings, problems } = readMap(text, limits);
  return { verdict, sources: sources.map(({ name, content }) => ({ name, content })), mappings, problems };
}

function rangeOf({ start, end }: Span): TextRange {
  return { start, end };
}
