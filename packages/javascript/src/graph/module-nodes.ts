import type { LinkedApplication, LinkedScript } from "../link/linked-application.js";
import { innermost, type NodePlaces } from "./node-places.js";
import { unitProperties } from "./unit-properties.js";

/** Chunks and modules that bundlers wrote into scripts, and what modules ask their bundle for. */
export function addModules({ scripts }: LinkedApplication, places: NodePlaces): void {
  const byId = new Map<string, string | undefined>();
  const chunks = new Map<string, string | undefined>();
  for (const script of scripts) addParts(script, { places, byId, chunks });
  for (const script of scripts) addRequests(script, { places, byId, chunks });
}

interface Adding {
  readonly places: NodePlaces;
  /** Modules by bundler and id over all scripts of a directory: chunks share their ids. */
  readonly byId: Map<string, string | undefined>;
  readonly chunks: Map<string, string | undefined>;
}

const shared: ReadonlySet<string> = new Set(["webpack", "rspack", "turbopack", "parcel", "metro"]);

/** Which modules of a bundle an id may name: all chunks of a directory share theirs. */
export function keyOf(script: LinkedScript, bundler: string, id: string): string {
  const scope = shared.has(bundler) ? script.path.slice(0, Math.max(0, script.path.lastIndexOf("/"))) : script.path;
  return `${scope}\0${bundler}\0${id}`;
}

function addParts(script: LinkedScript, { places, byId, chunks }: Adding): void {
  const { builder } = places;
  const { path, sha256, facts } = script;
  const chunkRanges = facts.chunks.map((chunk) => {
    const finding = { file: { sha256, path }, at: chunk.at, extractor: chunk.basis };
    const name = chunk.ids.join(",");
    const node = builder.node({ kind: "javascript-chunk", strategy: "artifact-local-key", value: `${places.own(path)}#chunk:${name}`, name: name === "" ? path : name, properties: { bundler: chunk.bundler, ids: chunk.ids.slice(0, 64) }, finding });
    builder.edge("contains", places.file(path), node, { finding });
    for (const id of chunk.ids) chunks.set(keyOf(script, chunk.bundler, id), node);
    return { at: chunk.at, node };
  });
  const modules = facts.modules.map((module, index) => {
    const finding = { file: { sha256, path }, at: module.at, extractor: module.basis };
    const node = builder.node({
      kind: "javascript-module",
      strategy: "artifact-local-key",
      value: `${places.own(path)}#module:${duplicateKey(facts.modules, index)}`,
      name: module.path ?? module.id,
      properties: { bundler: module.bundler, bytes: module.at.end - module.at.start, id: module.id, path: module.path, ...unitProperties(facts.moduleUnits[index], module.path ?? "") },
      finding,
    });
    builder.edge("contains", innermost(chunkRanges, module.at.start)?.node ?? places.file(path), node, { finding });
    const key = keyOf(script, module.bundler, module.id);
    if (!byId.has(key)) byId.set(key, node);
    return { at: module.at, node };
  });
  places.setModules(path, modules);
}

/** The id; with its position where a bundle has the id twice. */
function duplicateKey(modules: LinkedScript["facts"]["modules"], index: number): string {
  const module = modules[index];
  if (module === undefined) return String(index);
  const previous = modules[index - 1];
  // Duplicates are rare and, sorted by place, seldom apart: a full search is left to those.
  const isRepeated = previous?.id === module.id;
  return isRepeated ? `${module.id}@${String(module.at.start)}` : module.id;
}

function addRequests(script: LinkedScript, { places, byId, chunks }: Adding): void {
  const { path, sha256, facts } = script;
  for (const { id, kind, at } of facts.requests) {
    const bundler = innermost(facts.modules, at.start)?.bundler ?? facts.modules[0]?.bundler ?? "webpack";
    const key = keyOf(script, bundler, id);
    const target = kind === "chunk" ? chunks.get(key) : byId.get(key);
    const finding = { file: { sha256, path }, at, extractor: kind === "chunk" ? "chunk-request" : "module-request" };
    places.builder.edge(kind === "chunk" ? "loads" : "imports", places.owner(script, at), target, { finding, properties: { specifier: id } });
  }
}
