import type { JsonValue } from "@rea/core";
import { innerContainers } from "../link/inner-containers.js";
import type { GraphInput } from "./graph-input.js";
import type { NodePlaces } from "./node-places.js";
import { unitProperties } from "./unit-properties.js";

const wholeFile = "It is about the whole file.";

/** The root, containers inside it, scripts, pages, maps, native addons, and files whose bytes are not what is declared. */
export function addFiles({ application, root }: GraphInput, places: NodePlaces): string | undefined {
  const { builder } = places;
  const rootId = builder.node({
    kind: "artifact",
    strategy: root.sha256 === null ? "artifact-local-key" : "content-digest",
    value: root.sha256 ?? "root",
    // Not the name that it has on this machine: the same content elsewhere is the same graph.
    name: ".",
    properties: { format: root.format, sha256: root.sha256 },
    finding: { authority: "artifact-bytes", file: root.sha256 === null ? "The root has no digest." : { sha256: root.sha256, path: "." }, at: wholeFile, extractor: "artifact-walk" },
  });
  const containers = new Map<string, string | undefined>([["", rootId]]);
  for (const { path, sha256, parent } of innerContainers(application.inventory, application.entries)) {
    const id = builder.node({
      kind: "artifact",
      strategy: sha256 === null ? "canonical-path" : "content-digest",
      value: sha256 ?? places.own(path),
      name: path,
      properties: { path },
      finding: { authority: "artifact-bytes", file: sha256 === null ? "The container has no digest." : { sha256, path }, at: wholeFile, extractor: "artifact-walk" },
    });
    containers.set(path, id);
    builder.edge("contains", containers.get(parent), id, { finding: { authority: "artifact-bytes", file: sha256 === null ? "The container has no digest." : { sha256, path }, at: wholeFile, extractor: "artifact-walk" } });
  }
  const add = (path: string, sha256: string | null, what: { readonly kind: "javascript-asset" | "source-map" | "native-addon" | "asar-entry"; readonly properties: { readonly [key: string]: JsonValue } }): void => {
    const file = sha256 === null ? "The file has no digest." : { sha256, path };
    const finding = { authority: "artifact-bytes" as const, file, at: wholeFile, extractor: "artifact-walk" };
    const id = builder.node({ kind: what.kind, strategy: "canonical-path", value: places.own(path), name: path, properties: { ...what.properties, sha256 }, finding });
    places.setFile(path, id);
    builder.edge("contains", containers.get(containerOf(path)) ?? rootId, id, { finding });
  };
  const pages = new Set(application.pages.map(({ path }) => path));
  for (const { path, sha256, sizeBytes, facts, encoding } of application.scripts) {
    if (pages.has(path)) continue;
    add(path, sha256, { kind: "javascript-asset", properties: { bytes: sizeBytes, dialect: facts.dialect, encoding, language: facts.language, syntax_nodes: facts.nodes, ...unitProperties(facts.unit, path) } });
  }
  for (const { path, sha256, sizeBytes } of application.failures) add(path, sha256, { kind: "javascript-asset", properties: { bytes: sizeBytes, dialect: "unreadable" } });
  for (const { path, sha256, sizeBytes } of application.pages) add(path, sha256, { kind: "javascript-asset", properties: { bytes: sizeBytes, language: "html" } });
  for (const { path, sha256, verdict, script } of application.maps) {
    if (path !== script && sha256 !== null) add(path, sha256, { kind: "source-map", properties: { verdict } });
  }
  for (const { path, sha256, sizeBytes, isContradicted } of application.entries.values()) {
    if (isContradicted) add(path, sha256, { kind: "asar-entry", properties: { bytes: sizeBytes, contradicted: true } });
    else if (path.endsWith(".node")) add(path, sha256, { kind: "native-addon", properties: { bytes: sizeBytes } });
  }
  return rootId;
}

/** The innermost container of a path: up to the last segment that ends in an odd number of `!`. */
function containerOf(path: string): string {
  const at = path.lastIndexOf("!/");
  return at < 0 ? "" : path.slice(0, at + 1);
}
