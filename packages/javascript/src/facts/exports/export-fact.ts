import type { ValueShape } from "../value-shape.js";

/** Something that a file or a bundled module hands out by name. */
export interface ExportFact {
  /** `default`; `module.exports` for the value of a CommonJS module itself. */
  readonly name: string;
  readonly kind: "function" | "class" | "value" | "re-export" | "unknown";
  /** Shapes of what a function returns, of a class, or of the value. */
  readonly variants: readonly ValueShape[];
  /** Every return was understood, and there was room for all of them. */
  readonly isComplete: boolean;
  /** Where a re-export comes from. */
  readonly from: { readonly specifier: string; readonly name: string } | null;
}

export interface ExportFacts {
  readonly exports: readonly ExportFact[];
  /** Specifiers of `export * from`. */
  readonly stars: readonly string[];
  /** False when names are put together at run time, or there were more than are kept. */
  readonly isComplete: boolean;
}

export const noExports: ExportFacts = { exports: [], stars: [], isComplete: true };

/** What is known of an export apart from its name. */
export type ExportValue = Omit<ExportFact, "name">;

export const unknownExport: ExportValue = { kind: "unknown", variants: [], isComplete: false, from: null };

export function reExport(specifier: string, name: string): ExportValue {
  return { kind: "re-export", variants: [], isComplete: true, from: { specifier, name } };
}
