import { problemAt, type ConfigProblem } from "./config-text.js";
import { JsonScanner, type JsonRules, type TokenKind } from "./json-scan.js";

/**
 * Checks a whole text against JSON and the rules, without recursion. Returns the first problem, or the text as strict JSON
 * of the same length: comments and trailing commas are blanks in it.
 */
export function strictJson(text: string, rules: JsonRules): { readonly json: string } | ConfigProblem {
  const comments: [start: number, end: number][] = [];
  const scanner = new JsonScanner(text, 0, (start, end) => comments.push([start, end]));
  const grammar = new Grammar();
  for (;;) {
    const kind = scanner.next();
    const [comment] = comments;
    if (comment !== undefined && !rules.comments) return problemAt(text, comment[0], "a comment stands here, which this client does not read");
    const fault = kind === "error" ? scanner.fault : kind === "end" ? grammar.end() : grammar.take(kind, scanner.start);
    if (fault !== null) return problemAt(text, scanner.start, fault);
    const [comma] = grammar.trailingCommas;
    if (comma !== undefined && !rules.trailingCommas) {
      return problemAt(text, comma[0], "a comma stands before the closing bracket, which this client does not read");
    }
    if (kind === "end") return { json: blanked(text, [...comments, ...grammar.trailingCommas]) };
  }
}

/** What may come next. Each answer is a fault in words, or null. */
class Grammar {
  readonly trailingCommas: [start: number, end: number][] = [];
  readonly #open: ("{" | "[")[] = [];
  #expects: "value" | "first" | "name" | "colon" | "separator" = "value";
  /** Of the comma just passed; -1 when the last token was none. */
  #comma = -1;

  end(): string | null {
    const inside = this.#open.at(-1);
    if (inside !== undefined) return `the file ends before the closing ${inside === "{" ? "}" : "]"}`;
    return this.#expects === "separator" ? null : "the file ends before a value";
  }

  take(kind: TokenKind, at: number): string | null {
    const inside = this.#open.at(-1);
    if ((kind === "}" && inside === "{") || (kind === "]" && inside === "[")) {
      if (this.#expects === "separator" || this.#expects === "first" || this.#comma !== -1) return this.#close();
    }
    const wanted = this.#expects === "first" ? (inside === "{" ? "name" : "value") : this.#expects;
    this.#comma = -1;
    switch (wanted) {
      case "separator":
        return this.#separator(kind, at, inside);
      case "colon":
        return this.#only(kind === ":", "value", "a colon is expected here");
      case "name":
        return this.#only(kind === "string", "colon", "a name in double quotes is expected here");
      case "value":
        return this.#value(kind);
    }
  }

  #close(): null {
    if (this.#comma !== -1) this.trailingCommas.push([this.#comma, this.#comma + 1]);
    this.#comma = -1;
    this.#open.pop();
    this.#expects = "separator";
    return null;
  }

  #separator(kind: TokenKind, at: number, inside: "{" | "[" | undefined): string | null {
    if (inside === undefined) return "something follows after the end";
    if (kind !== ",") return "a comma or a closing bracket is expected here";
    this.#comma = at;
    this.#expects = inside === "{" ? "name" : "value";
    return null;
  }

  #only(right: boolean, next: "value" | "colon", fault: string): string | null {
    if (!right) return fault;
    this.#expects = next;
    return null;
  }

  #value(kind: TokenKind): string | null {
    if (kind === "{" || kind === "[") {
      this.#open.push(kind);
      this.#expects = "first";
      return null;
    }
    if (kind !== "string" && kind !== "literal") return "a value is expected here";
    this.#expects = "separator";
    return null;
  }
}

function blanked(text: string, ranges: readonly (readonly [start: number, end: number])[]): string {
  let result = "";
  let at = 0;
  for (const [start, end] of [...ranges].sort(([a], [b]) => a - b)) {
    result += text.slice(at, start) + text.slice(start, end).replace(/[^\r\n]/g, " ");
    at = end;
  }
  return result + text.slice(at);
}
