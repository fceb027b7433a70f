import { isJsonObject, reconstructionVerificationSchema, z, type Evidence, type JsonValue } from "@rea/core";
import { escapeHtml } from "./html.js";
import { code, count, verdict, type PageTable } from "./page-parts.js";

const judged = z.looseObject({ status: z.string().optional(), verdict: z.string().optional(), behavior_status: z.string().optional(), summary: z.looseObject({}).optional(), first_divergence: z.looseObject({ dimension: z.string(), place: z.string() }).nullish() });

/** What comparisons and verifications concluded, a row each. */
export function conclusions(records: readonly Evidence[]): PageTable {
  return { heading: "Conclusions", columns: ["Question", "Answer", "In numbers", "Evidence"], rows: records.filter(isConclusion).flatMap(conclusionRow) };
}

function isConclusion({ evidence_links: links, operation }: Evidence): boolean {
  return links.length > 0 || operation.startsWith("compare_");
}

function conclusionRow({ operation, normalized_result: result, evidence_id: id }: Evidence): string[][] {
  const parsed = judged.safeParse(result);
  if (!parsed.success) return [];
  const { status, verdict: word, behavior_status: behaviour, summary, first_divergence: first } = parsed.data;
  const answer = word ?? status ?? behaviour;
  if (answer === undefined) return [];
  const numbers = countsIn(summary, "").map(([name, value]) => `${escapeHtml(name)} ${count(value)}`);
  const where = first === null || first === undefined ? [] : [`first divergence: ${escapeHtml(first.dimension)}, ${escapeHtml(first.place)}`];
  return [[escapeHtml(operation.replaceAll("_", " ")), verdict(answer), [...numbers, ...where].join("; "), code(id)]];
}

/** Whole numbers of a summary by their names, zeros left out. */
function countsIn(value: unknown, name: string): (readonly [string, number])[] {
  if (typeof value === "number") return value === 0 ? [] : [[name, value]];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => countsIn(member, `${name} ${key.replaceAll("_", " ")}`.trim()));
}

/** The claims of a reconstruction, each with its verdict, the reason, and the fact that speaks against it. */
export function claimTables({ normalized_result: result }: Evidence): PageTable[] {
  const parsed = reconstructionVerificationSchema.safeParse(result);
  if (!parsed.success) return [];
  const rows = parsed.data.claims.map(({ claim_id: id, status, reason, counter_fact: fact }) => [
    escapeHtml(id),
    verdict(status),
    escapeHtml(reason) + (fact === null ? "" : `<br>at ${code(fact.place)}: ${escapeHtml(fact.actual)}, not ${escapeHtml(fact.expected)}`),
  ]);
  return [{ heading: "Claims of the reconstruction", columns: ["Claim", "Verdict", "Because"], rows }];
}

const unknown = z.looseObject({ unknown_id: z.string(), revision: z.number(), question: z.string(), domain: z.string(), status: z.string(), severity: z.string() });

/** Questions that the records leave open, each as its latest revision stands. */
export function openQuestions(records: readonly Evidence[]): PageTable {
  const latest = new Map<string, z.output<typeof unknown>>();
  for (const { normalized_result: result } of records) {
    const found = unknown.safeParse(memberOf(result, "unknown")).data;
    if (found !== undefined && found.revision > (latest.get(found.unknown_id)?.revision ?? 0)) latest.set(found.unknown_id, found);
  }
  const rows = [...latest.values()].filter(({ status }) => status !== "resolved").map(({ question, domain, status, severity }) => [escapeHtml(question), escapeHtml(domain), verdict(status), escapeHtml(severity)]);
  return { heading: "Open questions", columns: ["Question", "About", "State", "Severity"], rows };
}

function memberOf(result: JsonValue, key: string): JsonValue | undefined {
  return isJsonObject(result) ? result[key] : undefined;
}
