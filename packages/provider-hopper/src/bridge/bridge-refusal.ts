import { ReaError } from "@rea/core";
import { ambiguousProcedure, bridgeRefusal, refusedInput, refusedPattern, unknownProcedure, type BridgeRefusal } from "@rea/provider";
import { hopperBounds } from "../hopper-bounds.js";

/** The typed error of a refusal that the bridge's codes name; every other error comes back as it is. */
export function refusalOf(error: unknown, operation: string): unknown {
  const refusal = bridgeRefusal(error);
  return refusal === undefined ? error : (typed(refusal, operation) ?? error);
}

function typed({ code, message, addresses }: BridgeRefusal, operation: string): ReaError | undefined {
  switch (code) {
    case "unknown_procedure":
      return unknownProcedure(addresses[0]);
    case "ambiguous_procedure":
      return ambiguousProcedure(operation, addresses);
    case "unknown_document":
      return refusedInput(operation, "No open document of the target has that name. Leave document out, or read list_documents.", {
        path: "document",
        reason: "invalid_value",
        expected: "a name of list_documents",
      });
    case "outside_segments":
      return refusedInput(operation, "The address lies outside every segment. Read list_segments for the ranges.", {
        path: "address",
        reason: "out_of_range",
        expected: "an address inside a segment of list_segments",
      });
    case "invalid_pattern":
      return refusedPattern(operation);
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

function unavailable(operation: string, reason: string, message: string): ReaError {
  return new ReaError("provider_unavailable", { message, details: { provider_id: "hopper", operation, reason } });
}
