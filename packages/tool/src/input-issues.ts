import { isAbsolute } from "node:path";

import { escapeUntrusted, truncateCodePoints, type InputIssue, type z } from "@rea/core";
import { isEvidenceSchema } from "./input-schema.js";
import type { JsonSchema } from "./json-schema.js";

type ZodIssue = z.core.$ZodIssue;

const maximumIssues = 32;
const maximumPathLength = 200;

/**
 * The issues of a rejected input in the words of the contract: where, what is wrong, what is expected.
 * Never repeats a value the caller gave. At most 32 issues.
 */
export function inputIssues(error: z.ZodError, input: unknown, schema: JsonSchema): InputIssue[] {
  return error.issues.flatMap((issue) => issuesOf(issue, input, schema, [])).slice(0, maximumIssues);
}

/**
 * Own keys named `__proto__`, which the validator passes over in silence although JSON text can hold them: unknown
 * arguments wherever the schema says what an object holds. Records of Evidence are read by rules of their own.
 */
export function hiddenKeyIssues(input: unknown, schema: JsonSchema): InputIssue[] {
  return hiddenKeysAt(input, schema, []).slice(0, maximumIssues);
}

function hiddenKeysAt(value: unknown, schema: JsonSchema, path: readonly PropertyKey[]): InputIssue[] {
  if (typeof value !== "object" || value === null || isEvidenceSchema(schema)) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((item: unknown, index) => hiddenKeysAt(item, items, [...path, index]));
  }
  const properties = Object.entries(schema.properties ?? {});
  const own = Object.hasOwn(value, "__proto__") ? [unknownKey([...path, "__proto__"], properties.map(([key]) => key).sort())] : [];
  const below = properties.flatMap(([key, inner]) =>
    Object.hasOwn(value, key) ? hiddenKeysAt(Reflect.get(value, key), inner, [...path, key]) : [],
  );
  return [...own, ...below];
}

function issuesOf(issue: ZodIssue, input: unknown, schema: JsonSchema, base: readonly PropertyKey[]): InputIssue[] {
  const path = [...base, ...issue.path];
  if (issue.code !== "unrecognized_keys" && isMissing(input, path)) return [missing(path, schema)];
  const at = pathText(path);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownKey([...path, key], keysAt(schema, path)));
    case "invalid_type":
      return [{ path: at, reason: "invalid_type", expected: issue.expected === "int" ? "integer" : issue.expected }];
    case "too_big":
      return [{ path: at, reason: "out_of_range", expected: measured(issue.origin), maximum: Number(issue.maximum) }];
    case "too_small":
      return [{ path: at, reason: "out_of_range", expected: measured(issue.origin), minimum: Number(issue.minimum) }];
    case "not_multiple_of":
      return [{ path: at, reason: "invalid_value", expected: `a multiple of ${String(issue.divisor)}` }];
    case "invalid_format":
      return [{ path: at, reason: "invalid_format", expected: expectedFormat(issue) }];
    case "invalid_value":
      return [{ path: at, reason: "invalid_value", expected: issue.values.map(String).join(", ") }];
    case "invalid_union":
      return unionIssues(issue, { input, schema, path });
    case "invalid_key":
    case "invalid_element":
      return issue.issues.length === 0
        ? [{ path: at, reason: "invalid_value" }]
        : issue.issues.flatMap((inner) => issuesOf(inner, input, schema, path));
    case "custom":
      return [{ path: at, reason: "invalid_value", expected: issue.message }];
  }
}

interface UnionPlace {
  readonly input: unknown;
  readonly schema: JsonSchema;
  readonly path: readonly PropertyKey[];
}

/** The branch with the fewest issues is the one the caller most likely meant. */
function unionIssues(issue: z.core.$ZodIssueInvalidUnion, place: UnionPlace): InputIssue[] {
  const [best] = [...issue.errors].sort((a, b) => a.length - b.length);
  if (best === undefined || best.length === 0) return [{ path: pathText(place.path), reason: "invalid_value" }];
  return best.flatMap((inner) => issuesOf(inner, place.input, place.schema, place.path));
}

function missing(path: readonly PropertyKey[], schema: JsonSchema): InputIssue {
  const type = schemaAt(schema, path)?.type;
  const issue: InputIssue = { path: pathText(path), reason: "missing_argument" };
  return typeof type === "string" ? { ...issue, expected: type } : issue;
}

function unknownKey(path: readonly PropertyKey[], validKeys: readonly string[]): InputIssue {
  return { path: pathText(path), reason: "unknown_argument", expected: validKeys.join(", "), valid_keys: validKeys };
}

function measured(origin: string): string {
  switch (origin) {
    case "string":
      return "length in characters";
    case "array":
    case "set":
      return "number of items";
    default:
      return origin === "int" ? "integer" : origin;
  }
}

/** A refinement's own message says it best; a bare pattern is shown as it is. */
function expectedFormat(issue: z.core.$ZodIssueInvalidStringFormat): string {
  if (!issue.message.startsWith("Invalid")) return issue.message;
  return issue.pattern ?? issue.format;
}

/** True when the caller gave nothing at this place although its parent is there. */
function isMissing(input: unknown, path: readonly PropertyKey[]): boolean {
  let value: unknown = input;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return false;
    value = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
  }
  return value === undefined;
}

function keysAt(schema: JsonSchema, path: readonly PropertyKey[]): readonly string[] {
  return Object.keys(schemaAt(schema, path)?.properties ?? {}).sort();
}

function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  let place: JsonSchema | undefined = schema;
  for (const key of path) {
    if (place === undefined) return undefined;
    place = typeof key === "number" ? place.items : place.properties?.[String(key)];
  }
  return place;
}

/** `names.0.address`; the whole input is the empty path. Keys come from the caller, so they are escaped and cut. */
function pathText(path: readonly PropertyKey[]): string {
  return escapeUntrusted(truncateCodePoints(path.map(String).join("."), maximumPathLength).text);
}

/** Path fields must hold absolute local paths: no `~`, no scheme, no NUL (contract 02 §4). */
export function pathIssues(input: { readonly [field: string]: unknown }, fields: readonly string[]): InputIssue[] {
  return fields
    .filter((field) => typeof input[field] === "string" && !isLocalPath(input[field]))
    .map((field) => ({ path: field, reason: "invalid_format", expected: "an absolute local path" }) as const);
}

function isLocalPath(text: string): boolean {
  return isAbsolute(text) && !text.includes("\0");
}
