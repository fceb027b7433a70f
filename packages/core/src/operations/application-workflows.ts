/** What the workflows over analysed applications are asked and answer. */
export * from "./application-export-shapes.js";
export * from "./application-runtime-reconciliation.js";
export * from "./application-source-comparison.js";
export * from "./application-source-reference.js";
export * from "./application-version-comparison.js";
