import type { CatalogueEntry } from "./catalogue.js";
import type { JsonSchema } from "./json-schema.js";

/** Limits of contract 02 §2, in bytes of UTF-8 JSON and characters. */
export const catalogueLimits = {
  replyBytes: 160_000,
  toolBytes: 8192,
  titleLength: 64,
  descriptionLength: 400,
  fieldDescriptionLength: 80,
  inputDepth: 6,
} as const;

const keywords = new Set([
  "type",
  "description",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "default",
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
]);

/** Everything in the catalogue that breaks the schema discipline, one sentence each; empty when it is clean. */
export function catalogueViolations(entries: readonly CatalogueEntry[]): string[] {
  const found = entries.flatMap((entry) => entryViolations(entry).map((text) => `${entry.name}: ${text}`));
  const bytes = jsonBytes({ tools: entries });
  if (bytes > catalogueLimits.replyBytes) found.push(`the whole reply has ${String(bytes)} bytes`);
  const names = entries.map((entry) => entry.name);
  if (new Set(names).size < names.length) found.push("two tools share a name");
  return found;
}

function entryViolations(entry: CatalogueEntry): string[] {
  const found: string[] = [];
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(entry.name)) found.push("the name is not of the form [a-z][a-z0-9_]*");
  if (entry.title.length > catalogueLimits.titleLength) found.push("the title is too long");
  if (entry.description.length > catalogueLimits.descriptionLength) found.push("the description is too long");
  const bytes = jsonBytes(entry);
  if (bytes > catalogueLimits.toolBytes) found.push(`it has ${String(bytes)} bytes`);
  if (entry.inputSchema.type !== "object") found.push("the input is not an object at its root");
  if (entry.outputSchema.type !== "object") found.push("the output is not an object at its root");
  return [...found, ...schemaViolations(entry.inputSchema, "input", 1)];
}

function schemaViolations(schema: JsonSchema, at: string, depth: number): string[] {
  const found = Object.keys(schema)
    .filter((keyword) => !keywords.has(keyword))
    .map((keyword) => `${at} uses ${keyword}`);
  if (isContainer(schema) && depth > catalogueLimits.inputDepth) found.push(`${at} is nested deeper than allowed`);
  found.push(...textViolations(schema, at));
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    found.push(...schemaViolations(property, `${at}.${key}`, isContainer(property) ? depth + 1 : depth));
  }
  const { items } = schema;
  if (items !== undefined) found.push(...schemaViolations(items, `${at}[]`, isContainer(items) ? depth + 1 : depth));
  return found;
}

function textViolations(schema: JsonSchema, at: string): string[] {
  const found: string[] = [];
  const { description, pattern } = schema;
  if ((description?.length ?? 0) > catalogueLimits.fieldDescriptionLength) found.push(`${at} has a long description`);
  if (pattern !== undefined && !(pattern.startsWith("^") && pattern.endsWith("$"))) found.push(`${at} has a loose pattern`);
  if (pattern !== undefined && /\(\?<?[=!]/.test(pattern)) found.push(`${at} has a look-around`);
  if (schema.enum?.some((value) => typeof value !== "string") === true) found.push(`${at} has an enum of non-strings`);
  // An object with named members is closed; only an Evidence input is open.
  const closed = schema.additionalProperties === false || Object.keys(schema.properties ?? {}).join() === "evidence_id";
  if (schema.properties !== undefined && !closed) found.push(`${at} accepts unknown keys`);
  if (Array.isArray(schema.type)) found.push(`${at} has several types`);
  if (schema.type === undefined && schema.enum === undefined) found.push(`${at} has no type`);
  return found;
}

function isContainer(schema: JsonSchema): boolean {
  return schema.type === "object" || schema.type === "array";
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
