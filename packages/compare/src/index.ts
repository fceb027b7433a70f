export { changedRanges, type ChangedRange, type ChangedRanges, type RangeOptions } from "./changed-ranges.js";
export { unifiedDifference, type TextSides } from "./unified-difference.js";
export { compareFunctions } from "./functions/compare-functions.js";
export { findChangedBehavior } from "./behavior/changed-behavior.js";
export { correlate, type CorrelationInput } from "./behavior/correlate.js";
export { runtimeComparisons, staticComparisons } from "./readings/comparison-reading.js";
export { buildCallPath, type CallPathInput } from "./call-path/build-call-path.js";
export { referenced, verifyReconstruction, type ReconstructionGround } from "./reconstruction/verify-reconstruction.js";
export { compareBundles, type BundleContents, type BundledRecord } from "./bundles/compare-bundles.js";
