export {
  defineTool,
  toolFamilies,
  type Produced,
  type TargetKind,
  type Tool,
  type ToolCommand,
  type ToolContext,
  type ToolDefinition,
  type ToolExample,
  type ToolFamily,
  type ToolMode,
  type ToolOutcome,
} from "./define-tool.js";
export { annotationsOf, effectClasses, titleOf, type ToolAnnotations, type ToolEffects } from "./effects.js";
export type { ConnectionInfo, ToolHost, ToolReply, ToolService, ToolSuccess } from "./host.js";
export { invoke, parseInput, type InvokeOptions } from "./invoke.js";
export { toCatalogue, toCatalogueEntry, type CatalogueEntry } from "./catalogue.js";
export { catalogueLimits, catalogueViolations } from "./catalogue-discipline.js";
export { inputFromArguments, toCommandLine, type CommandArgument, type CommandLine } from "./command-line.js";
export { toMarkdown, toolSection } from "./markdown.js";
export { parseFreeForm, type FreeFormPlace } from "./free-form-input.js";
export { inputSchemaOf } from "./input-schema.js";
export type { JsonSchema } from "./json-schema.js";
export { parseCatalogue } from "./parse-catalogue.js";
