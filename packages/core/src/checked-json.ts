import { evidenceRefusal } from "./evidence-refusal.js";
import { checkedNumber, checkedText, jsonBounds, refuseBound, type JsonBounds } from "./json-bounds.js";
import type { JsonObject, JsonValue } from "./json.js";

/**
 * A detached copy that is certainly JSON: plain objects, arrays, well-formed strings, safe integers, booleans, null.
 * `-0` becomes `0`, members that are `undefined` are left out as JSON does, and keys such as `__proto__` stay members.
 *
 * Throws `evidence_integrity_mismatch` (`bounds`, `number_out_of_range`, `non_canonical_text`, `non_canonical`).
 * The recursion is bounded by `bounds.depth`, which also stops cycles.
 */
export function checkedJson(value: unknown, bounds: JsonBounds = jsonBounds): JsonValue {
  return copyValue(value, 0, { bounds, nodes: 0 });
}

/** Own enumerable members of a plain object, without the undefined ones; refuses class instances. */
export function plainEntries(value: object): [string, unknown][] {
  const prototype: unknown = Object.getPrototypeOf(value);
  // A plain object inherits from null or from a prototype that inherits from nothing (also one of another realm).
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw notJson();
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

interface Walk {
  readonly bounds: JsonBounds;
  nodes: number;
}

function copyValue(value: unknown, depth: number, walk: Walk): JsonValue {
  walk.nodes += 1;
  if (walk.nodes > walk.bounds.nodes) refuseBound("nodes", walk.bounds);
  if (typeof value === "string") return checkedText(value, walk.bounds);
  if (typeof value === "number") return checkedNumber(value);
  if (typeof value === "boolean" || value === null) return value;
  if (typeof value !== "object") throw notJson();
  if (depth === walk.bounds.depth) refuseBound("depth", walk.bounds);
  return Array.isArray(value) ? copyArray(value, depth + 1, walk) : copyObject(value, depth + 1, walk);
}

function copyArray(value: readonly unknown[], depth: number, walk: Walk): JsonValue[] {
  return Array.from(value, (item) => copyValue(item, depth, walk));
}

function copyObject(value: object, depth: number, walk: Walk): JsonObject {
  const entries = plainEntries(value).map(([key, member]): [string, JsonValue] => [
    checkedText(key, walk.bounds),
    copyValue(member, depth, walk),
  ]);
  // fromEntries defines members, so "__proto__" stays an own key.
  return Object.fromEntries(entries);
}

function notJson(): Error {
  return evidenceRefusal("non_canonical", "A value has no JSON form.", { constraint: "json_type" });
}
