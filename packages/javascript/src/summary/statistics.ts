import type { ApplicationStatistics } from "@rea/core";
import type { SealedGraph } from "../graph/graph-text.js";
import type { LinkedApplication } from "../link/linked-application.js";

export function statisticsOf({ entries, scripts, pages, maps, failures, manifests, originals }: LinkedApplication, { nodes, edges }: SealedGraph): ApplicationStatistics {
  const sum = (of: (script: LinkedApplication["scripts"][number]) => number) => scripts.reduce((total, script) => total + of(script), 0);
  const imports = (kind: string) => sum((script) => script.imports.filter(({ target }) => target.kind === kind).length);
  const own = new Set(pages.map(({ path }) => path));
  const files = scripts.filter(({ path }) => !own.has(path));
  const unreadable = failures.length + files.filter(({ facts }) => facts.dialect === "unreadable").length;
  return {
    entries: entries.size,
    text_files: files.length + pages.length + failures.length + manifests.length + maps.filter(({ sha256, path, script }) => sha256 !== null && path !== script).length,
    text_bytes: files.reduce((total, { sizeBytes }) => total + sizeBytes, 0) + pages.reduce((total, { sizeBytes }) => total + sizeBytes, 0),
    parsed_files: files.length + failures.length - unreadable,
    unreadable_files: unreadable,
    syntax_nodes: sum(({ facts }) => facts.nodes),
    imports: sum((script) => script.imports.length),
    resolved_imports: imports("file") + imports("builtin") + imports("self"),
    external_imports: imports("external"),
    unresolved_imports: imports("missing"),
    dynamic_imports: imports("dynamic"),
    chunks: sum(({ facts }) => facts.chunks.length),
    modules: sum(({ facts }) => facts.modules.length),
    source_maps: maps.filter(({ verdict }) => verdict !== "missing").length,
    source_modules: originals.size,
    findings: sum(({ facts: { endpoints, routes, storage, environment, hints, electron } }) => endpoints.length + routes.length + storage.length + environment.length + hints.length + electron.ipc.length + electron.windows.length),
    graph_nodes: nodes,
    graph_edges: edges,
  };
}
