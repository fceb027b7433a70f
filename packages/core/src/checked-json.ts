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
  return copyValue(value, 0, { bounds, sorts: false, nodes: 0, isSorted: false });
}

/**
 * As `checkedJson`, with the members of every object in the order of their keys by UTF-16 code unit. `isSorted` is false
 * when an object has whole numbers for keys, which the language puts before all others.
 */
export function sortedJson(value: unknown, bounds: JsonBounds): { readonly json: JsonValue; readonly isSorted: boolean } {
  const walk = { bounds, sorts: true, nodes: 0, isSorted: true };
  return { json: copyValue(value, 0, walk), isSorted: walk.isSorted };
}

/** Own enumerable members of a plain object, without the undefined ones; refuses class instances. */
export function plainEntries(value: object): [string, unknown][] {
  requirePlain(value);
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

function requirePlain(value: object): asserts value is Members {
  const prototype: unknown = Object.getPrototypeOf(value);
  // A plain object inherits from null or from a prototype that inherits from nothing (also one of another realm).
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw notJson();
}

interface Members {
  readonly [key: string]: unknown;
}

interface Walk {
  readonly bounds: JsonBounds;
  readonly sorts: boolean;
  nodes: number;
  isSorted: boolean;
}

function isWholeNumber(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 0x30 && first <= 0x39 && /^[0-9]+$/.test(key);
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
  requirePlain(value);
  const copy: { [key: string]: JsonValue } = {};
  for (const key of keysOf(value, walk)) {
    const member = value[key];
    if (member === undefined) continue;
    const json = copyValue(member, depth, walk);
    // Assigned, this one would be the prototype instead of a member.
    if (checkedText(key, walk.bounds) === "__proto__") Object.defineProperty(copy, key, { value: json, enumerable: true, configurable: true, writable: true });
    else copy[key] = json;
  }
  return copy;
}

function keysOf(value: Members, walk: Walk): readonly string[] {
  const keys = Object.keys(value);
  if (!walk.sorts) return keys;
  if (keys.some(isWholeNumber)) walk.isSorted = false;
  return keys.sort();
}

function notJson(): Error {
  return evidenceRefusal("non_canonical", "A value has no JSON form.", { constraint: "json_type" });
}
