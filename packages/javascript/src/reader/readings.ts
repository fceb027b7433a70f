import type { ScriptPart, ScriptReading, SourceMapReading } from "@rea/core";
import { readFacts, type ScriptFacts } from "../facts/read-facts.js";
import { readMap } from "../maps/read-map.js";

/** The facts of a text in the words of `ScriptReader`. */
export async function scriptReading(text: string, limits: { readonly astNodes: number; readonly findings: number }): Promise<ScriptReading> {
  return readingOf(text, await readFacts(text, { name: "", moduleType: null }, limits));
}

function readingOf(text: string, facts: ScriptFacts): ScriptReading {
  const chunks = facts.chunks.map(({ ids, basis, confidence, at }): ScriptPart => ({ kind: "chunk", value: ids.join(","), basis, confidence, range: at }));
  const modules = facts.modules.map(({ id, path, basis, confidence, at }): ScriptPart => ({ kind: "module", value: path ?? id, basis, confidence, range: at }));
  return {
    dialect: facts.dialect,
    parts: [...chunks, ...modules],
    endpoints: facts.endpoints.map(({ value, basis, confidence, at }) => ({ value, basis, confidence, range: at })),
    routes: facts.routes.map(({ value, basis, confidence, at }) => ({ value, basis, confidence, range: at })),
    hints: facts.hints.map(({ kind, name, version, basis }) => ({ kind, name, version, basis })),
    sourceMapUrl: facts.sourceMap === null ? null : text.slice(facts.sourceMap.at.start, facts.sourceMap.at.end),
    problems: facts.problems,
    omitted: facts.omitted,
  };
}

export function sourceMapReading(text: string, limits: { readonly sources: number; readonly mappings: number }): SourceMapReading {
  const { verdict, sources, mappings, problems } = readMap(text, limits);
  return { verdict, sources: sources.map(({ name, content }) => ({ name, content })), mappings, problems };
}
