import { isJsonObject, operations, type Evidence, type JsonValue } from "@rea/core";
import { escapeHtml } from "./html.js";
import { code, count, verdict, type PageTable } from "./page-parts.js";

const mostRows = 200;

/** What an inventory found wrong with its members: contents that are not what they are declared to be, and odd structure. */
export function artifactTables({ normalized_result: result }: Evidence): PageTable[] {
  const parsed = operations.inspect_artifact.result.safeParse(result);
  if (!parsed.success) return [];
  const { integrity_contradictions: contradictions, anomalies } = parsed.data;
  return [
    {
      heading: `Contents that contradict their digest${cutNote(contradictions.length, contradictions.length)}`,
      columns: ["Path", "Declared", "Found", "Trust"],
      rows: contradictions.slice(0, mostRows).map((one) => [escapeHtml(one.logical_path), code(one.declared_sha256), code(one.observed_sha256), `<span class="bad">${escapeHtml(one.trust)}</span>`]),
    },
    {
      heading: `Anomalies of the archive${cutNote(anomalies.items.length, anomalies.total)}`,
      columns: ["What", "Path", "Detail", "Effect"],
      rows: anomalies.items.slice(0, mostRows).map(({ anomaly, logical_path: path, detail, effect }) => [escapeHtml(anomaly), escapeHtml(path), escapeHtml(detail), escapeHtml(effect)]),
    },
  ];
}

function cutNote(returned: number, total: number): string {
  const shown = Math.min(returned, mostRows);
  return shown < total ? ` (first ${count(shown)} of ${count(total)})` : "";
}

/** What a signature check found broken or odd, each with its place in the record. */
export function signatureTables({ normalized_result: result }: Evidence): PageTable[] {
  const rows = findings(result, "").slice(0, mostRows);
  return [{ heading: "Signature", columns: ["Place", "Finding", "Detail"], rows }];
}

function findings(value: JsonValue, place: string): string[][] {
  if (typeof value !== "object" || value === null) return [];
  const own = isJsonObject(value) ? ownFinding(value, place) : [];
  return [...own, ...Object.entries(value).flatMap(([key, member]) => findings(member, `${place}/${key}`))];
}

function ownFinding(value: { readonly [key: string]: JsonValue }, place: string): string[][] {
  const { verdict: word, reason, kind, detail, mismatched_total: mismatched, checked } = value;
  const at = code(place);
  if (typeof word === "string" && word !== "holds") return [[at, verdict(word), typeof reason === "string" ? escapeHtml(reason) : ""]];
  if (/\/anomalies\/\d+$/u.test(place) && typeof kind === "string") return [[at, escapeHtml(kind), typeof detail === "string" ? escapeHtml(detail) : ""]];
  if (typeof mismatched === "number" && mismatched > 0) return [[at, verdict("broken"), `${count(mismatched)} of ${typeof checked === "number" ? count(checked) : "?"} pages are not what was signed`]];
  return [];
}
