import type { ClaimVerdict, ReconstructionVerification } from "@rea/core";
import type { Style } from "./style.js";

/** Verdicts on the claims of a reconstruction, each with its reason, and what to do about those that are not settled. */
export function reconstructionText(verification: ReconstructionVerification, style: Style): string {
  const { status, claims, summary, recommended_probes: probes, imported_evidence_ids: imported, limitations } = verification;
  const width = Math.max(...claims.map(({ claim_id }) => claim_id.length));
  const lines = [
    style.heading(`${status}: ${String(summary.pass)} passed, ${String(summary.fail)} failed, ${String(summary.unknown)} unknown`),
    "",
    ...claims.flatMap((claim) => claimLines(claim, width, style)),
    ...(probes.length === 0 ? [] : ["", style.heading("What would settle it")]),
    ...probes.map(({ claim_id, rationale }) => `  ${claim_id.padEnd(width)}  ${rationale}`),
    ...(imported.length === 0 ? [] : ["", style.dim(`${String(imported.length)} of the cited records are imported; an id says that a record is unchanged, not who made it.`)]),
    "",
    ...limitations.map((text) => style.dim(text)),
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function claimLines({ claim_id, kind, status, reason, counter_fact: fact }: ClaimVerdict, width: number, style: Style): string[] {
  const verdict = status === "pass" ? style.good("pass   ") : status === "fail" ? style.bad("fail   ") : style.warn("unknown");
  return [
    `${verdict}  ${claim_id.padEnd(width)}  ${kind.padEnd(10)}  ${reason}`,
    ...(fact === null ? [] : [style.dim(`         at ${fact.place}: ${fact.actual}, not ${fact.expected}`)]),
  ];
}
