import { parse as parseWithAcorn, type Comment, type Options } from "acorn";
import { isNode, type SyntaxNode } from "./node.js";

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

export type ParseOutcome = ParsedScript | { readonly program: undefined; readonly problems: readonly SyntaxProblem[] };

/** What is known of a text before it is parsed. */
export interface ScriptName {
  /** Last segment of its path; "" when it has none. */
  readonly name: string;
  /** What a package says of its `.js` files; null when nothing does. */
  readonly moduleType: "module" | "commonjs" | null;
}

/** Comments worth keeping; all others are dropped while the text is read. */
const telling = /^[!#*\s]*(?:@license|@preserve|@cc_on|!|#region|[#@]\s*sourceMappingURL)|\bv?\d+\.\d+\.\d+|licen[cs]e|^ (?:[\w@.-]+\/)*[\w@.[\]-]+(?:\.[cm]?[jt]sx?|\.json|\.vue|\.svelte|\.css)$/iu;
const mostComments = 50_000;

/**
 * Parses a text as inert data: acorn for plain JavaScript, Babel for everything else and for what acorn refuses. Never
 * throws; a text that nests deeper than a parser's stack is a problem with the position where that is known.
 */
export async function parseScript(source: string, named: ScriptName): Promise<ParseOutcome> {
  const typed = typedLanguage(named.name);
  if (typed === undefined) {
    const plain = parsePlain(source, named);
    if (plain.program !== undefined) return plain;
    if (plain.exhausted) return { program: undefined, problems: plain.problems };
    const other = (await import("./parse-dialects.js")).parseDialects(source, named, "javascript");
    return other.program === undefined ? { program: undefined, problems: plain.problems } : other;
  }
  return (await import("./parse-dialects.js")).parseDialects(source, named, typed);
}

/** The language a name promises when it is not plain JavaScript. */
function typedLanguage(name: string): Language | undefined {
  if (/\.d\.[cm]?ts$|\.[cm]?ts$/iu.test(name)) return "typescript";
  if (/\.tsx$/iu.test(name)) return "tsx";
  if (/\.jsx$/iu.test(name)) return "jsx";
  return undefined;
}

type Plain = ParsedScript | { readonly program: undefined; readonly exhausted: boolean; readonly problems: readonly SyntaxProblem[] };

function parsePlain(source: string, named: ScriptName): Plain {
  let first: Plain | undefined;
  for (const dialect of dialectOrder(source, named)) {
    const outcome = attempt(source, dialect);
    if (outcome.program !== undefined || outcome.exhausted) return outcome;
    // The reading that came further shows the real fault.
    if (first === undefined || reach(outcome) > reach(first)) first = outcome;
  }
  return first ?? { program: undefined, exhausted: false, problems: [] };
}

function reach({ problems }: Plain): number {
  return problems[0]?.offset ?? -1;
}

const moduleSyntax = /(?:^|[\n;}])\s*(?:import\s*(?:[\w*{"'$]|\.meta)|export\s*[\w*{])/u;

/** The likelier reading first; a text with module syntax is hardly ever a script. */
export function dialectOrder(source: string, { name, moduleType }: ScriptName): readonly [Dialect, Dialect] {
  if (/\.m[jt]s$/iu.test(name)) return ["module", "script"];
  if (/\.c[jt]s$/iu.test(name)) return ["script", "module"];
  if (moduleType === "module" || moduleSyntax.test(source)) return ["module", "script"];
  return ["script", "module"];
}

function attempt(source: string, dialect: Dialect): Plain {
  const comments: Comment[] = [];
  const options: Options = {
    ecmaVersion: "latest",
    sourceType: dialect,
    allowHashBang: true,
    allowReturnOutsideFunction: dialect === "script",
    allowAwaitOutsideFunction: dialect === "module",
    allowImportExportEverywhere: false,
    allowSuperOutsideMethod: true,
    checkPrivateFields: false,
    onComment: (block, value, start, end) => {
      if (comments.length < mostComments && telling.test(value.length > 4096 ? value.slice(0, 4096) : value)) {
        comments.push({ type: block ? "Block" : "Line", value: value.slice(0, 4096), start, end });
      }
    },
  };
  try {
    const program: unknown = parseWithAcorn(source, options);
    if (!isNode(program)) return { program: undefined, exhausted: false, problems: [] };
    const kept = comments.map(({ value, start, end }) => ({ text: value, start, end }));
    return { program, dialect, language: "javascript", comments: kept, problems: [] };
  } catch (error) {
    const problem = problemOf(error);
    return { program: undefined, exhausted: error instanceof RangeError, problems: [problem] };
  }
}

/** A parser's complaint without the words it quotes from the text. */
export function problemOf(error: unknown): SyntaxProblem {
  if (error instanceof RangeError) return { what: "The text nests deeper than it can be read.", offset: null };
  if (error instanceof Error && "pos" in error && typeof error.pos === "number") {
    return { what: "The text is not valid in any dialect that was tried.", offset: error.pos };
  }
  return { what: "The text could not be parsed.", offset: null };
}

export function keepsComment(value: string): boolean {
  return telling.test(value.length > 4096 ? value.slice(0, 4096) : value);
}
