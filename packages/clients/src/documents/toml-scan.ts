/** A pair of an inline table, by offsets of the text. */
export interface TomlPair {
  readonly path: readonly string[];
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** One statement of a TOML document: a header, or a key with its value. */
export interface TomlStatement extends TomlPair {
  readonly kind: "header" | "pair";
  /** Path of the table the statement stands in; of a header, its own. */
  readonly table: readonly string[];
  /** Of the line break behind it, or of the end of the text. */
  readonly lineEnd: number;
}

/** Where texts and comments stand. */
export type TomlSpans = [start: number, end: number][];

/** The statements of a text that is known to be valid TOML. Paths are from the root. */
export function tomlStatements(text: string): readonly TomlStatement[] {
  return new Scanner(text).statements();
}

/** Comments and texts of values, in order; keys are left out. */
export function tomlSecrets(text: string): TomlSpans {
  const scanner = new Scanner(text);
  scanner.statements();
  return scanner.spans.sort(([a], [b]) => a - b);
}

/** The pairs of the inline table that opens at an offset. */
export function inlinePairs(text: string, start: number): { readonly pairs: readonly TomlPair[]; readonly close: number } {
  return new Scanner(text, start).inlineTable();
}

class Scanner {
  readonly #text: string;
  #at: number;
  readonly spans: TomlSpans = [];

  constructor(text: string, at = 0) {
    this.#text = text;
    this.#at = at;
  }

  statements(): TomlStatement[] {
    const found: TomlStatement[] = [];
    let table: readonly string[] = [];
    for (this.#skipLines(); this.#at < this.#text.length; this.#skipLines()) {
      const start = this.#at;
      if (this.#peek() === "[") {
        table = this.#header();
        found.push({ kind: "header", path: table, table, start, valueStart: this.#at, end: this.#at, lineEnd: this.#lineEnd() });
        continue;
      }
      const path = [...table, ...this.#assigned()];
      const valueStart = this.#at;
      this.#value();
      found.push({ kind: "pair", path, table, start, valueStart, end: this.#at, lineEnd: this.#lineEnd() });
    }
    return found;
  }

  inlineTable(): { readonly pairs: readonly TomlPair[]; readonly close: number } {
    const pairs: TomlPair[] = [];
    this.#at += 1;
    for (this.#skipLines(); this.#peek() !== "}" && this.#at < this.#text.length; this.#skipLines()) {
      if (this.#peek() === ",") {
        this.#at += 1;
        continue;
      }
      const start = this.#at;
      const path = this.#assigned();
      const valueStart = this.#at;
      this.#value();
      pairs.push({ path, start, valueStart, end: this.#at });
    }
    const close = this.#at;
    this.#at += 1;
    return { pairs, close };
  }

  #peek(length = 1): string {
    return length === 1 ? this.#text.charAt(this.#at) : this.#text.slice(this.#at, this.#at + length);
  }

  #skipBlanks(): void {
    while (this.#peek() === " " || this.#peek() === "\t") this.#at += 1;
  }

  /** Blanks, line breaks and comments. */
  #skipLines(): void {
    for (;;) {
      const character = this.#peek();
      if (character === "#") this.#skipComment();
      else if (character !== "" && " \t\r\n".includes(character)) this.#at += 1;
      else return;
    }
  }

  #skipComment(): void {
    const start = this.#at;
    const feed = this.#text.indexOf("\n", this.#at);
    const end = feed === -1 ? this.#text.length : feed;
    this.#at = this.#text.charAt(end - 1) === "\r" && feed !== -1 ? end - 1 : end;
    this.spans.push([start, this.#at]);
  }

  /** To the line break behind a statement. */
  #lineEnd(): number {
    this.#skipBlanks();
    if (this.#peek() === "#") this.#skipComment();
    return this.#at;
  }

  #header(): readonly string[] {
    const brackets = this.#peek(2) === "[[" ? 2 : 1;
    this.#at += brackets;
    const path = this.#key();
    this.#at += brackets;
    return path;
  }

  /** A key and the equals sign behind it. */
  #assigned(): readonly string[] {
    const path = this.#key();
    this.#at += 1;
    this.#skipBlanks();
    return path;
  }

  #key(): readonly string[] {
    const parts: string[] = [];
    for (;;) {
      this.#skipBlanks();
      parts.push(this.#keyPart());
      this.#skipBlanks();
      if (this.#peek() !== ".") return parts;
      this.#at += 1;
    }
  }

  #keyPart(): string {
    const start = this.#at;
    const quote = this.#peek();
    if (quote !== '"' && quote !== "'") {
      while (/^[^\s.=\]}]$/.test(this.#peek())) this.#at += 1;
      if (this.#at === start) throw new Error("a text that was valid TOML has no key here");
      return this.#text.slice(start, this.#at);
    }
    this.#quoted(quote);
    const inside = this.#text.slice(start + 1, this.#at - 1);
    return quote === "'" ? inside : unescaped(inside);
  }

  /** A text in quotes of one line or several. */
  #quoted(quote: string): void {
    const triple = quote.repeat(3);
    const long = this.#peek(3) === triple;
    this.#at += long ? 3 : 1;
    for (; this.#at < this.#text.length; this.#at += 1) {
      if (quote === '"' && this.#peek() === "\\") {
        this.#at += 1;
      } else if (this.#peek(long ? 3 : 1) === (long ? triple : quote)) {
        this.#at += long ? 3 : 1;
        // Up to two quotes may stand before the three that close.
        for (let extra = 0; long && extra < 2 && this.#peek() === quote; extra += 1) this.#at += 1;
        return;
      }
    }
  }

  #value(): void {
    const start = this.#at;
    const character = this.#peek();
    if (character === '"' || character === "'") {
      this.#quoted(character);
      this.spans.push([start, this.#at]);
    } else if (character === "{") {
      this.inlineTable();
    } else if (character === "[") {
      this.#array();
    } else {
      // A date may hold one blank.
      while (/^[^,\]}#\r\n]$/.test(this.#peek())) this.#at += 1;
      while (this.#at > start && /[ \t]/.test(this.#text.charAt(this.#at - 1))) this.#at -= 1;
    }
  }

  #array(): void {
    this.#at += 1;
    for (this.#skipLines(); this.#peek() !== "]" && this.#at < this.#text.length; this.#skipLines()) {
      if (this.#peek() === ",") this.#at += 1;
      else this.#value();
    }
    this.#at += 1;
  }
}

const escapes: ReadonlyMap<string, string> = new Map([["b", "\b"], ["t", "\t"], ["n", "\n"], ["f", "\f"], ["r", "\r"]]);

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/g, (_all, short?: string, long?: string, one?: string) => {
    const code = short ?? long;
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
    return escapes.get(one ?? "") ?? one ?? "";
  });
}
