import { parse, type ParserOptions, type ParserPlugin } from "@babel/parser";
import { isNode } from "./node.js";
import { dialectOrder, isExhausted, keepsComment, problemOf, type Dialect, type KeptComment, type Language, type ParseOutcome, type ScriptName, type SyntaxProblem } from "./parse-outcome.js";

/** In the order in which they are tried, after the language that the name promises. */
const attempts: { readonly [L in Language]: readonly Language[] } = {
  javascript: ["jsx", "flow", "tsx", "typescript"],
  jsx: ["jsx", "tsx", "flow"],
  typescript: ["typescript", "tsx"],
  tsx: ["tsx", "typescript"],
  flow: ["flow"],
};

const shared: readonly ParserPlugin[] = [
  "estree",
  "decoratorAutoAccessors",
  "explicitResourceManagement",
  "importReflection",
  "sourcePhaseImports",
  "deferredImportEvaluation",
  "doExpressions",
  "exportDefaultFrom",
  "functionBind",
  "throwExpressions",
  ["optionalChainingAssign", { version: "2023-07" }],
  "regexpUnicodeSets",
];

const plugins: { readonly [L in Language]: readonly ParserPlugin[] } = {
  javascript: [],
  jsx: ["jsx"],
  typescript: [["typescript", { disallowAmbiguousJSXLike: false }]],
  tsx: ["jsx", "typescript"],
  flow: ["jsx", ["flow", { all: true }]],
};

interface Attempt {
  readonly language: Language;
  readonly dialect: Dialect;
  readonly decorators: "decorators" | "decorators-legacy";
  readonly declarations: boolean;
}

/** Parses what acorn does not know or does not take; see `parseScript`. The first reading without a fault wins, else the one with the fewest. */
export function parseDialects(source: string, named: ScriptName, promised: Language): ParseOutcome {
  let best: ParseOutcome | undefined;
  for (const attempt of attemptsOf(source, named, promised)) {
    const outcome = tryOne(source, attempt);
    if (outcome.program !== undefined && outcome.problems.length === 0) return outcome;
    if (outcome.program === undefined && outcome.exhausted === true) return outcome;
    if (best === undefined || better(outcome, best)) best = outcome;
    if (outcome.program === undefined && outcome.problems[0]?.offset === null) break;
  }
  return best ?? { program: undefined, problems: [] };
}

function* attemptsOf(source: string, named: ScriptName, promised: Language): Generator<Attempt> {
  const declarations = /\.d\.[cm]?ts$/iu.test(named.name);
  const [first, second] = dialectOrder(source, named);
  for (const language of attempts[promised]) {
    for (const dialect of [first, second]) yield { language, dialect, decorators: "decorators", declarations };
    if (source.includes("@")) yield { language, dialect: first, decorators: "decorators-legacy", declarations };
  }
}

function tryOne(source: string, { language, dialect, decorators, declarations }: Attempt): ParseOutcome {
  const own: readonly ParserPlugin[] = declarations ? [["typescript", { dts: true }]] : plugins[language];
  const decorating: ParserPlugin = decorators === "decorators" ? ["decorators", { allowCallParenthesized: true }] : "decorators-legacy";
  const options: ParserOptions = {
    sourceType: dialect,
    plugins: [...shared, decorating, ...own],
    errorRecovery: true,
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowImportExportEverywhere: true,
    allowSuperOutsideMethod: true,
    allowUndeclaredExports: true,
    allowNewTargetOutsideFunction: true,
    createImportExpressions: true,
    attachComment: false,
    createParenthesizedExpressions: false,
  };
  try {
    const file: unknown = parse(source, options);
    return fromFile(file, { language, dialect });
  } catch (error) {
    return { program: undefined, exhausted: isExhausted(error), problems: [problemOf(error, source)] };
  }
}

function fromFile(file: unknown, { language, dialect }: Pick<Attempt, "language" | "dialect">): ParseOutcome {
  if (!isNode(file)) return { program: undefined, problems: [] };
  const program = file["program"];
  if (!isNode(program)) return { program: undefined, problems: [] };
  return { program, dialect, language, comments: commentsOf(file["comments"]), problems: faultsOf(file["errors"]) };
}

function commentsOf(list: unknown): readonly KeptComment[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((comment: unknown) => {
    if (!isNode(comment)) return [];
    const value = comment["value"];
    return typeof value === "string" && keepsComment(value) ? [{ text: value.slice(0, 4096), start: comment.start, end: comment.end }] : [];
  });
}

function faultsOf(list: unknown): readonly SyntaxProblem[] {
  if (!Array.isArray(list)) return [];
  return list.slice(0, 16).map((error: unknown) => ({ ...problemOf(error, ""), what: "The text breaks a rule of its language here; the rest was read." }));
}

function better(one: ParseOutcome, other: ParseOutcome): boolean {
  if ((one.program === undefined) !== (other.program === undefined)) return one.program !== undefined;
  if (one.program === undefined) return (one.problems[0]?.offset ?? -1) > (other.problems[0]?.offset ?? -1);
  return one.problems.length < other.problems.length;
}
