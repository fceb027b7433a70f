/** What the two traces through an analysed application are asked and answer. */
export * from "./javascript-trace-feature.js";
export * from "./javascript-trace-semantics.js";
export * from "./javascript-trace-words.js";
