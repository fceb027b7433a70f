import type { ApplicationRelation } from "@rea/core";
import type { ImportKind } from "../facts/fact.js";
import type { LinkedApplication, LinkedImport, LinkedScript } from "../link/linked-application.js";
import type { Finding } from "./graph-builder.js";
import type { NodePlaces } from "./node-places.js";

const loading: ReadonlySet<ImportKind> = new Set(["worker", "shared-worker", "service-worker", "worklet", "import-scripts", "child-script", "native-addon", "url"]);

/** What files ask for, and the scripts of pages. A target that is not there is an unknown node, not an omission. */
export function addImports({ scripts, pages }: LinkedApplication, places: NodePlaces): void {
  for (const script of scripts) for (const one of script.imports) addImport(script, one, places);
  for (const { path, sha256, facts, targets } of pages) {
    for (const [index, { kind, requested, start, end, line, column }] of facts.scripts.entries()) {
      if (kind !== "external" && kind !== "preload") continue;
      const finding: Finding = { file: { sha256, path }, at: { start, end, line, column }, extractor: "html-script" };
      const target = targets[index];
      const to = typeof target === "string" ? places.file(target) : unknownNode({ path, name: requested ?? "", why: "The script is not part of what was read." }, finding, places);
      places.builder.edge("loads", places.file(path), to, { finding: typeof target === "string" ? finding : unknownFinding(finding, "The script is not part of what was read."), properties: { requested } });
    }
  }
}

function addImport(script: LinkedScript, { fact, target }: LinkedImport, places: NodePlaces): void {
  const { path, sha256 } = script;
  const finding: Finding = { file: { sha256, path }, at: fact.at, extractor: fact.basis };
  const relation: ApplicationRelation = loading.has(fact.kind) ? "loads" : "imports";
  const from = places.owner(script, fact.at);
  const properties = { kind: fact.kind, specifier: fact.specifier ?? fact.pattern };
  switch (target.kind) {
    case "file":
      places.builder.edge(relation, from, targetNode(target.path, fact.kind, finding, places), { finding: target.by === "node" ? finding : byRule(finding), properties });
      return;
    case "external":
      places.builder.edge(relation, from, externalNode(target.name, finding, places), { finding, properties });
      return;
    case "missing": {
      const name = fact.specifier ?? "";
      const to = unknownNode({ path, name, why: target.why }, finding, places);
      places.builder.edge(relation, from, to, { finding: unknownFinding(finding, target.why), properties });
      return;
    }
    default:
      // What Node provides, what a file asks of itself and what only a run decides have no node to lead to.
      return;
  }
}

/** Workers are nodes of their own that load the file they run. */
function targetNode(path: string, kind: ImportKind, finding: Finding, places: NodePlaces): string | undefined {
  const file = places.file(path);
  if (kind !== "worker" && kind !== "shared-worker" && kind !== "service-worker" && kind !== "worklet") return file;
  const node = places.builder.node({ kind: kind === "service-worker" ? "service-worker" : "worker", strategy: "canonical-path", value: `${kind}:${places.own(path)}`, name: path, properties: { kind }, finding });
  places.builder.edge("loads", node, file, { finding });
  return node;
}

function externalNode(name: string, finding: Finding, places: NodePlaces): string | undefined {
  return places.builder.node({ kind: "package", strategy: "artifact-local-key", value: `${name}@external`, name, properties: { external: true }, finding });
}

function unknownNode({ path, name, why }: { readonly path: string; readonly name: string; readonly why: string }, finding: Finding, places: NodePlaces): string | undefined {
  const value = `${places.own(path)}#missing:${name}`;
  return places.builder.node({ kind: "unknown", strategy: "artifact-local-key", value, name, properties: { reason: why }, finding: unknownFinding(finding, why) });
}

function unknownFinding(finding: Finding, why: string): Finding {
  return { ...finding, state: "unknown", confidence: "unknown", limitations: [why] };
}

/** Node would refuse it; bundlers and TypeScript take it. */
function byRule(finding: Finding): Finding {
  return { ...finding, authority: "static-relationship-inference", state: "inferred", confidence: "high", limitations: ["Resolved by the rules of bundlers or by the usual place of such files, not by Node's."] };
}
