export { defaultLimits, limitRanges, limitsWith, type ArtifactLimits } from "./limits.js";
export { artifactOfBytes, openArtifact, type Artifact } from "./open-artifact.js";
export { inventory, members, type IntegrityPolicy, type InventoryOptions, type Member } from "./inventory.js";
export type { Anomaly, AnomalyKind } from "./graph/anomaly.js";
export type { ArtifactGraph, ArtifactKind, ArtifactNode, Edge, HashStatus, IntegrityContradiction, Inventory, Manifest, Occurrence, Trust } from "./graph/graph.js";
