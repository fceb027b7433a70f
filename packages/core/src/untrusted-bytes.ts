import { isUtf8 } from "node:buffer";

import { escapeUntrusted, type EscapeOptions } from "./untrusted-text.js";

/** Encodings in which the bytes of a target may be declared. */
export type DeclaredEncoding = "utf-8" | "utf-16le" | "utf-16be" | "latin1" | "ascii";

/**
 * Decodes bytes of a target and escapes the text as `escapeUntrusted` does; each byte that is not valid in the declared
 * encoding becomes `\x{80}`, so nothing is replaced and nothing is lost.
 */
export function escapeBytes(bytes: Uint8Array, encoding: DeclaredEncoding, options: EscapeOptions = {}): string {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let result = "";
  let offset = 0;
  while (offset < data.length) {
    const valid = data.subarray(offset, offset + validLength(data, offset, encoding));
    result += escapeUntrusted(decode(valid, encoding), options);
    offset += valid.length;
    const invalid = data[offset];
    if (invalid === undefined) break;
    result += `\\x{${invalid.toString(16)}}`;
    offset += 1;
  }
  return result;
}

/** Length of the longest valid run that starts at `offset`. */
function validLength(data: Buffer, offset: number, encoding: DeclaredEncoding): number {
  const rest = data.length - offset;
  switch (encoding) {
    case "latin1":
      return rest;
    case "utf-16le":
    case "utf-16be":
      return rest - (rest % 2);
    case "ascii":
      return runLength(data, offset, (at) => ((data[at] ?? 0x80) < 0x80 ? 1 : 0));
    case "utf-8":
      if (offset === 0 && isUtf8(data)) return rest;
      return runLength(data, offset, (at) => utf8SequenceLength(data, at));
  }
}

function runLength(data: Buffer, offset: number, stepAt: (at: number) => number): number {
  let at = offset;
  while (at < data.length) {
    const step = stepAt(at);
    if (step === 0) break;
    at += step;
  }
  return at - offset;
}

/** Unicode table 3-7, well-formed UTF-8 byte sequences; 0 when none starts here. */
function utf8SequenceLength(data: Buffer, at: number): number {
  const first = data[at] ?? 0xff;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  const second = data[at + 1] ?? 0;
  if (second < low || second > high) return 0;
  for (let index = at + 2; index < at + length; index += 1) {
    const next = data[index] ?? 0;
    if (next < 0x80 || next > 0xbf) return 0;
  }
  return length;
}

function decode(valid: Buffer, encoding: DeclaredEncoding): string {
  switch (encoding) {
    case "utf-8":
      return valid.toString("utf8");
    case "utf-16le":
      return valid.toString("utf16le");
    case "utf-16be":
      return Buffer.from(valid).swap16().toString("utf16le");
    case "latin1":
    case "ascii":
      return valid.toString("latin1");
  }
}
