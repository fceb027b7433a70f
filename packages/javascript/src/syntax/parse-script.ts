import { parse as parseWithAcorn, type Comment, type Options } from "acorn";
import { isNode } from "./node.js";
import { dialectOrder, isExhausted, keepsComment, problemOf, type Dialect, type Language, type ParsedScript, type ParseOutcome, type ScriptName, type SyntaxProblem } from "./parse-outcome.js";

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
      if (comments.length < mostComments && keepsComment(value)) {
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
    return { program: undefined, exhausted: isExhausted(error), problems: [problemOf(error, source)] };
  }
}
