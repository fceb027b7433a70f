import { evidenceRefusal, operations, type Evidence, type OperationResult } from "@rea/core";
import { hasUnresolvedCalls } from "./unresolved-calls.js";

/** A procedure as its dossiers show it. */
export interface CalledProcedure {
  readonly address: bigint;
  readonly name: string | null;
  /** Callees by address, each with the records that show the call. */
  readonly calls: ReadonlyMap<bigint, readonly string[]>;
  /** The same callees, ascending. */
  readonly callees: readonly bigint[];
  /** Why calls may be missing; empty when all are known. */
  readonly gaps: readonly string[];
}

export interface CallGraph {
  readonly procedures: ReadonlyMap<bigint, CalledProcedure>;
  /** Names of procedures that have no dossier. */
  readonly names: ReadonlyMap<bigint, string>;
  /** More than one provider or profile speaks. */
  readonly mixed: boolean;
}

type Dossier = OperationResult<"analyze_function">;

interface Pages {
  name: string;
  readonly calls: Map<bigint, string[]>;
  readonly seen: Set<number>;
  total: number | null;
  unavailable: boolean;
  external: boolean;
  unresolved: boolean | undefined;
}

/**
 * Puts dossiers together; several pages of one procedure become one. Throws `evidence_integrity_mismatch`: `schema`, or
 * `target_mismatch` when they are about different targets.
 */
export function callGraph(records: readonly Evidence[]): CallGraph {
  const found = new Map<bigint, Pages>();
  const names = new Map<bigint, string>();
  const voices = new Set<string>();
  const target = records[0]?.subject?.digest.sha256 ?? null;
  for (const record of records) {
    requireTarget(record, target);
    voices.add(`${record.provider.id} ${record.provider.version} ${record.analysis_profile?.digest ?? ""}`);
    takeDossier(dossierOf(record), record.evidence_id, { found, names });
  }
  const procedures = new Map([...found].map(([address, pages]) => [address, procedureOf(address, pages)]));
  return { procedures, names, mixed: voices.size > 1 };
}

function requireTarget({ evidence_id, subject }: Evidence, expected: string | null): void {
  const actual = subject?.digest.sha256 ?? null;
  if (actual === expected) return;
  throw evidenceRefusal("target_mismatch", "The dossiers are about different targets. Give dossiers of one target.", { evidence_id, expected, actual });
}

function dossierOf(record: Evidence): Dossier {
  const parsed = operations.analyze_function.result.safeParse(record.normalized_result);
  if (parsed.success) return parsed.data;
  throw evidenceRefusal("schema", "The record does not hold a function dossier.", { evidence_id: record.evidence_id });
}

interface Collected {
  readonly found: Map<bigint, Pages>;
  readonly names: Map<bigint, string>;
}

function takeDossier(dossier: Dossier, evidenceId: string, { found, names }: Collected): void {
  const address = BigInt(dossier.procedure.address);
  const pages = found.get(address) ?? emptyPages(dossier.procedure.name);
  found.set(address, pages);
  pages.external ||= dossier.procedure.classification?.external ?? false;
  pages.unresolved = hasUnresolvedCalls(dossier) ?? pages.unresolved;
  if (dossier.callees.state === "unavailable") {
    pages.unavailable = true;
    return;
  }
  const { items, total, next_offset: next, truncated } = dossier.callees.value;
  pages.total = total ?? (truncated ? null : items.length);
  // A page begins where the next one would, less what it holds; the last one ends at the total.
  const end = next ?? total ?? items.length;
  items.forEach(({ address: callee, name }, index) => {
    const to = BigInt(callee);
    pages.seen.add(end - items.length + index);
    const shown = pages.calls.get(to) ?? [];
    if (!shown.includes(evidenceId)) pages.calls.set(to, [...shown, evidenceId].sort());
    if (name !== null) names.set(to, name);
  });
}

function emptyPages(name: string): Pages {
  return { name, calls: new Map(), seen: new Set(), total: null, unavailable: false, external: false, unresolved: undefined };
}

function procedureOf(address: bigint, { name, calls, seen, total, unavailable, external, unresolved }: Pages): CalledProcedure {
  const gaps = [
    ...(unavailable && calls.size === 0 ? ["its callees are unavailable"] : []),
    ...(!unavailable && (total === null || seen.size < total) ? ["not all pages of its callees are given"] : []),
    ...(unresolved === true ? ["it calls where only running tells"] : []),
    ...(unresolved === undefined && !external ? ["without its whole listing indirect calls cannot be excluded"] : []),
    ...(external ? ["it is imported, so its code is elsewhere"] : []),
  ];
  const callees = [...calls.keys()].sort((a, b) => (a < b ? -1 : 1));
  return { address, name, calls, callees, gaps };
}
