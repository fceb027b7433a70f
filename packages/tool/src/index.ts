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
