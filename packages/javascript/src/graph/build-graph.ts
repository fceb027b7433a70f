import { coverageOf, sealApplicationGraph, type Omission } from "@rea/core";
import type { LinkedElectron } from "../link/electron.js";
import type { LinkedApplication } from "../link/linked-application.js";
import type { IdentifiedPackage } from "../link/packages.js";
import { addElectron } from "./electron-nodes.js";
import { addFacts } from "./fact-nodes.js";
import { addFiles } from "./file-nodes.js";
import { GraphBuilder, type GraphLimits } from "./graph-builder.js";
import { addImports } from "./import-edges.js";
import { addModules } from "./module-nodes.js";
import { NodePlaces } from "./node-places.js";
import { addOriginals } from "./original-nodes.js";
import { addPackages } from "./package-nodes.js";

export interface GraphInput {
  readonly application: LinkedApplication;
  readonly electron: LinkedElectron;
  readonly packages: readonly IdentifiedPackage[];
  readonly root: { readonly sha256: string | null; readonly format: string; readonly name: string };
  readonly omissions: readonly Omission[];
  readonly limitations: readonly string[];
  readonly limits?: GraphLimits;
}

/** The graph of a linked application, sealed. */
export function buildApplicationGraph(input: GraphInput) {
  const builder = new GraphBuilder(input.limits);
  const places = new NodePlaces(input.application, builder);
  const rootId = addFiles(input, places);
  addPackages(input, places);
  addModules(input.application, places);
  addImports(input.application, places);
  addOriginals(input.application, places);
  addFacts(input.application, places);
  addElectron(input.electron, places);
  const { nodes, edges, omissions } = builder.finish();
  return sealApplicationGraph({
    root_node_ids: rootId === undefined ? [] : [rootId],
    nodes,
    edges,
    coverage: coverageOf([...input.omissions, ...omissions]),
    limitations: [...input.limitations],
  }, { isCanonical: true });
}
