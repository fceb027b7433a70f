import {
  plistArrayOf,
  plistDictionaryOf,
  type PlistFindings,
  type PlistText,
  type PlistValue,
} from "./property-list.js";

/** Containers inside containers that the text forms are read to. */
const deepestText = 512;
const mostValues = 2_000_000;

interface Open {
  readonly kind: "array" | "dictionary";
  readonly offset: number;
  readonly items: PlistValue[];
  readonly entries: [PlistText, PlistValue][];
  key: PlistText | undefined;
}

/** Puts a property list together from begins, values and ends, without recursion; what is too deep or too much is left out. */
export class ListBuilder {
  readonly #findings: PlistFindings;
  readonly #open: Open[] = [];
  #tooDeep = 0;
  #values = 0;
  #root: PlistValue | undefined;

  constructor(findings: PlistFindings) {
    this.#findings = findings;
  }

  /** Open containers, those too deep to be kept among them. */
  get depth(): number {
    return this.#open.length + this.#tooDeep;
  }

  get root(): PlistValue | undefined {
    return this.#root;
  }

  /** Kind of the innermost open container; undefined outside and where it is too deep to be kept. */
  get inside(): "array" | "dictionary" | undefined {
    return this.#tooDeep > 0 ? undefined : this.#open.at(-1)?.kind;
  }

  get waitsForValue(): boolean {
    return this.#open.at(-1)?.key !== undefined;
  }

  begin(kind: "array" | "dictionary", offset: number): void {
    if (this.#tooDeep > 0 || this.#open.length >= deepestText) {
      if (this.#tooDeep === 0) this.add(this.#findings.unreadable("depth", offset));
      this.#tooDeep += 1;
      return;
    }
    this.#open.push({ kind, offset, items: [], entries: [], key: undefined });
  }

  end(offset: number): void {
    if (this.#tooDeep > 0) {
      this.#tooDeep -= 1;
      return;
    }
    const done = this.#open.pop();
    if (done === undefined) return;
    if (done.key !== undefined) this.#findings.add("missing_value", offset);
    this.add(done.kind === "array" ? plistArrayOf(done.offset, done.items) : plistDictionaryOf(done.offset, done.entries));
  }

  key(key: PlistText): void {
    const open = this.#tooDeep > 0 ? undefined : this.#open.at(-1);
    if (open?.kind !== "dictionary") {
      if (this.#tooDeep === 0) this.#findings.add("syntax", key.offset);
      return;
    }
    if (open.key !== undefined) this.#findings.add("missing_value", key.offset);
    open.key = key;
  }

  add(value: PlistValue): void {
    if (this.#tooDeep > 0) return;
    this.#values += 1;
    if (this.#values > mostValues) {
      this.#findings.add("too_many_values", null);
      return;
    }
    const open = this.#open.at(-1);
    if (open === undefined) {
      if (this.#root === undefined) this.#root = value;
      else this.#findings.add("trailing_data", value.offset);
      return;
    }
    if (open.kind === "array") {
      open.items.push(value);
      return;
    }
    if (open.key === undefined) {
      this.#findings.add("missing_key", value.offset);
      return;
    }
    open.entries.push([open.key, value]);
    open.key = undefined;
  }

  /** Closes what the end of the input left open. */
  finish(offset: number): PlistValue {
    if (this.depth > 0) this.#findings.add("truncated", offset);
    while (this.depth > 0) this.end(offset);
    return this.#root ?? this.#findings.unreadable("truncated", offset);
  }
}
