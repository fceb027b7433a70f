import { Bundle } from "../parts/bundle.js";
import type { Bundler } from "../parts/found-part.js";
import { buildScopes } from "../syntax/build-scopes.js";
import { parseScript, type Dialect, type Language, type ParsedScript, type ScriptName, type SyntaxProblem } from "../syntax/parse-script.js";
import type { SyntaxNode } from "../syntax/node.js";
import { walk } from "../syntax/walk.js";
import type { Detector, FileView } from "./detector.js";
import { Endpoints } from "./endpoints.js";
import type { EndpointFact, Found, HintFact, RouteFact, Span } from "./fact.js";
import { Hints } from "./hints.js";
import { Origins } from "./origin.js";
import { Routes } from "./routes.js";
import { sourceMapLink, type SourceMapLink } from "./source-map-link.js";

/** A module that a bundler wrote into the file. */
export interface ModuleFact extends Found {
  readonly bundler: Bundler;
  readonly id: string;
  readonly path: string | null;
}

export interface ChunkFact extends Found {
  readonly bundler: Bundler;
  readonly ids: readonly string[];
}

/** Everything that one text says; offsets are UTF-16 code units. The syntax tree is gone when this exists. */
export interface ScriptFacts {
  readonly dialect: Dialect | "unreadable";
  readonly language: Language | null;
  readonly nodes: number;
  readonly problems: readonly SyntaxProblem[];
  readonly omitted: number;
  readonly modules: readonly ModuleFact[];
  readonly chunks: readonly ChunkFact[];
  readonly endpoints: readonly EndpointFact[];
  readonly routes: readonly RouteFact[];
  readonly hints: readonly HintFact[];
  readonly sourceMap: SourceMapLink | null;
}

export interface FactLimits {
  readonly astNodes: number;
  readonly findings: number;
}

/** Reads a text as data. Never throws for what it holds. */
export async function readFacts(source: string, named: ScriptName, limits: FactLimits): Promise<ScriptFacts> {
  const parsed = await parseScript(source, named);
  const link = sourceMapLink(source);
  if (parsed.program === undefined) return unreadable(parsed.problems, link);
  return collect(source, parsed, { limits, link });
}

function unreadable(problems: readonly SyntaxProblem[], sourceMap: SourceMapLink | null): ScriptFacts {
  return { dialect: "unreadable", language: null, nodes: 0, problems, omitted: 0, modules: [], chunks: [], endpoints: [], routes: [], hints: [], sourceMap };
}

function collect(source: string, parsed: ParsedScript, { limits, link }: { readonly limits: FactLimits; readonly link: SourceMapLink | null }): ScriptFacts {
  const bundle = new Bundle(source);
  const index = buildScopes(parsed.program, limits.astNodes, (node, scope) => bundle.see(node, scope));
  bundle.finish(parsed.comments);
  const room = { left: limits.findings, omitted: 0 };
  const view: FileView = {
    source,
    origins: new Origins(bundle),
    admit: () => {
      if (room.left > 0) room.left -= 1;
      else room.omitted += 1;
      return room.omitted === 0;
    },
  };
  const modules = bundle.modules.filter(() => view.admit());
  const endpoints = new Endpoints(view);
  const routes = new Routes(view);
  const hints = new Hints(view);
  detect(parsed.program, { detectors: [endpoints, routes, hints], scopes: index, maximum: limits.astNodes });
  hints.comments(parsed.comments);
  for (const hint of bundlerHints(bundle)) hints.add(hint);
  const cut: SyntaxProblem[] = index.isCut ? [{ what: "The text has more syntax than is looked at in one file; the rest was left.", offset: null }] : [];
  return {
    dialect: parsed.dialect,
    language: parsed.language,
    nodes: index.nodes,
    problems: [...parsed.problems, ...cut],
    omitted: room.omitted,
    modules: modules.map(({ bundler, id, path, basis, start, end }) => ({ bundler, id, path, basis, confidence: "observed", at: { start, end } })),
    chunks: bundle.chunks.map(({ bundler, ids, basis, start, end }) => ({ bundler, ids, basis, confidence: "observed", at: { start, end } })),
    endpoints: endpoints.found,
    routes: routes.found,
    hints: hints.found,
    sourceMap: link,
  };
}

interface Detection {
  readonly detectors: readonly Detector[];
  readonly scopes: ReturnType<typeof buildScopes>;
  readonly maximum: number;
}

function detect(program: SyntaxNode, { detectors, scopes, maximum }: Detection): void {
  const byType = new Map<string, Detector[]>();
  for (const detector of detectors) {
    for (const type of detector.types) byType.set(type, [...(byType.get(type) ?? []), detector]);
  }
  let scope = scopes.root;
  let nodes = 0;
  walk(program, {
    enter: (node, ancestors) => {
      nodes += 1;
      if (nodes > maximum) return false;
      scope = scopes.scopes.get(node) ?? scope;
      const looking = byType.get(node.type);
      if (looking !== undefined) for (const detector of looking) detector.see(node, { scope, ancestors });
      return undefined;
    },
    leave: (node) => {
      if (scope.node === node && scope.parent !== undefined) scope = scope.parent;
    },
  });
}

function* bundlerHints(bundle: Bundle): Generator<HintFact> {
  const seen = new Map<Bundler, { readonly at: Span; readonly basis: string }>();
  for (const { bundler, start, end, basis } of [...bundle.chunks, ...bundle.modules]) {
    if (!seen.has(bundler)) seen.set(bundler, { at: { start, end }, basis });
  }
  for (const [name, { at, basis }] of seen) yield { kind: "bundler", name, version: null, basis, confidence: "observed", at };
}
