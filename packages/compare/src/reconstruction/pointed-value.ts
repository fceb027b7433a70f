import { isJsonObject, type Evidence, type JsonValue } from "@rea/core";

/** A place in a record, and whether the record holds everything there. */
export interface PointedValue {
  readonly value: JsonValue;
  /** Why the place is not complete; undefined when it is. */
  readonly incomplete: string | undefined;
}

export type WholeOf = (sha256: string) => object | undefined;

/**
 * The value at a JSON pointer (RFC 6901) of a record's result; undefined when there is none. Where the result only commits to
 * a whole by digest, the pointer goes on in the whole that is retained.
 */
export function pointedValue(record: Evidence, pointer: string, wholeOf: WholeOf): PointedValue | undefined {
  const tokens = pointer === "" ? [] : pointer.slice(1).split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  const result = record.normalized_result;
  let at: JsonValue = result;
  let incomplete = incompleteness(result);
  for (const token of tokens) {
    if (isJsonObject(at) && at[`${token}_truncated`] === true) incomplete = `${token} is cut`;
    const next: JsonValue | undefined = memberOf(at, token) ?? memberOf(wholeBehind(at, wholeOf), token);
    if (next === undefined) return undefined;
    const said = incompleteness(next);
    // What is said nearer to the place holds: a complete page in a record that leaves something else out is complete.
    if (said !== undefined || statesCoverage(next)) incomplete = said;
    at = next;
  }
  return { value: at, incomplete };
}

function memberOf(value: JsonValue | undefined, token: string): JsonValue | undefined {
  if (value === undefined) return undefined;
  if (isList(value)) return /^(?:0|[1-9]\d*)$/u.test(token) ? value[Number(token)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

/** The whole that an object stands for: it names its digest, and the whole is retained. */
function wholeBehind(value: JsonValue, wholeOf: WholeOf): JsonValue | undefined {
  if (!isJsonObject(value)) return undefined;
  for (const key of ["graph_sha256", "sha256"]) {
    const digest = value[key];
    const content = typeof digest === "string" ? wholeOf(digest) : undefined;
    if (content !== undefined && isJson(content)) return content;
  }
  return undefined;
}

/** Wholes are canonical JSON by construction. */
function isJson(content: object): content is { readonly [key: string]: JsonValue } {
  return !Array.isArray(content);
}

function statesCoverage(value: JsonValue): boolean {
  return isJsonObject(value) && (isJsonObject(value["coverage"]) || typeof value["truncated"] === "boolean" || typeof value["state"] === "string");
}

/** What an object says of its own completeness. */
function incompleteness(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const coverage = value["coverage"];
  if (isJsonObject(coverage) && coverage["state"] !== "complete") return "its coverage is not complete";
  if (value["truncated"] === true || value["has_more"] === true) return "it is cut";
  if (value["state"] === "unavailable") return "it is unavailable";
  const { offset, total, items } = value;
  if (typeof offset === "number" && offset > 0) return "it does not begin at its start";
  if (isList(items) && typeof total === "number" && items.length < total) return "it is one page of more";
  return undefined;
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
