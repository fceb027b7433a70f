import { ReaError } from "@rea/core";
import { describe, expect, test } from "vitest";
import { searchTexts } from "../src/search/search-texts.js";
import { compileMatcher, type SearchPattern } from "../src/search/text-matcher.js";

function matcher(pattern: string, options: Partial<SearchPattern> = {}) {
  return compileMatcher({ pattern, mode: "literal", case_sensitive: false, ...options }, "search_strings");
}

describe("literal patterns", () => {
  test("compare by Unicode case folding unless told otherwise", () => {
    expect(matcher("STRASSE grüße")("strasse GRÜẞE".replace("ẞ", "ß"))).toBe(true);
    expect(matcher("ſ")("S")).toBe(true);
    expect(matcher("abc", { case_sensitive: true })("xABCx")).toBe(false);
  });

  test("take every character for itself", () => {
    expect(matcher("a.c*[x](y){2}|^$/-\\d")("A.C*[X](Y){2}|^$/-\\D")).toBe(true);
    expect(matcher("a.c")("abc")).toBe(false);
  });
});

describe("regular expressions", () => {
  test("are RE2 syntax, without regard to case unless told otherwise", () => {
    const version = matcher("^v\\d+\\.(?:\\d+|x)$", { mode: "regex" });
    expect(version("V12.x")).toBe(true);
    expect(version("v12.")).toBe(false);
    expect(matcher("abc", { mode: "regex", case_sensitive: true })("ABC")).toBe(false);
  });

  test.each(["(?=a)b", "(?<!a)b", "(a)\\1", "(?i)abc", "[[:alpha:]]", "\\Qa\\E", "a{2000}", "(", "a**", "\\u0041(?<n>a)\\k<n>"])(
    "%s is outside the dialect and is refused without being repeated",
    (pattern) => {
      const refuse = () => matcher(pattern, { mode: "regex" });
      expect(refuse).toThrow(ReaError);
      try {
        refuse();
      } catch (error) {
        expect(error).toMatchObject({ code: "invalid_request", details: { issues: [{ path: "pattern", reason: "invalid_format" }] } });
        if (pattern.length > 1) expect(String(error)).not.toContain(pattern);
      }
    },
  );

  test("run in linear time where backtracking would not end", () => {
    expect(matcher("^(?:a+)+$", { mode: "regex" })(`${"a".repeat(50_000)}b`)).toBe(false);
  });
});

describe("the work bound", () => {
  const texts = ["aa", "bb", "ab", "ba"];
  const search = { count: texts.length, textsAt: (index: number) => [texts[index] ?? ""], checkpoint: () => undefined, what: "strings" };

  test("ends the search with the number of items not searched", () => {
    const hits = searchTexts({ ...search, matches: matcher("b"), limits: { perText: 10, total: 4 } });
    expect(hits.indices).toEqual([1]);
    expect(hits.omissions).toMatchObject([{ reason: "limit_operations", count: 2, limit: 4 }]);
  });

  test("counts items of which only the beginning was searched", () => {
    const hits = searchTexts({ ...search, matches: matcher("b"), limits: { perText: 1, total: 100 } });
    expect(hits.indices).toEqual([1, 3]);
    expect(hits.omissions).toMatchObject([{ reason: "limit_entry_bytes", count: 4 }]);
  });
});
