import { isAbsolute } from "node:path";

import { escapeUntrusted, truncateCodePoints, type InputIssue, type z } from "@rea/core";
import { isEvidenceSchema } from "./input-schema.js";
import type { JsonSchema } from "./json-schema.js";
import { schemaAt, variantOf, variantsOf } from "./schema-place.js";

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

function hiddenKeysAt(value: unknown, declared: JsonSchema, path: readonly PropertyKey[]): InputIssue[] {
  const schema = variantOf(declared, value);
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
  if (issue.code !== "unrecognized_keys" && isMissing(input, path)) return [missing(path, { input, schema })];
  const at = pathText(path);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownKey([...path, key], keysAt(schema, path, input)));
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
  if (best === undefined || best.length === 0) return [{ path: pathText(place.path), reason: "invalid_value", ...expectedOf(place) }];
  return best.flatMap((inner) => issuesOf(inner, place.input, place.schema, place.path));
}

/** What the key that tells variants apart may be. */
function expectedOf({ input, schema, path }: UnionPlace): Pick<InputIssue, "expected"> {
  const key = path.at(-1);
  const owner = schemaAt(schema, path.slice(0, -1), { value: input, declared: true });
  const kinds = variantsOf(owner).flatMap(({ properties }) => properties?.[String(key)]?.const ?? []);
  return kinds.length === 0 ? {} : { expected: kinds.map(String).join(", ") };
}

function missing(path: readonly PropertyKey[], { input, schema }: Pick<UnionPlace, "input" | "schema">): InputIssue {
  const type = schemaAt(schema, path, { value: input })?.type;
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

function keysAt(schema: JsonSchema, path: readonly PropertyKey[], input: unknown): readonly string[] {
  return Object.keys(schemaAt(schema, path, { value: input })?.properties ?? {}).sort();
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
