import { canonicalJson, escapeUntrusted, isJsonObject, truncateCodePoints, type ClaimVerdict, type Evidence, type JsonValue, type ReconstructionClaim } from "@rea/core";
import { readComparison, type ComparisonReading } from "../readings/comparison-reading.js";
import { isList, pointedValue, type WholeOf } from "./pointed-value.js";

export type Finding = Pick<ClaimVerdict, "status" | "reason" | "counter_fact"> & { readonly probe?: { readonly operation: string; readonly rationale: string } };
type Claim<K extends ReconstructionClaim["kind"]> = Extract<ReconstructionClaim, { kind: K }>;

/** Judges a claim on the record it cites. Only a certain counter-fact fails it; what is missing or partial settles nothing. */
export function verifyClaim(claim: ReconstructionClaim, record: Evidence, wholeOf: WholeOf): Finding {
  switch (claim.kind) {
    case "behavioral":
      return comparisonClaim(claim, record, "dynamic");
    case "structural":
      return comparisonClaim(claim, record, "static");
    case "value":
      return valueClaim(claim, record, wholeOf);
    case "presence":
    case "absence":
      return collectionClaim(claim, record, wholeOf);
  }
}

function comparisonClaim({ dimensions }: Claim<"behavioral" | "structural">, record: Evidence, nature: ComparisonReading["nature"]): Finding {
  const reading = readComparison(record);
  if (reading.nature !== nature) {
    return unknown(`A ${nature === "dynamic" ? "behavioral" : "structural"} claim needs a comparison of ${nature === "dynamic" ? "runs" : "code or files"}.`, probeOf(record.operation));
  }
  const changed = dimensions.find((name) => reading.stateOf(name) === "changed");
  if (changed !== undefined) {
    const counter_fact = counterFact(reading, changed);
    return { status: "fail", reason: `The dimension ${shown(changed)} differs.`, counter_fact };
  }
  // A name that the comparison does not know is a slip of the pen, not a part that is unchanged.
  const strange = dimensions.find((name) => name !== "status" && reading.stateOf(name) === "unchanged" && !reading.parts.some((part) => part.name === name));
  if (strange !== undefined) {
    const known = ["status", ...reading.parts.map(({ name }) => name)].join(", ");
    return unknown(`The comparison does not show ${shown(strange)}.`, { operation: "verify_reconstruction", rationale: `Name dimensions that the comparison has: ${known}.` });
  }
  const open = dimensions.find((name) => reading.stateOf(name) !== "unchanged");
  if (open === undefined) return pass(`Unchanged in ${String(dimensions.length)} named dimensions.`);
  const why = reading.stateOf(open) === "contradiction" ? "rests on inputs that contradict each other" : "is not settled by the comparison";
  return unknown(`The dimension ${shown(open)} ${why}.`, probeOf(record.operation));
}

/** What the original did and the copy did not, where the comparison shows it. */
function counterFact(reading: ComparisonReading, changed: string): ClaimVerdict["counter_fact"] {
  const difference = reading.differenceOf(changed);
  if (difference === undefined) return { place: reading.placeOf(changed), expected: "unchanged", actual: "changed" };
  return { place: difference.place, expected: excerpt(difference.left ?? "nothing"), actual: excerpt(difference.right ?? "nothing") };
}

function valueClaim({ pointer, equals }: Claim<"value">, record: Evidence, wholeOf: WholeOf): Finding {
  const wanted = jsonText(equals);
  if (wanted === undefined) return unknown("equals is not the text of a JSON value.", { operation: "verify_reconstruction", rationale: "Write equals as JSON, strings in quotes." });
  const found = pointedValue(record, pointer, wholeOf);
  if (found === undefined) return unknown("The record has nothing at the pointer.", probeOf(record.operation));
  if (found.incomplete !== undefined) return unknown(`The record is not complete there: ${found.incomplete}.`, probeOf(record.operation));
  const actual = canonicalJson(found.value);
  if (actual === wanted) return pass("The value is as claimed.");
  return { status: "fail", reason: "The value is another one.", counter_fact: { place: pointer, expected: excerpt(wanted), actual: excerpt(actual) } };
}

function collectionClaim({ kind, collection, match }: Claim<"presence" | "absence">, record: Evidence, wholeOf: WholeOf): Finding {
  const found = pointedValue(record, collection, wholeOf);
  if (found === undefined) return unknown("The record has no collection at the pointer.", probeOf(record.operation));
  const items = itemsOf(found.value);
  if (items === undefined) return unknown("What stands at the pointer is no collection.", probeOf(record.operation));
  const index = items.findIndex((item) => isJsonObject(item) && Object.hasOwn(item, match.key) && item[match.key] === match.value);
  const wanted = `an item with ${match.key} ${JSON.stringify(match.value)}`;
  if (index >= 0) {
    if (kind === "presence") return pass("The item is there.");
    return { status: "fail", reason: "The item is there.", counter_fact: { place: `${collection}/${String(index)}`, expected: excerpt(`no ${wanted}`), actual: excerpt(canonicalJson(items[index])) } };
  }
  if (found.incomplete !== undefined) return unknown(`The item is not among those shown, and the collection is not complete: ${found.incomplete}.`, probeOf(record.operation));
  if (kind === "absence") return pass("The whole collection has no such item.");
  return { status: "fail", reason: "The whole collection has no such item.", counter_fact: { place: collection, expected: excerpt(wanted), actual: `${String(items.length)} other items` } };
}

/** A bare list, or the items of a page or a bounded collection. */
function itemsOf(value: JsonValue): readonly JsonValue[] | undefined {
  if (isList(value)) return value;
  if (!isJsonObject(value)) return undefined;
  const inner = isJsonObject(value["value"]) ? value["value"] : value;
  const { items } = inner;
  return isList(items) ? items : undefined;
}

function jsonText(text: string): string | undefined {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function pass(reason: string): Finding {
  return { status: "pass", reason, counter_fact: null };
}

export function unknown(reason: string, probe: { readonly operation: string; readonly rationale: string }): Finding {
  return { status: "unknown", reason, counter_fact: null, probe };
}

function probeOf(operation: string): { readonly operation: string; readonly rationale: string } {
  return { operation, rationale: `Run ${operation} again on complete inputs, with limits that leave nothing out, and cite that record.` };
}

function shown(name: string): string {
  return escapeUntrusted(name);
}

function excerpt(text: string): string {
  const { text: kept, truncated } = truncateCodePoints(text, 300);
  return truncated ? `${kept}…` : kept;
}
