import { RE2JS, RE2JSException } from "re2js";
import type { ReaError } from "@rea/core";
import { invalidInput } from "../operations/refusals.js";

export interface SearchPattern {
  readonly pattern: string;
  readonly mode: "literal" | "regex";
  readonly case_sensitive: boolean;
}

export type TextMatcher = (text: string) => boolean;

/**
 * Compiles a search pattern. Literals compare by Unicode simple case folding unless case-sensitive; regular expressions
 * are RE2 syntax that is also valid ECMAScript with the `u` flag, run by an engine that is linear in the text.
 * Throws `invalid_request` (`invalid_format`) for any other pattern.
 */
export function compileMatcher(search: SearchPattern, operation: string): TextMatcher {
  if (search.mode === "regex") return regexMatcher(search, operation);
  if (search.case_sensitive) return (text) => text.includes(search.pattern);
  // With `u` and `i` ECMAScript compares by simple case folding; an escaped literal cannot backtrack.
  const literal = new RegExp(search.pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "iu");
  return (text) => literal.test(text);
}

function regexMatcher(search: SearchPattern, operation: string): TextMatcher {
  if (!isEcmaScript(search.pattern)) throw invalidPattern(operation);
  try {
    const compiled = RE2JS.compile(search.pattern, search.case_sensitive ? 0 : RE2JS.CASE_INSENSITIVE);
    return (text) => compiled.test(text);
  } catch (error) {
    if (error instanceof RE2JSException) throw invalidPattern(operation);
    throw error;
  }
}

function isEcmaScript(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").unicode;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function invalidPattern(operation: string): ReaError {
  return invalidInput(operation, "The pattern is not a regular expression of the supported dialect. Use mode literal for plain text.", {
    path: "pattern",
    reason: "invalid_format",
    expected: "RE2 syntax that is also valid ECMAScript with the u flag, without look-around and back-references",
  });
}
