import type { ReaError } from "@rea/core";
import { invalidInput } from "../operations/refusals.js";

/** Bytes to find; -1 stands for any byte. At least one is fixed. */
export type BytePattern = readonly number[];

/** Reads `"48 8b ?? 05"`; blanks are optional. Throws `invalid_request` (`invalid_format`) for anything else. */
export function parseBytePattern(text: string, operation: string): BytePattern {
  const compact = text.replaceAll(" ", "");
  if (!/^(?:[0-9a-f]{2}|\?\?)+$/i.test(compact)) throw invalid(operation);
  const bytes = compact.match(/../g) ?? [];
  const pattern = bytes.map((byte) => (byte === "??" ? -1 : Number.parseInt(byte, 16)));
  if (pattern.every((byte) => byte < 0)) throw invalid(operation);
  return pattern;
}

/** Offsets at which the pattern matches, in order; matches may overlap. Work is bounded by data times pattern length. */
export function* findPattern(data: Uint8Array, pattern: BytePattern): Generator<number> {
  const anchor = pattern.findIndex((byte) => byte >= 0);
  const fixed = pattern[anchor] ?? 0;
  const last = data.length - pattern.length;
  for (let at = data.indexOf(fixed, anchor); at >= 0 && at - anchor <= last; at = data.indexOf(fixed, at + 1)) {
    if (matchesAt(data, pattern, at - anchor)) yield at - anchor;
  }
}

function matchesAt(data: Uint8Array, pattern: BytePattern, start: number): boolean {
  for (let index = 0; index < pattern.length; index += 1) {
    const byte = pattern[index] ?? -1;
    if (byte >= 0 && data[start + index] !== byte) return false;
  }
  return true;
}

function invalid(operation: string): ReaError {
  return invalidInput(operation, "The pattern is not a list of bytes. Write each byte as two hex digits, or ?? for any byte.", {
    path: "pattern",
    reason: "invalid_format",
    expected: 'hex bytes with at least one that is not ??, such as "48 8b ?? 05"',
  });
}
