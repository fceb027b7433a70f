import type { SyntaxNode } from "../syntax/node.js";

export type Bundler = "webpack" | "rspack" | "rollup" | "vite" | "esbuild" | "browserify" | "parcel" | "metro" | "turbopack" | "systemjs" | "amd" | "rolldown";

/** Which way a factory asks for other modules. */
export type RequireStyle =
  /** The parameter at this position is a function of a module id. */
  | { readonly kind: "call"; readonly parameter: number }
  /** As `call`, with names translated by a table beside the factory. */
  | { readonly kind: "named"; readonly parameter: number; readonly dependencies: ReadonlyMap<string, string> }
  /** Parameters are functions of an index into a list. */
  | { readonly kind: "indexed"; readonly parameters: readonly number[]; readonly dependencies: readonly string[] }
  /** Methods of a parameter: `e.i(id)`, `e.r(id)`. */
  | { readonly kind: "methods"; readonly parameter: number; readonly methods: ReadonlySet<string> }
  /** The factory is called without a way to require. */
  | { readonly kind: "none" };

/** A module as a bundler wrote it: its id and the function or text region that holds its code. */
export interface FoundModule {
  readonly bundler: Bundler;
  readonly id: string;
  /** A path or name that the bundle gives it. */
  readonly path: string | null;
  /** The factory; undefined where a module is a region between comments. */
  readonly factory: SyntaxNode | undefined;
  readonly start: number;
  readonly end: number;
  readonly requires: RequireStyle;
  readonly basis: string;
}

export interface FoundChunk {
  readonly bundler: Bundler;
  readonly ids: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly basis: string;
}
