import type { AvailabilityCode, Diagnostics } from "@rea/provider";

/** Why Ghidra cannot be used on this host, with what to do about it. */
export interface Unavailable {
  readonly code: AvailabilityCode;
  readonly reason: string;
  readonly diagnostics: Diagnostics;
}

export function unavailable(code: AvailabilityCode, reason: string, diagnostics: Diagnostics): { readonly refusal: Unavailable } {
  return { refusal: { code, reason, diagnostics } };
}
