import { compareCodePoints } from "@rea/core";
import type { Tool } from "./define-tool.js";
import { annotationsOf, type ToolAnnotations } from "./effects.js";
import { inputSchemaOf } from "./input-schema.js";
import { resultTypes, type JsonSchema } from "./json-schema.js";

/** One entry of the `tools/list` reply. */
export interface CatalogueEntry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: ToolAnnotations;
}

/** A tool as `tools/list` shows it. The output schema declares only the envelope (contract 02 §2). */
export function toCatalogueEntry(tool: Tool): CatalogueEntry {
  const annotations = annotationsOf(tool.name, tool.effects);
  return {
    name: tool.name,
    title: annotations.title,
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    outputSchema: envelopeOf(tool),
    annotations,
  };
}

/** The exact `tools` array of the `tools/list` reply: sorted by name, the same on every host and in every state. */
export function toCatalogue(tools: readonly Tool[]): CatalogueEntry[] {
  return [...tools].sort((a, b) => compareCodePoints(a.name, b.name)).map(toCatalogueEntry);
}

function envelopeOf(tool: Tool): JsonSchema {
  const result = { type: resultTypes(tool.output) };
  if (!tool.evidence) return { type: "object", properties: { result }, required: ["result"] };
  return {
    type: "object",
    properties: { result, evidence_id: { type: "string" }, evidence: { type: "object" } },
    required: ["result", "evidence_id", "evidence"],
  };
}
