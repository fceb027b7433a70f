export { asciicast } from "./asciicast.js";
export { artifactDocument } from "./artifact-document.js";
export { harText, type HarCreator } from "./har.js";
export type { InspectedArtifact } from "./inspected-artifact.js";
export { callGraphSchema, callsGraph, controlFlowGraph } from "./graph/function-graphs.js";
export { graphDocument } from "./graph/graph-document.js";
export { graphFormats, type GraphFormat, type GraphModel } from "./graph/graph-model.js";
export { reportPage, type ReportInput } from "./page/report-page.js";
