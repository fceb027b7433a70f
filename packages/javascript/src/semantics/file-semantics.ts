import type { JsonValue, SemanticReason } from "@rea/core";

/** How sure an edge is: a position in `semanticCertainties` of core. */
export const certain = { observed: 0, high: 1, medium: 2, low: 3, unknown: 4 } as const;
export type Certainty = keyof typeof certain;

export interface Surety {
  readonly certainty: Certainty;
  readonly reason: SemanticReason;
}

/** Numbers of one node: kind, name, start, end, line, column, function around it (-1 for none). */
export const nodeStride = 7;
/** Numbers of one edge: relation, from, to, certainty, reason. */
export const edgeStride = 5;

/** What one function is like; digests are positions in `strings`, as many functions share them. */
export interface FunctionFacts {
  readonly node: number;
  /** Nodes of the parameters by position; -1 where there is none. */
  readonly parameters: readonly number[];
  readonly syntax: number;
  readonly flow: number;
  readonly literals: number;
  readonly relations: number;
  readonly arity: number;
  readonly effects: readonly string[];
}

/** What another module exports: asked for by specifier, or by id inside a bundle. */
export interface ModuleReference {
  /** As the code asks for it; null for a module of the same bundle, and for a global. */
  readonly specifier: string | null;
  /** Id of a module of the same bundle; null with a null specifier is a global. */
  readonly inside: string | null;
  /** Exported name and properties below it; empty for the whole module. */
  readonly path: readonly string[];
}

/** A name that another module gives a value. */
export interface ImportedName extends ModuleReference {
  readonly node: number;
}

/** A call whose target another module exports. */
export interface ImportedCall extends ModuleReference {
  readonly call: number;
  readonly isConstruction: boolean;
  /** Nodes that each argument may be. */
  readonly arguments: readonly (readonly number[])[];
}

/** A call that sends a message, with the nodes that each argument may be. */
export interface SentMessage {
  readonly call: number;
  readonly arguments: readonly (readonly number[])[];
}

/** A value that a module gives to others, or hands on from another module. */
export interface ExportedName {
  readonly name: string;
  /** Where it stands: tells which module of a bundle it is of. */
  readonly at: number;
  readonly nodes: readonly number[];
  readonly from: ModuleReference | null;
}

/** What one file says of values, calls and effects: numbers and shared texts only, so that it is cheap to keep. */
export interface FileSemantics {
  readonly strings: readonly string[];
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly functions: readonly FunctionFacts[];
  readonly properties: readonly (readonly [number, { readonly [key: string]: JsonValue }])[];
  readonly imports: readonly ImportedName[];
  readonly calls: readonly ImportedCall[];
  readonly messages: readonly SentMessage[];
  readonly exports: readonly ExportedName[];
  /** Nodes that were left out at the bound of a module or of the file. */
  readonly left: number;
}

/** How many nodes one module, and one file, may have. Functions have a part of their own, so that they come first. */
export interface SemanticLimits {
  readonly moduleNodes: number;
  readonly fileNodes: number;
}
