import type { PlistValue } from "@rea/binary";
import { referenceOf, type KeyedArchive } from "./keyed-archive.js";

const mostValues = 2_000_000;

export interface Reachable {
  /** Breadth first from the root; each object once. */
  readonly indices: readonly number[];
  /** False when there are more values in its fields than are followed. */
  readonly complete: boolean;
  /** References that lead to no object. */
  readonly dangling: number;
}

/** The objects that one object leads to, itself first, classes not counted. Linear in what they hold, cycles or not. */
export function reachableFrom(archive: KeyedArchive, root: number): Reachable {
  const seen = new Set([root]);
  let left = mostValues;
  let dangling = 0;
  for (const index of seen) {
    for (const reference of referencesIn(archive, index, () => (left -= 1) > 0)) {
      if (reference < archive.count) seen.add(reference);
      else dangling += 1;
    }
  }
  return { indices: [...seen], complete: left > 0, dangling };
}

function* referencesIn(archive: KeyedArchive, index: number, take: () => boolean): Generator<number> {
  const { kind, fields, value } = archive.object(index);
  if (kind === "class") return;
  const waiting: PlistValue[] = kind === "object" || kind === "dictionary" ? fields.map((field) => field.value).reverse() : [value];
  const known = new Set<PlistValue>();
  for (let next = waiting.pop(); next !== undefined && take(); next = waiting.pop()) {
    const reference = referenceOf(next);
    if (reference !== undefined) yield reference;
    else if (isContainer(next) && !known.has(next)) {
      known.add(next);
      for (let at = contentLength(next) - 1; at >= 0 && take(); at -= 1) waiting.push(contentAt(next, at));
    }
  }
}

type Container = Extract<PlistValue, { readonly kind: "array" | "set" | "dictionary" }>;

function isContainer(value: PlistValue): value is Container {
  return value.kind === "array" || value.kind === "set" || value.kind === "dictionary";
}

function contentLength(value: Container): number {
  return value.length;
}

function contentAt(value: Container, index: number): PlistValue {
  return value.kind === "dictionary" ? value.value(index) : value.item(index);
}
