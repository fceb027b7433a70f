import { escapeUntrusted } from "@rea/core";

/**
 * Names inside executables are bytes, UTF-8 by custom. They are kept as strings without loss: each byte that is not part
 * of valid UTF-8 becomes the lone surrogate U+DC00 + byte. UTF-8 never decodes to a surrogate, so the mapping reverses.
 */
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes name bytes; never fails. */
export function decodeName(bytes: Uint8Array): string {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (isAscii(latin)) return latin;
  try {
    return strict.decode(bytes);
  } catch {
    return decodeMixed(bytes);
  }
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

function decodeMixed(bytes: Uint8Array): string {
  let text = "";
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    text +=
      length === 0
        ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
        : strict.decode(bytes.subarray(at, at + length));
    at += Math.max(length, 1);
  }
  return text;
}

/** Length of the valid UTF-8 sequence at `at`, 0 when there is none (Unicode §3.9, table of well-formed sequences). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const second = bytes[at + 1] ?? 0;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let index = 2; index < length; index += 1) {
    const next = bytes[at + index] ?? 0;
    if (next < 0x80 || next > 0xbf) return 0;
  }
  return length;
}

/** The name made safe to show: `escapeUntrusted`, and `\x{80}` for bytes that were not valid UTF-8. */
export function escapeName(name: string): string {
  return name
    .split(/([\udc80-\udcff])/u)
    .map((part, index) =>
      index % 2 === 0 ? escapeUntrusted(part) : `\\x{${(part.charCodeAt(0) - 0xdc00).toString(16)}}`,
    )
    .join("");
}
