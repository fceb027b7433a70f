export { asciicast } from "./asciicast.js";
export { artifactDocument } from "./artifact-document.js";
export { harText, type HarCreator } from "./har.js";
export type { InspectedArtifact } from "./inspected-artifact.js";
