import type { ApplicationMatchBasis, ApplicationNode, ApplicationNodeKind } from "@rea/core";
import { digestProperty, numberProperty, textProperty, type GraphSide } from "../graph-side.js";

/** One way to recognise nodes: equal keys of nodes of one kind mean one thing. */
export interface MatchTier {
  readonly basis: ApplicationMatchBasis;
  readonly confidence: "high" | "medium";
  keyOf(node: ApplicationNode, side: GraphSide): string | undefined;
}

/** Code that is smaller has the same structure by chance. */
const fewestNodes = 12;

const modules: ReadonlySet<ApplicationNodeKind> = new Set(["javascript-module", "source-module"]);

/** Nodes that go by the path of a file. */
const files: ReadonlySet<ApplicationNodeKind> = new Set(["javascript-asset", "source-map", "worker", "service-worker", "electron-main", "electron-preload", "electron-renderer", "electron-utility"]);

/** In the order in which they are tried. */
export const matchTiers: readonly MatchTier[] = [
  { basis: "digest", confidence: "high", keyOf: (node) => digestProperty(node, "sha256") },
  { basis: "module-source-digest", confidence: "high", keyOf: (node) => (node.kind === "javascript-module" ? digestProperty(node, "source_sha256") : undefined) },
  { basis: "node-id", confidence: "high", keyOf: ({ node_id }) => node_id },
  { basis: "source-map-original", confidence: "high", keyOf: originalKey },
  { basis: "structural-fingerprint", confidence: "medium", keyOf: (node) => fingerprint(node, "code_sha256") },
  { basis: "structural-fingerprint", confidence: "medium", keyOf: (node) => fingerprint(node, "structure_sha256") },
  { basis: "semantic-key", confidence: "medium", keyOf: (node, side) => (modules.has(node.kind) ? undefined : semanticKey(node, side)) },
];

/** The originals that a piece of code comes from, when source maps say so. */
function originalKey({ node_id, kind }: ApplicationNode, side: GraphSide): string | undefined {
  if (kind === "source-module") return undefined;
  const originals = side.from(node_id).flatMap(({ relation, to }) => (relation === "maps_to" ? (side.node(to)?.identity.value ?? []) : []));
  return originals.length === 0 ? undefined : [...new Set(originals)].sort().join("\n");
}

function fingerprint(node: ApplicationNode, name: "code_sha256" | "structure_sha256"): string | undefined {
  return numberProperty(node, "syntax_nodes") < fewestNodes ? undefined : digestProperty(node, name);
}

/** What a node is for, apart from where it stands. */
function semanticKey(node: ApplicationNode, side: GraphSide): string | undefined {
  const { kind, name } = node;
  if (files.has(kind)) return withoutHashes(name);
  switch (kind) {
    case "artifact":
      return side.isRoot(node.node_id) ? "root" : withoutHashes(name);
    case "package":
      return `${name} ${String(node.properties["external"] === true)}`;
    case "javascript-chunk":
      return `${textProperty(node, "bundler") ?? ""} ${name}`;
    case "browser-window":
    case "unknown":
      return `${name} ${withoutHashes(pathOf(node))}`;
    case "endpoint":
      return `${textProperty(node, "method") ?? ""} ${name} ${String(node.properties["route"] === true)}`;
    case "ipc-handler":
      return `${name} ${textProperty(node, "method") ?? ""}`;
    case "native-addon":
      return name.slice(name.lastIndexOf("/") + 1);
    default:
      return name;
  }
}

/** The file that shows a node. */
function pathOf({ observations: [first] }: ApplicationNode): string {
  return first?.artifact.state === "available" ? first.artifact.path : "";
}

/** `index-4f3a2b1c.js` and `main.4f3a2b1c9d.chunk.js` without what changes with every build. */
export function withoutHashes(path: string): string {
  return path.replace(/([.\-_])(?=[A-Za-z0-9_-]{0,31}\d)[A-Za-z0-9_-]{8,32}(?=\.)/gu, "$1*");
}
