import { isReaError, ReaError, z, type InputIssue } from "@rea/core";
import { hopperBounds } from "../hopper-bounds.js";

/** What the kit makes of a refusal in the bridge's words. */
const refusal = z.object({ diagnostics: z.object({ code: z.string(), message: z.string() }) });
const address = /^0x[0-9a-f]{1,16}$/;

/** The typed error of a refusal that the bridge's codes name; every other error comes back as it is. */
export function refusalOf(error: unknown, operation: string): unknown {
  if (!isReaError(error) || error.code !== "execution_failure") return error;
  const read = refusal.safeParse(error.details);
  if (!read.success) return error;
  const { code, message } = read.data.diagnostics;
  const words = message.split(" ").filter((word) => address.test(word));
  return typed(code, { operation, words, message }) ?? error;
}

interface Refused {
  readonly operation: string;
  /** Addresses in the message. */
  readonly words: readonly string[];
  readonly message: string;
}

function typed(code: string, { operation, words, message }: Refused): ReaError | undefined {
  switch (code) {
    case "unknown_procedure":
      return unknownProcedure(words[0]);
    case "ambiguous_procedure":
      return invalid(operation, "Several procedures have that name. Pass one of the addresses in details.issues instead.", {
        path: "procedure",
        reason: "invalid_value",
        expected: `one of ${words.join(", ")}`,
      });
    case "unknown_document":
      return invalid(operation, "No open document of the target has that name. Leave document out, or read list_documents.", {
        path: "document",
        reason: "invalid_value",
        expected: "a name of list_documents",
      });
    case "outside_segments":
      return invalid(operation, "The address lies outside every segment. Read list_segments for the ranges.", {
        path: "address",
        reason: "out_of_range",
        expected: "an address inside a segment of list_segments",
      });
    case "invalid_pattern":
      return invalid(operation, "The pattern is not a regular expression of the supported dialect. Use mode literal for plain text.", {
        path: "pattern",
        reason: "invalid_format",
        expected: "RE2 syntax that is also valid ECMAScript with the u flag, without look-around and back-references",
      });
    case "listing_too_long":
      return tooLong(Number(message));
    case "unknown_method":
      return new ReaError("capability_unavailable", {
        message: "Hopper is not asked for that operation. Call binary_session for the operations it offers.",
        details: { provider_id: "hopper", operation },
      });
    case "document_closed":
    case "other_document":
      return unavailable(operation, code, "The document of the target is not open in Hopper. Open the target again.");
    case "target_unreadable":
      return new ReaError("target_unavailable", { message: "The target cannot be read any more. Open it again.", details: { reason: "unreadable" } });
    case "target_changed":
      return new ReaError("target_unavailable", { message: "The bytes of the target have changed. Open it again.", details: { reason: "target_changed" } });
    default:
      return undefined;
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

function tooLong(instructions: number): ReaError {
  return new ReaError("truncated", {
    message: "The listing does not fit one reply. Page it with read_function_instructions.",
    details: {
      resource: "listing",
      limit_instructions: hopperBounds.functionInstructions,
      limit_bytes: hopperBounds.listingBytes,
      actual_instructions: Number.isSafeInteger(instructions) ? instructions : null,
    },
    action: "Page the procedure with read_function_instructions.",
  });
}

function invalid(operation: string, message: string, issue: InputIssue): ReaError {
  return new ReaError("invalid_request", { message, details: { operation, issues: [issue] } });
}

function unavailable(operation: string, reason: string, message: string): ReaError {
  return new ReaError("provider_unavailable", { message, details: { provider_id: "hopper", operation, reason } });
}
