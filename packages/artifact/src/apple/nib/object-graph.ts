/** A field of an archived object, whichever archive it comes from. */
export type GraphValue =
  | { readonly kind: "reference"; readonly index: number }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "data"; readonly bytes: Uint8Array }
  /** References that stand in a list of their own. */
  | { readonly kind: "list"; readonly indices: readonly number[] }
  | { readonly kind: "other" };

export interface GraphField {
  readonly key: string;
  readonly value: GraphValue;
}

export interface GraphObject {
  readonly className: string | null;
  readonly fields: readonly GraphField[];
  /** Of an object that is text and nothing else. */
  readonly text?: string;
  /** Of an object that is a number and nothing else. */
  readonly number?: number;
}

/** Fields of all objects together that are looked at; objects of an honest archive do not share theirs. */
export const mostFields = 2_000_000;

export type NibEncoding = "nib-archive" | "keyed-archive";

export interface NibFinding {
  readonly problem: string;
  readonly detail: string;
  readonly offset: number | null;
}

/** The objects of a compiled interface document as they are stored; nothing is made of them. */
export interface ObjectGraph {
  readonly encoding: NibEncoding;
  readonly version: string | null;
  readonly count: number;
  /** Fields of what leads to everything else. */
  readonly root: readonly GraphField[];
  /** Undefined for a number that leads nowhere. */
  object(index: number): GraphObject | undefined;
  /** Whether objects were left empty because all together have too many fields. */
  exhausted(): boolean;
  readonly findings: readonly NibFinding[];
}

export function fieldOf(fields: readonly GraphField[], key: string): GraphValue | undefined {
  return fields.find((field) => field.key === key)?.value;
}

/** The object that a field refers to; undefined when it refers to none. */
export function referenceIn(fields: readonly GraphField[], key: string): number | undefined {
  const value = fieldOf(fields, key);
  return value?.kind === "reference" ? value.index : undefined;
}

/** Text of a value, in place or in the string object it refers to. */
export function textOf(graph: ObjectGraph, value: GraphValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (value.kind === "text") return value.text;
  if (value.kind === "data") return Buffer.from(value.bytes).toString("utf8");
  const object = value.kind === "reference" ? graph.object(value.index) : undefined;
  if (object === undefined) return undefined;
  if (object.text !== undefined) return object.text;
  const stored = ["NS.string", "NS.bytes", "NSDev", "NSDevString"].map((key) => fieldOf(object.fields, key)).find((field) => field !== undefined);
  if (stored?.kind === "text") return stored.text;
  if (stored?.kind === "data") return Buffer.from(stored.bytes).toString("utf8");
  const inner = stored?.kind === "reference" ? graph.object(stored.index) : undefined;
  return inner?.text;
}

const listsLeft = new WeakMap<ObjectGraph, number>();

/**
 * Objects of the list that a value is or refers to, in order; empty for anything else, and once more has been read of
 * the archive's lists than an honest one holds.
 */
export function listOf(graph: ObjectGraph, value: GraphValue | undefined): readonly number[] {
  const object = value?.kind === "reference" ? graph.object(value.index) : undefined;
  const left = listsLeft.get(graph) ?? mostFields * 2;
  if (left <= 0) return [];
  const found = value?.kind === "list" ? value.indices : (object?.fields ?? []).flatMap(listed);
  listsLeft.set(graph, left - found.length - (object?.fields.length ?? 0));
  return found;
}

/** Whether the bound on fields or lists was met, so that something is missing. */
export function isCut(graph: ObjectGraph): boolean {
  return graph.exhausted() || (listsLeft.get(graph) ?? 1) <= 0;
}

function listed({ key, value }: GraphField): readonly number[] {
  if (key === "NS.objects" && value.kind === "list") return value.indices;
  return key === "UINibEncoderEmptyKey" && value.kind === "reference" ? [value.index] : [];
}
