import { escapeUntrusted, isJsonObject, jsonObject, type Evidence, type JsonObject, type JsonValue } from "@rea/core";
import type { UnrepeatedReason } from "./again-input.js";

export type AgainVerdict =
  | { readonly verdict: "confirmed" }
  | { readonly verdict: "contradicted"; /** JSON pointer into the record to the first difference. */ readonly place: string }
  | { readonly verdict: "not_rederivable"; readonly reason: UnrepeatedReason };

/** What a record made again says of the record that a bundle holds. */
export function judgeAgain(held: Evidence, again: Evidence): AgainVerdict {
  if (held.evidence_id === again.evidence_id) return { verdict: "confirmed" };
  if (differs(held.provider, again.provider) || differs(held.analysis_profile, again.analysis_profile)) return { verdict: "not_rederivable", reason: "other_producer" };
  if (held.subject?.digest.sha256 !== again.subject?.digest.sha256) return { verdict: "not_rederivable", reason: "other_target" };
  if (differs(held.parameters, again.parameters)) return { verdict: "not_rederivable", reason: "other_parameters" };
  const place = firstDifference(comparable(held), comparable(again), "");
  return place === undefined ? { verdict: "confirmed" } : { verdict: "contradicted", place: escapeUntrusted(place) };
}

function differs(left: unknown, right: unknown): boolean {
  return firstDifference(jsonObject.parse({ left }), jsonObject.parse({ left: right }), "") !== undefined;
}

/** What an id covers, without who cited records come from: imported records are the same ones. */
function comparable(record: Evidence): JsonObject {
  const { evidence_id: _id, subject, normalized_result: result, ...rest } = record;
  const identity = subject === null ? null : { digest: subject.digest, format: subject.format, architecture: subject.architecture };
  return jsonObject.parse({ ...rest, subject: identity, normalized_result: withoutOrigins(result) });
}

function withoutOrigins(result: JsonValue): JsonValue {
  if (!isJsonObject(result)) return result;
  const { cited_records: _cited, imported_evidence_ids: _imported, ...rest } = result;
  return rest;
}

/** JSON pointer to the first place where two values differ, keys in the order of the left. */
function firstDifference(left: JsonValue | undefined, right: JsonValue | undefined, place: string): string | undefined {
  if (left === right) return undefined;
  const [before, after] = [members(left), members(right)];
  if (before === undefined || after === undefined || Array.isArray(left) !== Array.isArray(right)) return place;
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const inside = firstDifference(before.get(key), after.get(key), `${place}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function members(value: JsonValue | undefined): ReadonlyMap<string, JsonValue> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return new Map(Object.entries(value));
}
