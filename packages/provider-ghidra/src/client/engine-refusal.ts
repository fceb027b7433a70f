import { isReaError, ReaError, z, type InputIssue } from "@rea/core";
import { decompileMs } from "../ghidra-capabilities.js";

/** What the kit makes of a refusal in the bridge's words. */
const refusal = z.object({ diagnostics: z.object({ code: z.string(), message: z.string() }) });
const maximumCandidates = 20;

/** The typed error of a refusal that the bridge's codes name; every other error comes back as it is. */
export function refusalOf(error: unknown, operation: string): unknown {
  if (!isReaError(error) || error.code !== "execution_failure") return error;
  const read = refusal.safeParse(error.details);
  if (!read.success) return error;
  const { code, message } = read.data.diagnostics;
  switch (code) {
    case "unknown_procedure":
      return unknownProcedure(addresses(message)[0]);
    case "ambiguous_procedure":
      return ambiguousProcedure(operation, addresses(message));
    case "bad_pattern":
      return invalid(operation, "The pattern is not a regular expression of the supported dialect, or a too large one. Use mode literal for plain text.", {
        path: "pattern",
        reason: "invalid_format",
        expected: "RE2 syntax that is also valid ECMAScript with the u flag, without look-around and back-references",
      });
    case "address_required":
      return invalid(operation, "Ghidra has no cursor. Pass an address.", { path: "address", reason: "missing_argument", expected: "an address such as 0x401000" });
    case "answer_too_large":
      return new ReaError("truncated", {
        message: `The answer to ${operation} does not fit one reply. Ask for fewer items, or page the procedure with read_function_instructions.`,
        details: { resource: operation, limit_bytes: 1024 * 1024 },
        action: "Page the procedure with read_function_instructions, or ask for fewer items.",
      });
    case "decompile_timeout":
      return new ReaError("provider_timeout", {
        message: "Ghidra's decompiler did not finish this procedure within 30 s. Read its instructions instead.",
        details: { operation, timeout_ms: decompileMs, phase: "engine_decompile" },
      });
    default:
      return error;
  }
}

function unknownProcedure(containing: string | undefined): ReaError {
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

function ambiguousProcedure(operation: string, candidates: readonly string[]): ReaError {
  return invalid(operation, "Several procedures have that name. Pass one of the addresses in details.issues instead.", {
    path: "procedure",
    reason: "invalid_value",
    expected: `one of ${candidates.slice(0, maximumCandidates).join(", ")}`,
  });
}

function invalid(operation: string, message: string, issue: InputIssue): ReaError {
  return new ReaError("invalid_request", { message, details: { operation, issues: [issue] } });
}

/** Only addresses are taken out of what the bridge said. */
function addresses(message: string): readonly string[] {
  return message.split(" ").filter((word) => /^0x[0-9a-f]{1,16}$/.test(word));
}
