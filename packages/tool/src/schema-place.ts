import type { JsonSchema } from "./json-schema.js";

/** Variants of an object that a schema allows; the schema itself where it has none. */
export function variantsOf(schema: JsonSchema | undefined): readonly JsonSchema[] {
  if (schema === undefined) return [];
  const variants = schema.anyOf ?? schema.oneOf;
  return variants === undefined ? [schema] : variants.flatMap(variantsOf);
}

/**
 * The variant a value was meant to be: the one whose fixed members it has, among several the one with which it shares most
 * keys.
 */
export function variantOf(schema: JsonSchema, value: unknown): JsonSchema {
  const variants = variantsOf(schema).filter((variant) => fits(variant, value));
  const shared = (variant: JsonSchema): number => Object.keys(variant.properties ?? {}).filter((key) => hasOwn(value, key)).length;
  const [best] = [...variants].sort((a, b) => shared(b) - shared(a));
  return best ?? schema;
}

/** The schema of what stands at a path of an input; with `declared`, all the variants it may be. */
export function schemaAt(
  schema: JsonSchema,
  path: readonly PropertyKey[],
  given: { readonly value: unknown; readonly declared?: boolean },
): JsonSchema | undefined {
  let declared: JsonSchema | undefined = schema;
  let { value } = given;
  for (const key of path) {
    const place: JsonSchema = variantOf(declared, value);
    declared = typeof key === "number" ? place.items : place.properties?.[String(key)];
    value = hasOwn(value, key) ? Reflect.get(value, key) : undefined;
    if (declared === undefined) return undefined;
  }
  return given.declared === true ? declared : variantOf(declared, value);
}

function fits({ type, properties }: JsonSchema, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (type !== undefined && type !== (Array.isArray(value) ? "array" : "object")) return false;
  return Object.entries(properties ?? {}).every(([key, member]) => member.const === undefined || (hasOwn(value, key) && Reflect.get(value, key) === member.const));
}

function hasOwn(value: unknown, key: PropertyKey): value is object {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key);
}
