import { formatAddress, ReaError, type InputIssue } from "@rea/core";

/** Errors that several operations share. None repeats a value of the caller or text of the target. */

const maxCandidates = 20;

export function invalidInput(operation: string, message: string, issue: InputIssue): ReaError<"invalid_request"> {
  return new ReaError("invalid_request", { message, details: { operation, issues: [issue] } });
}

/** The only document is `target`. */
export function unknownDocument(operation: string): ReaError<"invalid_request"> {
  return invalidInput(operation, "No document has that name; 1 document exists. Leave document out, or read list_documents.", {
    path: "document",
    reason: "invalid_value",
    expected: "the name of the 1 document: target",
  });
}

export function outsideMappings(operation: string, path: string): ReaError<"invalid_request"> {
  return invalidInput(operation, "The address lies outside every mapped range. Read list_segments for the ranges.", {
    path,
    reason: "out_of_range",
    expected: "an address inside a segment of list_segments",
  });
}

/** Nothing stands at the address, or has the name, that was given for a procedure. `containing` is the entry around it. */
export function unknownProcedure(containing: bigint | undefined): ReaError<"target_unavailable"> {
  const next =
    containing === undefined
      ? "Find procedures with search_procedures or list_procedures, or the one around an address with resolve_containing_procedure."
      : `Pass ${formatAddress(containing)}, the entry of the procedure that holds the address.`;
  return new ReaError("target_unavailable", {
    message: `No procedure starts at that address or has that name. ${next}`,
    details: { reason: "target_not_found" },
    action: next,
  });
}

/** Several procedures share a name; the first candidates are listed by address. */
export function ambiguousProcedure(operation: string, candidates: readonly bigint[]): ReaError<"invalid_request"> {
  const shown = candidates.slice(0, maxCandidates).map((va) => formatAddress(va));
  const more = candidates.length > shown.length ? `, and ${String(candidates.length - shown.length)} more` : "";
  return invalidInput(
    operation,
    `${String(candidates.length)} procedures have that name. Pass one of the addresses in details.issues instead.`,
    { path: "procedure", reason: "invalid_value", expected: `one of ${shown.join(", ")}${more}` },
  );
}
