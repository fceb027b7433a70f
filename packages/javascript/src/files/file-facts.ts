import type { ScriptFacts } from "../facts/script-facts.js";
import type { MapVerdict } from "../maps/read-map.js";
import type { DecodedText } from "../text/decode.js";

/** An original that a source map names. */
export interface OriginalFact {
  /** As the map gives it, its `sourceRoot` joined. */
  readonly name: string;
  /** Digest of its text in UTF-8; null when the map does not hold it. */
  readonly sha256: string | null;
  readonly bytes: number | null;
  readonly ignored: boolean;
  /** Segments that lead to it. */
  readonly segments: number;
  /** Where its code begins in the script, lines from 1; null when no segment leads to it. */
  readonly firstLine: number | null;
  readonly firstColumn: number | null;
  /** Positions in `modules` of the script's facts that hold most of its code. */
  readonly module: number | null;
  /** What it asks for; kept so that its text need not be. */
  readonly imports: readonly OriginalImport[];
}

export interface OriginalImport {
  readonly specifier: string;
  readonly kind: string;
  readonly isTypeOnly: boolean;
}

export interface MapFacts {
  readonly verdict: MapVerdict;
  readonly mappings: number;
  readonly originals: readonly OriginalFact[];
  readonly problems: readonly string[];
}

/** What one script says, placed in bytes, and what its source map adds. */
export interface FileFacts {
  readonly facts: ScriptFacts;
  readonly encoding: DecodedText["encoding"];
  readonly map: MapFacts | null;
}

/** A script in a page: its range in the page's bytes. */
export interface PageScript {
  readonly kind: "external" | "inline" | "import-map" | "preload" | "data";
  /** As the page has it, and resolved against its base; null for inline scripts. */
  readonly requested: string | null;
  readonly target: string | null;
  readonly isModule: boolean;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  /** Range of an inline script's text. */
  readonly content: { readonly start: number; readonly end: number; readonly line: number; readonly column: number } | null;
}

export interface PageFacts {
  readonly scripts: readonly PageScript[];
  readonly policies: readonly { readonly value: string; readonly start: number; readonly end: number; readonly line: number; readonly column: number }[];
  readonly webviews: readonly { readonly attributes: readonly string[]; readonly start: number; readonly end: number; readonly line: number; readonly column: number }[];
  readonly base: string | null;
  /** What its inline scripts say, in bytes of the page; null without any. */
  readonly inline: ScriptFacts | null;
}
