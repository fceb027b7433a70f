/** What is wrong with a property list at one place. */
export type PlistProblem =
  | "truncated"
  | "bad_trailer"
  | "bad_reference"
  | "unknown_type"
  | "bad_text"
  | "bad_number"
  | "bad_date"
  | "bad_data"
  | "depth"
  | "cycle"
  | "syntax"
  | "missing_key"
  | "missing_value"
  | "unknown_element"
  | "entity_declaration"
  | "unknown_entity"
  | "trailing_data"
  | "too_many_values";

export interface PlistFinding {
  readonly problem: PlistProblem;
  /** From the start of the list's bytes; null where there is no one place. */
  readonly offset: number | null;
}

interface At {
  /** From the start of the list's bytes. */
  readonly offset: number;
}

export interface PlistText extends At {
  readonly kind: "string";
  /** As stored; may hold halves of surrogate pairs. */
  readonly text: string;
}

/** A list of values, read when asked for; asking twice for one index gives one object. */
export interface PlistArray extends At {
  readonly kind: "array" | "set";
  readonly length: number;
  item(index: number): PlistValue;
}

/** Entries in stored order; a key may occur twice and need not be a string. */
export interface PlistDictionary extends At {
  readonly kind: "dictionary";
  readonly length: number;
  key(index: number): PlistValue;
  value(index: number): PlistValue;
}

export type PlistValue =
  | PlistText
  | (At & { readonly kind: "integer"; readonly value: bigint })
  | (At & { readonly kind: "real"; readonly value: number })
  | (At & { readonly kind: "boolean"; readonly value: boolean })
  /** Seconds from 2001-01-01T00:00:00Z. */
  | (At & { readonly kind: "date"; readonly seconds: number })
  | (At & { readonly kind: "data"; readonly bytes: Uint8Array })
  | (At & { readonly kind: "uid"; readonly value: bigint })
  | (At & { readonly kind: "null" })
  | PlistArray
  | PlistDictionary
  | (At & { readonly kind: "unreadable"; readonly problem: PlistProblem });

export type PlistFormat = "binary" | "xml" | "openstep";

export interface PropertyList {
  readonly format: PlistFormat;
  /** Of the text forms. */
  readonly encoding: string | null;
  readonly root: PlistValue;
  /** Objects of a binary list as its trailer counts them, as far as the file can hold their offsets. */
  readonly objectCount: number | null;
  /** Grows while values are asked for; at most `mostFindings`. */
  readonly findings: readonly PlistFinding[];
}

/** Reading in steps of some milliseconds, so that others get their turn; the list at the end, undefined for other bytes. */
export type PlistSteps = Generator<undefined, PropertyList | undefined, undefined>;

/** Tokens of the text forms that one step reads. */
export const tokensAStep = 4096;

const mostFindings = 200;

/** Findings in the order they were met, without repetition. */
export class PlistFindings {
  readonly list: PlistFinding[] = [];
  readonly #known = new Set<string>();

  add(problem: PlistProblem, offset: number | null): void {
    const key = `${problem} ${String(offset)}`;
    if (this.list.length >= mostFindings || this.#known.has(key)) return;
    this.#known.add(key);
    this.list.push({ problem, offset });
  }

  unreadable(problem: PlistProblem, offset: number): PlistValue {
    this.add(problem, offset);
    return { kind: "unreadable", offset, problem };
  }
}

const indexed = new WeakMap<PlistDictionary, ReadonlyMap<string, PlistValue>>();

/** Value under a string key; the last one where a key is repeated, as readers of the platform take it. */
export function plistEntry(value: PlistValue, name: string): PlistValue | undefined {
  if (value.kind !== "dictionary") return undefined;
  const index = indexed.get(value) ?? indexOf(value);
  indexed.set(value, index);
  return index.get(name);
}

function indexOf(value: PlistDictionary): ReadonlyMap<string, PlistValue> {
  const index = new Map<string, PlistValue>();
  for (let at = 0; at < value.length; at += 1) {
    const key = value.key(at);
    if (key.kind === "string") index.set(key.text, value.value(at));
  }
  return index;
}

/** A list whose values are at hand. */
export function plistArrayOf(offset: number, items: readonly PlistValue[]): PlistArray {
  const missing = (): PlistValue => ({ kind: "unreadable", offset, problem: "bad_reference" });
  return { kind: "array", offset, length: items.length, item: (index) => items[index] ?? missing() };
}

/** A dictionary whose entries are at hand. */
export function plistDictionaryOf(offset: number, entries: readonly (readonly [PlistText, PlistValue])[]): PlistDictionary {
  const missing = (): PlistValue => ({ kind: "unreadable", offset, problem: "bad_reference" });
  return {
    kind: "dictionary",
    offset,
    length: entries.length,
    key: (index) => entries[index]?.[0] ?? missing(),
    value: (index) => entries[index]?.[1] ?? missing(),
  };
}
