import { Bundle } from "../parts/bundle.js";
import type { Bundler } from "../parts/found-part.js";
import { buildScopes, canOpenScope, type ScopeIndex } from "../syntax/build-scopes.js";
import { flatten, visit, type FlatTree } from "../syntax/flat-tree.js";
import { kindOf } from "../syntax/kinds.js";
import { problemOf, type ParsedScript, type ScriptName, type SyntaxProblem } from "../syntax/parse-outcome.js";
import { parseScript } from "../syntax/parse-script.js";
import { extractSemantics } from "../semantics/extract-semantics.js";
import type { FileSemantics, SemanticLimits } from "../semantics/file-semantics.js";
import type { Detector, FileView } from "./detector.js";
import { ElectronBridges } from "./electron-bridge.js";
import { noElectronFacts } from "./electron-fact.js";
import { ElectronGuards } from "./electron-guards.js";
import { ElectronIpc } from "./electron-ipc.js";
import { ElectronWindows } from "./electron-windows.js";
import { Endpoints } from "./endpoints.js";
import { ExportedConstants } from "./exported-constants.js";
import { ExportedShapes } from "./exported-shapes.js";
import { noExports } from "./exports/export-fact.js";
import { span, type HintFact } from "./fact.js";
import { GlobalUses } from "./global-uses.js";
import { Hints } from "./hints.js";
import { Imports } from "./imports.js";
import { Origins } from "./origin.js";
import { Routes } from "./routes.js";
import type { ProblemFact, ScriptFacts, UnitFacts } from "./script-facts.js";
import { sourceMapLink, type SourceMapLink } from "./source-map-link.js";
import { Environment, Storage } from "./storage.js";
import { UnitReader } from "./unit-marks.js";

export interface FactLimits {
  readonly astNodes: number;
  readonly findings: number;
}

/** What a text says, and what flows in it. */
export interface ReadScript {
  readonly facts: ScriptFacts;
  /** Null for a text that cannot be read, and where it was not asked for. */
  readonly semantics: FileSemantics | null;
}

/** Reads a text as data; offsets are UTF-16 code units. Never throws for what the text holds. */
export async function readFacts(source: string, named: ScriptName, limits: FactLimits): Promise<ScriptFacts> {
  return (await readScript(source, named, { ...limits, semantics: null })).facts;
}

/** As `readFacts`, with values, calls and effects up to the limits of `semantics`. */
export async function readScript(source: string, named: ScriptName, limits: FactLimits & { readonly semantics: SemanticLimits | null }): Promise<ReadScript> {
  const parsed = await parseScript(source, named);
  const link = sourceMapLink(source);
  if (parsed.program === undefined) return { facts: unreadable(parsed.problems, link), semantics: null };
  try {
    return collect(source, parsed, { limits, link });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { facts: unreadable([{ ...problemOf(error, source), what: "The text nests deeper than it can be looked through." }], link), semantics: null };
  }
}

/** The imports of a text alone: nothing else is looked for. */
export async function readImports(source: string, named: ScriptName, limits: FactLimits): Promise<ScriptFacts["imports"]> {
  const parsed = await parseScript(source, named);
  if (parsed.program === undefined) return [];
  try {
    const { bundle, tree, index, view } = prepare(source, parsed, limits);
    const imports = new Imports(view, bundle);
    detect(tree, [imports], { index });
    return imports.found;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [];
  }
}

function unreadable(problems: readonly SyntaxProblem[], sourceMap: SourceMapLink | null): ScriptFacts {
  const nothing = { modules: [], chunks: [], imports: [], requests: [], endpoints: [], routes: [], storage: [], environment: [], hints: [], globals: [], constants: [], electron: noElectronFacts, unit: null, moduleUnits: [] };
  return { dialect: "unreadable", language: null, nodes: 0, problems: problems.map(problemFact), omitted: 0, ...nothing, sourceMap };
}

function problemFact({ what, offset }: SyntaxProblem): ProblemFact {
  return { what, at: offset === null ? null : span(offset, offset) };
}

/** Everything that detectors look at. */
function prepare(source: string, parsed: ParsedScript, limits: FactLimits) {
  const bundle = new Bundle(source);
  const tree = flatten(parsed.program, limits.astNodes);
  const index = buildScopes(tree, (node, kind, scope) => bundle.see(node, kind, scope));
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
  return { bundle, tree, index, view, room };
}

