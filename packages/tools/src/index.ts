export { tools } from "./catalog.js";
export { frontPage, type FrontPage, type FrontPageInput } from "./front-page/front-page.js";
export { mayBeApplication } from "./javascript/is-application.js";
export type { Linkage } from "./front-page/linkage.js";
export type { NextCommand } from "./front-page/next-commands.js";
export type { SectionRow } from "./front-page/section-rows.js";
export type { TellingImports } from "./front-page/grouped-imports.js";
export { overviewResult, type Overview } from "./enhanced/overview-result.js";
export { uiTraceResult, type UiTrace } from "./enhanced/ui-action/ui-trace-result.js";
