import { ReaError } from "@rea/core";
import { ambiguousProcedure, bridgeRefusal, refusedInput, refusedPattern, unknownProcedure } from "@rea/provider";
import { decompileMs } from "../ghidra-capabilities.js";

/** The typed error of a refusal that the bridge's codes name; every other error comes back as it is. */
export function refusalOf(error: unknown, operation: string): unknown {
  const refusal = bridgeRefusal(error);
  switch (refusal?.code) {
    case "unknown_procedure":
      return unknownProcedure(refusal.addresses[0]);
    case "ambiguous_procedure":
      return ambiguousProcedure(operation, refusal.addresses);
    case "bad_pattern":
      return refusedPattern(operation, "The pattern is not a regular expression of the supported dialect, or a too large one.");
    case "address_required":
      return refusedInput(operation, "Ghidra has no cursor. Pass an address.", { path: "address", reason: "missing_argument", expected: "an address such as 0x401000" });
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
