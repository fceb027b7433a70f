import { contentFormat, isArchiveFormat } from "@rea/binary";
import { sourceSlice, type ByteSource } from "@rea/core";
import type { FoundHint } from "./found-hint.js";

const headBytes = 1024 * 1024;
const lineEnd = 0x0a;
/** Starts of what scripts carry behind their last line. */
const starts: readonly Buffer[] = ["1f8b08", "425a68", "fd377a585a00", "28b52ffd", "04224d18", "377abcaf271c", "504b0304", "5d0000"].map((hex) => Buffer.from(hex, "hex"));
const tarMark = Buffer.from("ustar");
const tarMarkAt = 257;

/** True for text that names its interpreter in the first line. */
export function isScript(head: Uint8Array): boolean {
  return head[0] === 0x23 && head[1] === 0x21;
}

/** The archive that a self-extracting script carries behind one of its lines. */
export function scriptHints(source: ByteSource): readonly FoundHint[] {
  const head = Buffer.from(source.read(0, Math.min(source.size, headBytes)));
  const made = head.subarray(0, 64 * 1024).includes("makeself");
  const basis = made ? "archive behind the script that makeself writes" : "archive behind a line of the script";
  for (const offset of candidates(head)) {
    const format = contentFormat(sourceSlice(source, offset, source.size - offset));
    if (format !== undefined && isArchiveFormat(format)) return [{ format, offset, length: source.size - offset, basis }];
  }
  return [];
}

/** Places behind a line end where an archive may start, in order. */
function candidates(head: Buffer): readonly number[] {
  const found: number[] = [];
  for (const start of starts) {
    for (let at = head.indexOf(start); at > 0; at = head.indexOf(start, at + 1)) if (head[at - 1] === lineEnd) found.push(at);
  }
  for (let at = head.indexOf(tarMark); at > 0; at = head.indexOf(tarMark, at + 1)) if (head[at - tarMarkAt - 1] === lineEnd) found.push(at - tarMarkAt);
  return found.sort((a, b) => a - b);
}
