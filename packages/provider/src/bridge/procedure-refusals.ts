import { isReaError, ReaError, z, type InputIssue } from "@rea/core";

const refusal = z.object({ diagnostics: z.object({ code: z.string(), message: z.string() }) });
const address = /^0x[0-9a-f]{1,16}$/;
const maximumCandidates = 20;

/** A refusal in a bridge's words. Only its addresses are ever shown. */
export interface BridgeRefusal {
  readonly code: string;
  readonly message: string;
  /** Addresses that stand in the message. */
  readonly addresses: readonly string[];
}

/** The bridge's refusal behind an error of the engine kit; undefined for every other error. */
export function bridgeRefusal(error: unknown): BridgeRefusal | undefined {
  if (!isReaError(error) || error.code !== "execution_failure") return undefined;
  const read = refusal.safeParse(error.details);
  if (!read.success) return undefined;
  const { code, message } = read.data.diagnostics;
  return { code, message, addresses: message.split(" ").filter((word) => address.test(word)) };
}

/** Nothing starts there; `containing` is the entry of the procedure that holds the address, where one does. */
export function unknownProcedure(containing: string | undefined): ReaError {
  const next =
    containing === undefined
      ? "Find procedures with search_procedures or list_procedures, or the one around an address with resolve_containing_procedure."
      : `Pass ${containing}, the entry of the procedure that holds the address.`;
  return new ReaError("target_unavailable", {
    message: `No procedure starts at that address or has that name. ${next}`,
    details: { reason: "target_not_found" },
    action: next,
  });
}

/** A name of several procedures: their addresses stand in `details.issues`. */
export function ambiguousProcedure(operation: string, candidates: readonly string[]): ReaError {
  return refusedInput(operation, "Several procedures have that name. Pass one of the addresses in details.issues instead.", {
    path: "procedure",
    reason: "invalid_value",
    expected: `one of ${candidates.slice(0, maximumCandidates).join(", ")}`,
  });
}

/** A pattern the engine's bridge cannot take; `what` says in which way. */
export function refusedPattern(operation: string, what = "The pattern is not a regular expression of the supported dialect."): ReaError {
  return refusedInput(operation, `${what} Use mode literal for plain text.`, {
    path: "pattern",
    reason: "invalid_format",
    expected: "RE2 syntax that is also valid ECMAScript with the u flag, without look-around and back-references",
  });
}

/** An input that the engine refuses. */
export function refusedInput(operation: string, message: string, issue: InputIssue): ReaError {
  return new ReaError("invalid_request", { message, details: { operation, issues: [issue] } });
}
