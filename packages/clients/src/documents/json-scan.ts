/** What a client's reader takes beyond JSON. */
export interface JsonRules {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
}

export type TokenKind = "{" | "}" | "[" | "]" | ":" | "," | "string" | "literal" | "end" | "error";

const literals = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
/** What needs no look inside quotes. */
const plain = /[^"\\\u0000-\u001F]*/y;
const punctuation: ReadonlySet<string> = new Set(["{", "}", "[", "]", ":", ","]);

/** Reads a text token by token; comments are passed over and remembered. */
export class JsonScanner {
  readonly text: string;
  /** Of the last token. */
  kind: TokenKind = "end";
  start = 0;
  end = 0;
  /** Why the last token is an error. */
  fault = "";
  readonly #comment: ((start: number, end: number) => void) | undefined;

  constructor(text: string, at = 0, comment?: (start: number, end: number) => void) {
    this.text = text;
    this.end = at;
    this.#comment = comment;
  }

  next(): TokenKind {
    this.#skip();
    this.start = this.end;
    const character = this.text.charAt(this.start);
    if (this.kind === "error") return this.kind;
    if (character === "") return this.#token("end", this.start);
    if (isPunctuation(character)) return this.#token(character, this.start + 1);
    if (character === '"') return this.#string();
    literals.lastIndex = this.start;
    const found = literals.exec(this.text);
    return found === null ? this.#fail("a value, or a name in double quotes, is expected here") : this.#token("literal", literals.lastIndex);
  }

  /** Blanks and comments. */
  #skip(): void {
    for (;;) {
      const character = this.text.charAt(this.end);
      if (character === " " || character === "\t" || character === "\n" || character === "\r") this.end += 1;
      else if (character !== "/") return;
      else if (!this.#skipComment()) return;
    }
  }

  #skipComment(): boolean {
    const start = this.end;
    const opening = this.text.slice(start, start + 2);
    if (opening === "//") {
      const feed = this.text.indexOf("\n", start);
      this.end = feed === -1 ? this.text.length : feed - (this.text.charAt(feed - 1) === "\r" ? 1 : 0);
    } else if (opening === "/*") {
      const close = this.text.indexOf("*/", start + 2);
      if (close === -1) {
        this.#fail("this comment is not closed");
        return false;
      }
      this.end = close + 2;
    } else {
      return false;
    }
    this.#comment?.(start, this.end);
    return true;
  }

  #string(): TokenKind {
    for (let at = this.start + 1; ; at += 1) {
      plain.lastIndex = at;
      plain.test(this.text);
      at = plain.lastIndex;
      const character = this.text.charAt(at);
      if (character === '"') return this.#token("string", at + 1);
      if (character === "" || character < " ") {
        this.start = character === "" ? this.start : at;
        return this.#fail(character === "" ? "this text in quotes is not closed" : "a control character stands in quotes");
      }
      if (character !== "\\") continue;
      const length = escapeLength(this.text, at);
      if (length === 0) {
        this.start = at;
        return this.#fail("this escape is unknown");
      }
      at += length - 1;
    }
  }

  #token(kind: TokenKind, end: number): TokenKind {
    this.kind = kind;
    this.end = end;
    return kind;
  }

  #fail(fault: string): TokenKind {
    this.fault = fault;
    this.kind = "error";
    return this.kind;
  }
}

function isPunctuation(character: string): character is "{" | "}" | "[" | "]" | ":" | "," {
  return punctuation.has(character);
}

function escapeLength(text: string, at: number): number {
  const next = text.charAt(at + 1);
  if (next === "u") return /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6)) ? 6 : 0;
  return next !== "" && '"\\/bfnrt'.includes(next) ? 2 : 0;
}
