import { isJsonObject, type JsonObject, type JsonValue } from "@rea/core";
import type { Produced, Tool } from "./define-tool.js";
import { inputSchemaOf, isEvidenceSchema } from "./input-schema.js";
import type { JsonSchema } from "./json-schema.js";

/**
 * `parameters` of a record: the parsed input with the session's defaults over it, every path field (given or defaulted)
 * as `{sha256}` of what was read, every Evidence input as `{evidence_id}`. So a moved file, another working directory
 * and a record given in full or by reference all lead to the same id.
 */
export function evidenceParameters(tool: Tool, input: JsonObject, produced: Produced): JsonObject {
  const schema = inputSchemaOf(tool);
  const reduced = Object.entries(input).map(([key, value]) => entry(key, reduce(value, schema.properties?.[key])));
  const digests = (tool.paths ?? []).map((field) => entry(field, { sha256: digestOf(field, produced) }));
  return Object.fromEntries([...reduced, ...Object.entries(produced.resolved_parameters), ...digests]);
}

function entry(key: string, value: JsonValue): [string, JsonValue] {
  return [key, value];
}

function digestOf(field: string, produced: Produced): string | null {
  const digest = produced.path_digests?.[field];
  return digest === undefined ? (produced.subject?.digest.sha256 ?? null) : digest;
}

function reduce(value: JsonValue, schema: JsonSchema | undefined): JsonValue {
  if (schema === undefined) return value;
  if (isJsonArray(value)) return value.map((item) => reduce(item, schema.items));
  if (!isJsonObject(value)) return value;
  if (isEvidenceSchema(schema)) return { evidence_id: value["evidence_id"] ?? null };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => entry(key, reduce(item, schema.properties?.[key]))));
}

function isJsonArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
