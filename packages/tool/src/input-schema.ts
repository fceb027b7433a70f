import type { Tool } from "./define-tool.js";
import { toInputSchema, type JsonSchema } from "./json-schema.js";

const known = new WeakMap<object, JsonSchema>();

/** The tool's input as JSON Schema, computed once. */
export function inputSchemaOf(tool: Pick<Tool, "input">): JsonSchema {
  const present = known.get(tool.input);
  if (present !== undefined) return present;
  const schema = toInputSchema(tool.input);
  known.set(tool.input, schema);
  return schema;
}

/** True for the schema of an Evidence input: the full record or `{evidence_id}` (contract 01 §4). */
export function isEvidenceSchema(schema: JsonSchema): boolean {
  const keys = Object.keys(schema.properties ?? {});
  return keys.length === 1 && keys[0] === "evidence_id" && schema.additionalProperties !== false;
}
