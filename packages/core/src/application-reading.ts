import type { Omission } from "./omission.js";

/** One place of a text in an application. */
export interface ApplicationSearchHit {
  /** Of the file, or of the original. */
  readonly path: string;
  readonly kind: "code" | "page" | "manifest" | "settings" | "map" | "original";
  /** Bytes, half-open. */
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
  /** From 0, in UTF-16 code units. */
  readonly column: number;
  /** The line around it, made safe to show. */
  readonly excerpt: string;
  /** The same place on the other side of a source map. */
  readonly counterpart: { readonly path: string; readonly line: number; readonly column: number } | null;
}

export interface ApplicationSearch {
  readonly hits: readonly ApplicationSearchHit[];
  readonly total: number;
  readonly next_offset: number | null;
  readonly omissions: readonly Omission[];
}

/** Originals that were written from source maps. */
export interface RecoveredSources {
  readonly output_root: string;
  readonly files: readonly { readonly relative_path: string; readonly sha256: string; readonly bytes: number }[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  readonly maps: number;
  /** Originals that maps name without holding their text. */
  readonly without_text: number;
}
