export { FunctionAnalyzer } from "./pipeline/analyze.js";
export { decompileFunction, type DecompiledFunction } from "./pipeline/decompile.js";
export { renderFile } from "./pipeline/render.js";
export { ProgramView } from "./program/program-view.js";
export { headerText } from "./header/header-text.js";
