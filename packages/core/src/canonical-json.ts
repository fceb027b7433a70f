import { createHash } from "node:crypto";

import canonicalize from "canonicalize";

import { plainEntries, sortedJson } from "./checked-json.js";
import { sha256Hex } from "./digest.js";
import { jsonBounds, type JsonBounds } from "./json-bounds.js";

/**
 * RFC 8785 text of a value: object keys by UTF-16 code unit, array order kept, no whitespace.
 * Only safe integers and well-formed strings within the bounds; anything else throws `evidence_integrity_mismatch`.
 */
export function canonicalJson(value: unknown, bounds: JsonBounds = jsonBounds): string {
  const { json, isSorted } = sortedJson(value, bounds);
  // In this order the language writes the canonical text itself: strings as RFC 8785 §3.2.2.2 wants, and whole numbers.
  if (isSorted) return JSON.stringify(json);
  const text = canonicalize(json);
  if (text === undefined) throw new Error("A checked JSON value always has a text.");
  return text;
}

/** SHA-256 (64 hex characters) of `canonicalJson(value)` in UTF-8. */
export function canonicalSha256(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}

/** Containers around the items of a whole: the whole itself and its member lists. */
export const wholeFrameDepth = 2;

/**
 * Digest and size of a retained whole: an object whose members may be very long lists, or one such list.
 * Works item by item, so that no node bound applies to the whole; each item keeps the usual bounds.
 */
export function canonicalDigestOfWhole(content: unknown): { readonly sha256: string; readonly bytes: number } {
  return digestOfChunks(canonicalChunks(content, wholeFrameDepth));
}

/**
 * The pieces whose concatenation is the canonical text. The outer `frameDepth` levels of containers are opened and
 * written member by member; what lies deeper is one piece each, with the bounds of `canonicalJson`.
 */
export function* canonicalChunks(value: unknown, frameDepth: number): Generator<string> {
  if (frameDepth === 0 || typeof value !== "object" || value === null) {
    yield canonicalJson(value);
    return;
  }
  if (Array.isArray(value)) yield* arrayChunks(value, frameDepth - 1);
  else yield* objectChunks(value, frameDepth - 1);
}

/** Digest and size in bytes of a text that arrives in pieces. */
export function digestOfChunks(chunks: Iterable<string>): { readonly sha256: string; readonly bytes: number } {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const text of gathered(chunks)) {
    hash.update(text);
    bytes += Buffer.byteLength(text);
  }
  return { sha256: hash.digest("hex"), bytes };
}

/** Joins small pieces into pieces of about 64 Ki characters. Pieces never end inside a surrogate pair. */
export function* gathered(chunks: Iterable<string>): Generator<string> {
  let pending = "";
  for (const chunk of chunks) {
    pending += chunk;
    if (pending.length < 0x10000) continue;
    yield pending;
    pending = "";
  }
  if (pending !== "") yield pending;
}

function* arrayChunks(items: readonly unknown[], frameDepth: number): Generator<string> {
  let separator = "[";
  for (const item of items) {
    yield separator;
    // Long lists are mostly lists of items, and a generator for each would cost more than the item.
    if (frameDepth === 0) yield canonicalJson(item);
    else yield* canonicalChunks(item, frameDepth);
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}

function* objectChunks(value: object, frameDepth: number): Generator<string> {
  let separator = "{";
  // The default comparison of strings is by UTF-16 code unit, as RFC 8785 §3.2.3 wants.
  for (const [key, member] of plainEntries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    yield `${separator}${canonicalJson(key)}:`;
    yield* canonicalChunks(member, frameDepth);
    separator = ",";
  }
  yield separator === "{" ? "{}" : "}";
}
