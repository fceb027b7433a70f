export { changedRanges, type ChangedRange, type ChangedRanges, type RangeOptions } from "./changed-ranges.js";
export { unifiedDifference, type TextSides } from "./unified-difference.js";
