import { parseAddress, formatAddress, ReaError, type InputIssue, type OpenTargetInput } from "@rea/core";
import type { Target } from "@rea/provider";

/**
 * How to read a file without a known header, or null when the caller gave no `raw_architecture`. Base and byte order
 * default to 0x0 and little. Throws `invalid_request` when the other raw values stand without an architecture.
 */
export function rawOptions(input: OpenTargetInput): Target["raw"] {
  const { raw_architecture: architecture, raw_base: base, raw_endian: endian } = input;
  if (architecture !== undefined) return { architecture, base: baseOf(base), endian: endian ?? "little" };
  if (base === undefined && endian === undefined) return null;
  throw invalidRaw({ path: "raw_architecture", reason: "missing_argument", expected: "the architecture of the raw code" });
}

function baseOf(text: string | undefined): string {
  if (text === undefined) return "0x0";
  const base = parseAddress(text);
  if (base !== undefined) return formatAddress(base);
  throw invalidRaw({ path: "raw_base", reason: "invalid_format", expected: "an address such as 0x401000" });
}

function invalidRaw(issue: InputIssue): ReaError<"invalid_request"> {
  return new ReaError("invalid_request", {
    message: `open_binary cannot use these raw values: ${issue.path} is missing or invalid. Correct it and call again.`,
    details: { operation: "open_binary", issues: [issue] },
  });
}
