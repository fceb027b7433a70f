import { ListBuilder } from "./build-list.js";
import type { ListText } from "./list-text.js";
import { openStepTokens, type OpenStepToken } from "./openstep-tokens.js";
import { PlistFindings, tokensAStep, type PlistSteps, type PlistText, type PlistValue } from "./property-list.js";

/**
 * The old text form: `{key = value;}`, `(a, b)`, `<0a0b>`, quoted and plain words, and the entries without braces of
 * `.strings` files. Undefined when the text does not begin like one. GNUstep's typed values (`<*I5>`) are read too.
 */
export function* openStepListSteps(text: ListText): PlistSteps {
  const findings = new PlistFindings();
  const tokens = openStepTokens(text, findings);
  const builder = new ListBuilder(findings);
  const reader = new OpenStepReader(builder, findings);
  let taken = 0;
  for (const token of tokens) {
    taken += 1;
    if (taken % tokensAStep === 0) yield undefined;
    if (!reader.take(token)) return undefined;
  }
  // A strings file may hold nothing but comments.
  if (/^\s*\/[*/]/.test(text.units)) reader.nothing();
  const root = reader.finish(text.offsetOf(text.units.length));
  return root === undefined ? undefined : { format: "openstep", encoding: text.encoding, root, objectCount: null, findings: findings.list };
}

/** A word in a dictionary is a key until `=` or `;` says what it was. */
class OpenStepReader {
  readonly #builder: ListBuilder;
  readonly #findings: PlistFindings;
  #word: PlistText | undefined;
  #state: "start" | "word" | "inside" = "start";
  /** Entries stand without braces around them. */
  #bare = false;

  constructor(builder: ListBuilder, findings: PlistFindings) {
    this.#builder = builder;
    this.#findings = findings;
  }

  /** False when the text is no property list of this form. */
  take(token: OpenStepToken): boolean {
    if (this.#state === "start") return this.#first(token);
    if (this.#state === "word") return this.#second(token);
    this.#next(token);
    return true;
  }

  /** Stands for no entries where nothing was met. */
  nothing(): void {
    if (this.#state !== "start") return;
    this.#builder.begin("dictionary", 0);
    this.#bare = true;
    this.#state = "inside";
  }

  finish(offset: number): PlistValue | undefined {
    if (this.#state !== "inside") return undefined;
    if (this.#bare && this.#builder.depth === 1 && this.#word === undefined) this.#builder.end(offset);
    return this.#builder.finish(offset);
  }

  #first(token: OpenStepToken): boolean {
    if (token.kind === "word") {
      this.#word = token.value;
      this.#state = "word";
      return true;
    }
    if (token.kind === "mark" && token.text !== "{" && token.text !== "(") return false;
    if (token.kind === "value" && token.value.kind === "unreadable") return false;
    this.#state = "inside";
    this.#next(token);
    return true;
  }

  /** A word at the very start begins the entries of a file without braces. */
  #second(token: OpenStepToken): boolean {
    if (token.kind !== "mark" || (token.text !== "=" && token.text !== ";") || this.#word === undefined) return false;
    const word = this.#word;
    this.#bare = true;
    this.#state = "inside";
    this.#word = undefined;
    this.#builder.begin("dictionary", word.offset);
    this.#value(word);
    this.#next(token);
    return true;
  }

  #next(token: OpenStepToken): void {
    if (token.kind === "mark") this.#mark(token.text, token.offset);
    else this.#value(token.value);
  }

  #value(value: PlistValue): void {
    const isKey = this.#builder.inside === "dictionary" && !this.#builder.waitsForValue;
    if (isKey && value.kind === "string") {
      if (this.#word !== undefined) this.#findings.add("syntax", value.offset);
      this.#word = value;
    } else this.#builder.add(value);
  }

  #mark(text: string, offset: number): void {
    switch (text) {
      case "{":
        return this.#builder.begin("dictionary", offset);
      case "(":
        return this.#builder.begin("array", offset);
      case "}":
      case ")":
        return this.#end(text === "}" ? "dictionary" : "array", offset);
      case "=":
        return this.#equals(offset);
      case ";":
        return this.#semicolon(offset);
      default:
        if (this.#builder.inside === "dictionary") this.#findings.add("syntax", offset);
    }
  }

  #equals(offset: number): void {
    if (this.#builder.inside === undefined && this.#builder.depth > 0) return;
    if (this.#word === undefined) this.#findings.add("missing_key", offset);
    else this.#builder.key(this.#word);
    this.#word = undefined;
  }

  /** `key;` stands for `key = key;`. */
  #semicolon(offset: number): void {
    const word = this.#word;
    this.#word = undefined;
    if (word !== undefined) {
      this.#builder.key(word);
      this.#builder.add(word);
    } else if (this.#builder.inside === "array") this.#findings.add("syntax", offset);
  }

  #end(kind: "array" | "dictionary", offset: number): void {
    const { inside, depth } = this.#builder;
    if (depth === 0 || (this.#bare && depth === 1)) {
      this.#findings.add("syntax", offset);
      return;
    }
    if (inside !== undefined && inside !== kind) this.#findings.add("syntax", offset);
    if (this.#word !== undefined) {
      this.#findings.add("missing_value", offset);
      this.#word = undefined;
    }
    this.#builder.end(offset);
  }
}
