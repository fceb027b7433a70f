export { debugInformation, type DebugGlobal, type DebugInformation } from "./debug-information.js";
export type * from "./debug-type.js";