function collect(source: string, parsed: ParsedScript, { limits, link }: { readonly limits: FactLimits & { readonly semantics: SemanticLimits | null }; readonly link: SourceMapLink | null }): ReadScript {
  const { bundle, tree, index, view, room } = prepare(source, parsed, limits);
  const found = {
    imports: new Imports(view, bundle),
    endpoints: new Endpoints(view),
    routes: new Routes(view),
    storage: new Storage(view),
    environment: new Environment(view),
    hints: new Hints(view),
    constants: new ExportedConstants(),
    windows: new ElectronWindows(view),
    ipc: new ElectronIpc(view),
    bridges: new ElectronBridges(view),
    guards: new ElectronGuards(view),
    globals: new GlobalUses(view),
    shapes: new ExportedShapes(bundle, index),
  };
  const units = new UnitReader(source, bundle.modules);
  detect(tree, Object.values(found), { index, units });
  found.hints.comments(parsed.comments);
  for (const hint of bundlerHints(bundle)) found.hints.add(hint);
  const cut: SyntaxProblem[] = tree.isCut ? [{ what: "The text has more syntax than is looked at in one file; the rest was left.", offset: null }] : [];
  const { windows, loads, utilities, sessionPreloads } = found.windows;
  const { guards, protocols, updaters } = found.guards;
  const semantics = limits.semantics === null ? null : extractSemantics({ tree, index, origins: view.origins, bundle, limits: limits.semantics });
  const facts: ScriptFacts = {
    dialect: parsed.dialect,
    language: parsed.language,
    nodes: tree.nodes.length,
    problems: [...parsed.problems, ...cut].map(problemFact),
    omitted: room.omitted,
    modules: bundle.modules.map(({ bundler, id, path, basis, start, end }) => ({ bundler, id, path, basis, confidence: "observed", at: span(start, end) })),
    chunks: bundle.chunks.map(({ bundler, ids, basis, start, end }) => ({ bundler, ids, basis, confidence: "observed", at: span(start, end) })),
    imports: found.imports.found,
    requests: found.imports.inside,
    endpoints: found.endpoints.found,
    routes: found.routes.found,
    storage: found.storage.found,
    environment: found.environment.found,
    hints: found.hints.found,
    electron: { windows, loads, bridges: found.bridges.found, ipc: found.ipc.found, guards, protocols, updaters, utilities, sessionPreloads },
    globals: found.globals.found,
    constants: [...found.constants.found],
    sourceMap: link,
    ...unitFacts(units, found.shapes),
  };
  return { facts, semantics };
}

function unitFacts(units: UnitReader, shapes: ExportedShapes): { readonly unit: UnitFacts; readonly moduleUnits: readonly UnitFacts[] } {
  const [marks, exports] = [units.finish(), shapes.finish()];
  return {
    unit: { marks: marks.file, exports: exports.file },
    moduleUnits: marks.modules.map((one, index) => ({ marks: one, exports: exports.modules[index] ?? noExports })),
  };
}

interface Detection {
  readonly index: ScopeIndex;
  /** Left out where nobody asks for marks. */
  readonly units?: UnitReader;
}

function detect(tree: FlatTree, detectors: readonly Detector[], { index: scopes, units }: Detection): void {
  const byKind: Detector[][] = [];
  for (const detector of detectors) {
    for (const type of detector.types) {
      const kind = kindOf(type);
      while (byKind.length <= kind) byKind.push([]);
      byKind[kind]?.push(detector);
    }
  }
  let scope = scopes.root;
  visit(tree, {
    enter: (node, kind, ancestors) => {
      if (canOpenScope(kind)) scope = scopes.scopes.get(node) ?? scope;
      units?.enter(node, ancestors.at(-1));
      const looking = byKind[kind];
      if (looking !== undefined && looking.length > 0) for (const detector of looking) detector.see(node, { scope, ancestors });
      return undefined;
    },
    leave: (node) => {
      if (scope.node === node && scope.parent !== undefined) scope = scope.parent;
    },
  });
}

function* bundlerHints(bundle: Bundle): Generator<HintFact> {
  const seen = new Set<Bundler>();
  for (const { bundler, start, end, basis } of [...bundle.chunks, ...bundle.modules]) {
    if (seen.has(bundler)) continue;
    seen.add(bundler);
    yield { kind: "bundler", name: bundler, version: null, basis, confidence: "observed", at: span(start, end) };
  }
}
