import { coverageOf } from "@rea/core";
import { addElectron } from "./electron-nodes.js";
import { addFacts } from "./fact-nodes.js";
import { addFiles } from "./file-nodes.js";
import { GraphBuilder } from "./graph-builder.js";
import type { GraphInput } from "./graph-input.js";
import { addImports } from "./import-edges.js";
import { addModules } from "./module-nodes.js";
import { writeGraph } from "./graph-text.js";
import { NodePlaces } from "./node-places.js";
import { addOriginals } from "./original-nodes.js";
import { addPackages } from "./package-nodes.js";
import { addRoutes } from "./route-nodes.js";

/** The graph of a linked application, written, and where its files and modules are in it. */
export function buildApplicationGraph(input: GraphInput) {
  const builder = new GraphBuilder(input.limits);
  const places = new NodePlaces(input.application, builder);
  const rootId = addFiles(input, places);
  addPackages(input, places);
  addModules(input.application, places);
  addImports(input.application, places);
  addOriginals(input.application, places);
  addFacts(input.application, places);
  addRoutes(input.application, places);
  addElectron(input.electron, places);
  const { nodes, edges, omissions } = builder.finish();
  const coverage = coverageOf([...input.omissions, ...omissions]);
  const graph = writeGraph({ root_node_ids: rootId === undefined ? [] : [rootId], nodes, edges, coverage, limitations: [...input.limitations] });
  return { graph, coverage, places };
}
