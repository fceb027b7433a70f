import type { SyntaxNode } from "./node.js";

/** How a text was read. */
export type Dialect = "module" | "script";
export type Language = "javascript" | "jsx" | "typescript" | "tsx" | "flow";

export interface SyntaxProblem {
  readonly what: string;
  /** UTF-16 offset; null when the parser does not tell. */
  readonly offset: number | null;
}

export interface KeptComment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface ParsedScript {
  readonly program: SyntaxNode;
  readonly dialect: Dialect;
  readonly language: Language;
  /** Comments that say where code comes from: licences, bundler boundaries, source-map links. */
  readonly comments: readonly KeptComment[];
  /** Faults that the parser passed over. */
  readonly problems: readonly SyntaxProblem[];
}

export type ParseOutcome = ParsedScript | { readonly program: undefined; readonly problems: readonly SyntaxProblem[]; /** The parser's stack ended. */ readonly exhausted?: boolean };

/** What is known of a text before it is parsed. */
export interface ScriptName {
  /** Last segment of its path; "" when it has none. */
  readonly name: string;
  /** What a package says of its `.js` files; null when nothing does. */
  readonly moduleType: "module" | "commonjs" | null;
}

/** Comments worth keeping; all others are dropped while the text is read. */
const telling = /^[!#*\s]*(?:@license|@preserve|@cc_on|!|#region|[#@]\s*sourceMappingURL)|\bv?\d+\.\d+\.\d+|licen[cs]e|^ (?:[\w@.-]+\/)*[\w@.[\]-]+(?:\.[cm]?[jt]sx?|\.json|\.vue|\.svelte|\.css)$/iu;

const moduleSyntax = /(?:^|[\n;}])\s*(?:import\s*(?:[\w*{"'$]|\.meta)|export\s*[\w*{])/u;

/** The likelier reading first; a text with module syntax is hardly ever a script. */
export function dialectOrder(source: string, { name, moduleType }: ScriptName): readonly [Dialect, Dialect] {
  if (/\.m[jt]s$/iu.test(name)) return ["module", "script"];
  if (/\.c[jt]s$/iu.test(name)) return ["script", "module"];
  if (moduleType === "module" || moduleSyntax.test(source)) return ["module", "script"];
  return ["script", "module"];
}

/** Whether a parser gave up because its stack ended, in its own words or in the engine's. */
export function isExhausted(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && error.message.startsWith("Not enough stack space"));
}

const deep = 250;

/** Where brackets first nest deep: where a stack ends differs from run to run, this does not. */
function deepPlace(source: string): number {
  let depth = 0;
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    // ( [ {
    if (code === 0x28 || code === 0x5b || code === 0x7b) depth += 1;
    // ) ] }
    else if (code === 0x29 || code === 0x5d || code === 0x7d) depth -= 1;
    if (depth >= deep) return at;
  }
  return 0;
}

/** A parser's complaint without the words it quotes from the text. */
export function problemOf(error: unknown, source: string): SyntaxProblem {
  if (isExhausted(error)) return { what: "The text nests deeper than it can be read.", offset: deepPlace(source) };
  if (error instanceof Error && "pos" in error && typeof error.pos === "number") {
    return { what: "The text is not valid in any dialect that was tried.", offset: error.pos };
  }
  return { what: "The text could not be parsed.", offset: null };
}

export function keepsComment(value: string): boolean {
  return telling.test(value.length > 4096 ? value.slice(0, 4096) : value);
}
