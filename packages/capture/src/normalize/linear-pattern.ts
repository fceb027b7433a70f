import { RE2JS, RE2JSException } from "re2js";
import type { TextRange } from "./tokens.js";
import { scenarioRefusal } from "../run/scenario-refusal.js";

/** A finder for one of a scenario's patterns: RE2 syntax that is also valid ECMAScript, run in time linear in the text. */
export function linearPattern(pattern: string): (text: string) => Iterable<TextRange> {
  const compiled = compile(pattern);
  return function* (text) {
    const matcher = compiled.matcher(text);
    while (matcher.find()) {
      const [start, end] = [matcher.start(), matcher.end()];
      if (end > start) yield { start, end };
    }
  };
}

function compile(pattern: string): RE2JS {
  try {
    if (!new RegExp(pattern, "u").unicode) throw new SyntaxError();
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException || error instanceof SyntaxError)) throw error;
    throw scenarioRefusal([
      { path: "scenario.normalization.patterns", reason: "invalid_format", expected: "RE2 syntax that is also valid ECMAScript with the u flag" },
    ]);
  }
}
