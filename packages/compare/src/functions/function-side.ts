import { evidenceRefusal, operations, type Evidence, type OperationResult } from "@rea/core";
import { isGeneratedName } from "./generated-name.js";

export type FunctionDossier = OperationResult<"analyze_function">;

/** One of the two dossiers of a comparison. */
export interface FunctionSide {
  readonly record: Evidence;
  readonly dossier: FunctionDossier;
  /** Null for a name that an engine made from the address. */
  readonly name: string | null;
  readonly start: bigint;
}

/** Reads the dossier of an `analyze_function` record. Throws `evidence_integrity_mismatch`, reason `schema`. */
export function functionSide(record: Evidence): FunctionSide {
  const parsed = operations.analyze_function.result.safeParse(record.normalized_result);
  if (!parsed.success) throw evidenceRefusal("schema", "The record does not hold a function dossier.", { evidence_id: record.evidence_id });
  const { address, name } = parsed.data.procedure;
  return { record, dossier: parsed.data, name: isGeneratedName(name) ? null : name, start: BigInt(address) };
}

/** Why texts of the two sides cannot be compared; undefined when they can. */
export function foreignTexts(left: FunctionSide, right: FunctionSide): string | undefined {
  const [a, b] = [left.record, right.record];
  if (a.provider.id !== b.provider.id) return "The sides come from different providers; their texts are not compared.";
  if (a.provider.version !== b.provider.version) return "The sides come from different versions of a provider; their texts are not compared.";
  if (profileOf(a) !== profileOf(b)) return "The sides were analysed with different profiles; their texts are not compared.";
  return undefined;
}

/** The same bytes at the same place by the same provider: a difference is a contradiction. */
export function sameFunction(left: FunctionSide, right: FunctionSide): boolean {
  const digest = left.record.subject?.digest.sha256 ?? null;
  if (digest === null || digest !== (right.record.subject?.digest.sha256 ?? null)) return false;
  if (left.start !== right.start || foreignTexts(left, right) !== undefined) return false;
  return annotationsOf(left.record) === annotationsOf(right.record);
}

/** What of the profile may differ without changing what is answered about one target is nothing: the digests decide. */
function profileOf({ analysis_profile: profile }: Evidence): string | null {
  return profile?.digest ?? null;
}

function annotationsOf({ parameters }: Evidence): unknown {
  return parameters["annotations_sha256"] ?? null;
}
