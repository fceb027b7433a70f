export { defaultLimits, limitRanges, limitsWith, type ArtifactLimits } from "./limits.js";
export { artifactOfBytes, openArtifact, type Artifact } from "./open-artifact.js";
export { inventory, members, type IntegrityPolicy, type InventoryOptions, type Member } from "./inventory.js";
export type { Anomaly, AnomalyKind } from "./graph/anomaly.js";
export type { ArtifactGraph, ArtifactKind, ArtifactNode, Edge, HashStatus, IntegrityContradiction, Inventory, Manifest, Occurrence, Trust } from "./graph/graph.js";
export { extract, type ExtractedFile, type Extraction, type ExtractOptions } from "./extract/extract.js";
export type { SkipReason } from "./extract/member-writer.js";
export { compare, comparedDimensions, type ArtifactChange, type ArtifactComparison, type ChangeState, type ComparedInventory, type ComparedDimension } from "./compare/compare.js";
export { inspection } from "./inspection.js";
