import type { Confidence } from "./evidence.js";

/** Half-open range of UTF-16 code units in the text that was read. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Something a script's syntax shows, with the place that shows it. */
export interface ScriptFact {
  readonly value: string;
  /** How it was recognised: a short word of the reader, such as `fetch-call` or `route-object`. */
  readonly basis: string;
  /** `observed` for a literal in its place, `inferred` for what a pattern suggests. */
  readonly confidence: Extract<Confidence, "observed" | "inferred">;
  readonly range: TextRange;
}

/** A module or chunk that a bundler wrote into a script. */
export interface ScriptPart extends ScriptFact {
  readonly kind: "chunk" | "module";
}

/** A tool or library that a script shows signs of. */
export interface ScriptHint {
  readonly kind: "bundler" | "framework" | "package";
  readonly name: string;
  readonly version: string | null;
  readonly basis: string;
}

/** What one script says, read from its syntax; nothing of it is ever run. All text is unescaped and untrusted. */
export interface ScriptReading {
  /** `unreadable`: no dialect could parse it; `problems` says where. */
  readonly dialect: "script" | "module" | "unreadable";
  readonly parts: readonly ScriptPart[];
  readonly endpoints: readonly ScriptFact[];
  readonly routes: readonly ScriptFact[];
  readonly hints: readonly ScriptHint[];
  /** As the last `sourceMappingURL` comment gives it. */
  readonly sourceMapUrl: string | null;
  readonly problems: readonly { readonly what: string; readonly offset: number | null }[];
  /** Findings left out because a limit was reached. */
  readonly omitted: number;
}

/** What a source map says. */
export interface SourceMapReading {
  readonly verdict: "complete" | "partial" | "contradicting" | "unreadable";
  readonly sources: readonly {
    readonly name: string;
    /** Null when the map does not hold the text. */
    readonly content: string | null;
  }[];
  readonly mappings: number;
  readonly problems: readonly string[];
}

/** Reads scripts and source maps as data. Never throws for what the text holds. */
export interface ScriptReader {
  readScript(text: string, limits: { readonly astNodes: number; readonly findings: number }): Promise<ScriptReading>;
  readSourceMap(text: string, limits: { readonly sources: number; readonly mappings: number }): Promise<SourceMapReading>;
}
