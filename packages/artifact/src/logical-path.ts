import { escapeBytes, escapeUntrusted, sha256Hex, truncateCodePoints } from "@rea/core";
import type { EntryName } from "./format.js";

/** Why a name is not safe to use as a path. */
export type UnsafeRule =
  | "encoding"
  | "nul"
  | "backslash"
  | "absolute"
  | "drive"
  | "empty_segment"
  | "dot_segment"
  | "path_bytes"
  | "depth"
  | "empty";

const sentences: { readonly [R in UnsafeRule]: string } = {
  encoding: "The name is not valid text in its declared encoding.",
  nul: "The name contains a NUL character.",
  backslash: "The name contains a backslash.",
  absolute: "The name is an absolute path.",
  drive: "The name starts with a drive letter.",
  empty_segment: "The name has an empty segment.",
  dot_segment: "The name has a segment that means this or the parent directory.",
  path_bytes: "The path is longer than the bound max_path_bytes.",
  depth: "The name has more than 256 segments.",
  empty: "The name is empty.",
};

/** More than any system's paths need; each segment may imply a directory that keeps its whole path. */
const maximumSegments = 256;
/** Characters of a name, or bytes of one that is no text, that are shown; an escape is several characters long. */
const shownCharacters = 4096;

export interface PlacedName {
  /** Segments of the logical path below the container, escaped and NFC-normalised; one `unsafe/…` pair when unsafe. */
  readonly segments: readonly string[];
  /** The escaped original where it differs from the path. */
  readonly rawName: string | null;
  /** Set when the name must never become a path on disk. */
  readonly unsafe: { readonly rule: UnsafeRule; readonly why: string } | undefined;
}

/**
 * Turns a member's name into the path it is known by (contract: names are NFC-normalised, exclamation marks at the end of
 * a segment doubled). A `./` in front, which archivers write for everything below the current directory, is left out.
 * Undefined for the name of the container's own top (`./`).
 */
export function placeName(name: EntryName, bounds: { readonly prefixBytes: number; readonly maxPathBytes: number }): PlacedName | undefined {
  const { text } = name;
  if (text === undefined) return unsafeName(name, "encoding");
  const plain = withoutTrailingSlash(withoutLeadingDots(text));
  if (plain === "" && text !== "") return /^[./]+$/u.test(text) && !text.startsWith("/") ? undefined : unsafeName(name, "absolute");
  const rule = brokenRule(plain);
  if (rule !== undefined) return unsafeName(name, rule);
  const segments = plain.normalize("NFC").split("/").map(pathSegment);
  if (segments.length > maximumSegments) return unsafeName(name, "depth");
  const path = segments.join("/");
  if (bounds.prefixBytes + Buffer.byteLength(path) > bounds.maxPathBytes) return unsafeName(name, "path_bytes");
  return { segments, rawName: path === text && name.stored === undefined ? null : shownName(name), unsafe: undefined };
}

/** One segment as it stands in a logical path. */
function pathSegment(segment: string): string {
  const marks = /!+$/.exec(segment)?.[0] ?? "";
  return escapeUntrusted(segment) + marks;
}

function withoutLeadingDots(text: string): string {
  let at = 0;
  while (text.startsWith("./", at)) at += 2;
  const rest = text.slice(at);
  return rest === "." ? "" : rest;
}

/** Archives mark directories by a slash at the end. */
function withoutTrailingSlash(text: string): string {
  return text.length > 1 && text.endsWith("/") && !text.endsWith("//") ? text.slice(0, -1) : text;
}

function brokenRule(text: string): UnsafeRule | undefined {
  if (text === "") return "empty";
  if (text.includes("\0")) return "nul";
  if (text.includes("\\")) return "backslash";
  if (text.startsWith("/")) return "absolute";
  if (/^[A-Za-z]:/.test(text)) return "drive";
  if (text.startsWith("/") || text.endsWith("/") || text.includes("//")) return "empty_segment";
  return /(?:^|\/)\.{1,2}(?:\/|$)/.test(text) ? "dot_segment" : undefined;
}

function unsafeName(name: EntryName, rule: UnsafeRule): PlacedName {
  return {
    segments: ["unsafe", sha256Hex(name.bytes).slice(0, 16)],
    rawName: shownName(name),
    unsafe: { rule, why: isLong(name) ? `${sentences[rule]} The first ${String(shownCharacters)} characters of it are shown.` : sentences[rule] },
  };
}

/** The beginning of a name with everything made visible, for showing only. */
function shownName({ bytes, text, stored }: EntryName): string {
  const shown = stored ?? text;
  return shown === undefined ? shownBytes(bytes) : escapeUntrusted(truncateCodePoints(shown, shownCharacters).text);
}

/** The beginning of bytes that may be text, as `shownName` shows it. */
export function shownBytes(bytes: Uint8Array): string {
  return escapeBytes(bytes.subarray(0, shownCharacters), "utf-8");
}

function isLong({ bytes, text, stored }: EntryName): boolean {
  const shown = stored ?? text;
  return shown === undefined ? bytes.length > shownCharacters : truncateCodePoints(shown, shownCharacters).truncated;
}

/** The path of a container's members starts with this; the root's is empty. */
export function memberPrefix(containerPath: string): string {
  return containerPath === "." ? "" : `${containerPath}!/`;
}
