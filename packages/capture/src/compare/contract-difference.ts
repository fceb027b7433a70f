import { canonicalJson, isJsonObject, ReaError, type ComparisonContract, type JsonObject, type JsonValue } from "@rea/core";

/** Throws `invalid_request` naming the first field in which the comparison contracts of two captures differ. */
export function requireEqualContracts(left: ComparisonContract, right: ComparisonContract, operation: string): void {
  const path = firstDifference(left, right);
  if (path === undefined) return;
  const field = ["comparison_contract", ...path].join(".");
  throw new ReaError("invalid_request", {
    message: `The captures cannot be compared: their ${field} differs. Capture both with the same terminal, limits, normalisation, isolation and trace.`,
    details: { operation, issues: [{ path: field, reason: "invalid_value", expected: "the same in both captures" }] },
  });
}

function firstDifference(left: JsonValue, right: JsonValue): string[] | undefined {
  if (canonicalJson(left) === canonicalJson(right)) return undefined;
  if (!isJsonObject(left) || !isJsonObject(right)) return [];
  for (const key of [...new Set([...Object.keys(left), ...Object.keys(right)])].sort()) {
    const inner = differenceAt(left, right, key);
    if (inner !== undefined) return [key, ...inner];
  }
  return [];
}

function differenceAt(left: JsonObject, right: JsonObject, key: string): string[] | undefined {
  const [a, b] = [left[key], right[key]];
  if (a === undefined || b === undefined) return a === b ? undefined : [];
  return firstDifference(a, b);
}
