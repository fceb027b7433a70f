import { checkRange, type ByteSource } from "@rea/core";
import type { DeclaredCheck, Entry, EntryContent, Unavailable } from "../../format.js";
import { openedSlice } from "../../reading/file-runs.js";
import { sourceStream } from "../../reading/source-stream.js";
import { wholeNumber } from "./integrity.js";
import type { AsarNode } from "./asar-tree.js";
import type { Scalar } from "./json-scanner.js";

/** The bytes of the archive that a packed file has. */
export interface PackedRange {
  readonly start: number;
  readonly length: number;
}

export function directoryEntry(node: AsarNode): Entry {
  return plainEntry(node, { kind: "directory", linkTarget: null });
}

/** A symbolic link; its target counts from the archive's root. */
export function linkEntry(node: AsarNode, target: Uint8Array): Entry {
  return plainEntry(node, { kind: "symlink", linkTarget: target });
}

function plainEntry(node: AsarNode, what: Pick<Entry, "kind" | "linkTarget">): Entry {
  return {
    name: node.name,
    ...what,
    declaredBytes: null,
    compressedBytes: null,
    location: null,
    encrypted: false,
    executable: null,
    checks: [],
    limitations: [],
    content: null,
  };
}

export interface FileParts {
  readonly bytes: number | undefined;
  readonly range: PackedRange | undefined;
  readonly checks: readonly DeclaredCheck[];
  readonly content: EntryContent | Unavailable;
}

export function fileEntry(node: AsarNode, { bytes, range, checks, content }: FileParts): Entry {
  return {
    name: node.name,
    kind: "file",
    declaredBytes: bytes ?? null,
    compressedBytes: range === undefined ? null : range.length,
    location: range === undefined ? null : { offset: range.start, length: range.length },
    encrypted: false,
    linkTarget: null,
    executable: node.executable,
    checks: bytes === undefined ? checks : [{ kind: "size", bytes }, ...checks],
    limitations: node.unpacked ? ["The file is unpacked: it lies beside the archive, not in it."] : [],
    content,
  };
}

/** Where a packed file lies, or why it does not. */
export function packedRange(node: AsarNode, container: { readonly size: number; readonly dataOffset: number }): PackedRange | Unavailable {
  const length = wholeNumber(node.size);
  if (length === undefined) return { reason: "malformed", why: "The file's size is missing or no whole number." };
  const offset = offsetOf(node.offset);
  if (typeof offset !== "number") return { reason: "malformed", why: offset.why };
  const start = container.dataOffset + offset;
  if (start + length > container.size) return { reason: "malformed", why: "The file's data reaches past the end of the archive." };
  return { start, length };
}

/** Offsets are decimal text, because a JSON number does not hold 64 bits. */
function offsetOf(offset: Scalar | undefined): number | { readonly why: string } {
  if (offset?.kind !== "string") return { why: "The file's offset is missing or no text." };
  const { text } = offset.value;
  if (text === undefined || !/^\d{1,20}$/.test(text)) return { why: "The file's offset is no decimal number." };
  const value = BigInt(text);
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? { why: "The file's offset is beyond 2^53, which no archive reaches." } : Number(value);
}

export function packedContent(source: ByteSource, { start, length }: PackedRange): EntryContent {
  checkRange(start, length, source.size);
  return {
    stream: () => sourceStream(source, start, length),
    random: () => openedSlice(source, start, length),
  };
}

