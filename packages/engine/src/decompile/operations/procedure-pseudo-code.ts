import { formatAddress, ReaError, type OperationParams, type OperationResult } from "@rea/core";
import { answer, type Answer } from "../../operations/answer.js";
import { omissionSentences } from "../../operations/code-coverage.js";
import { givenAddress } from "../../operations/cursor.js";
import { findProcedure } from "../../operations/find-procedure.js";
import type { ProgramQuery } from "../../operations/query.js";
import { canDecompile, pseudocodeText } from "./pseudo-code-text.js";

/** One function as C; null for one without a body in this file. */
export function procedurePseudoCode(
  query: ProgramQuery,
  params: OperationParams<"procedure_pseudo_code">,
): Answer<OperationResult<"procedure_pseudo_code">> {
  const fn = findProcedure(query, params.procedure, "procedure_pseudo_code");
  const at = givenAddress(formatAddress(query.program.toVa(fn.entry)));
  if (!canDecompile(query)) throw otherArchitecture();
  const found = pseudocodeText(query, fn);
  const limitations = [...(found?.limitations ?? []), ...query.program.coverage.limitations, ...omissionSentences(query.program)];
  return answer(found?.text ?? null, { confidence: "derived", at, limitations: [...new Set(limitations)] });
}

function otherArchitecture(): ReaError {
  return new ReaError("capability_unavailable", {
    message: "This provider writes pseudocode of x86_64 and arm64 only. Read the listing with procedure_assembly, or bind another provider with open_binary and provider_id.",
    details: { operation: "procedure_pseudo_code", selection_reason: "unsupported" },
  });
}
