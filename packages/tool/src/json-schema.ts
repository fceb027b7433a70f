import { z } from "@rea/core";

/** The subset of JSON Schema that tool inputs use. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: { readonly [key: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Present only when a definition breaks the discipline; the gate refuses it. */
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** Words that say nothing a caller can use, or that repeat what another word says. */
const droppedKeywords = new Set(["$schema", "$id", "propertyNames", "title", "format", "~standard"]);

/** JSON Schema of an input as callers write it (before defaults and transforms), without useless keywords. */
export function toInputSchema(input: z.ZodType): JsonSchema {
  return cleaned(z.toJSONSchema(input, { io: "input", unrepresentable: "any", reused: "inline" }));
}

/** JSON Schema of what a result may be, for the reference. */
export function toResultSchema(output: z.ZodType): JsonSchema {
  return cleaned(z.toJSONSchema(output, { io: "output", unrepresentable: "any", reused: "inline" }));
}

/** The JSON types a result can have at its root; `object` when the schema does not say. */
export function resultTypes(output: z.ZodType): string | readonly string[] {
  const types = [...new Set(rootTypes(toResultSchema(output)))];
  const [only] = types;
  return types.length === 1 && only !== undefined ? only : types;
}

function rootTypes(schema: JsonSchema): readonly string[] {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return branches.flatMap(rootTypes);
  if (schema.type === undefined) return ["object"];
  return typeof schema.type === "string" ? [schema.type] : schema.type;
}

function cleaned(schema: unknown): JsonSchema {
  return jsonSchemaShape.parse(clean(schema, "schema"));
}

/** Anything that is a JSON object: the cleaning below decides what is in it, the gate judges it. */
const jsonSchemaShape = z.custom<JsonSchema>((value) => typeof value === "object" && value !== null);

type Place = "schema" | "properties" | "data";

function clean(value: unknown, place: Place): unknown {
  if (place === "data" || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => clean(item, place));
  const entries = Object.entries(value);
  if (place === "properties") return Object.fromEntries(entries.map(([key, item]) => [key, clean(item, "schema")]));
  return Object.fromEntries(
    entries.filter(([key, item]) => isUseful(key, item)).map(([key, item]) => [key, clean(item, placeOf(key))]),
  );
}

function placeOf(keyword: string): Place {
  if (keyword === "properties") return "properties";
  return ["items", "anyOf", "oneOf", "allOf"].includes(keyword) ? "schema" : "data";
}

function isUseful(keyword: string, value: unknown): boolean {
  if (droppedKeywords.has(keyword)) return false;
  // Every integer in public JSON is safe, so these bounds are no news.
  if (value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER) return false;
  if (keyword === "additionalProperties") return value === false;
  return !(keyword === "required" && Array.isArray(value) && value.length === 0);
}
