import { deepOperations } from "@rea/core";
import type { AnalysisClient } from "@rea/provider";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, GhidraBench, result } from "./ghidra-bench.js";
import { standInAbsent } from "./stub-installation.js";
import { smallProgram } from "./stub-program.js";

const texts = ["", "a", "abc", "ABC abc", "foo_bar::baz", "größer GRÖSSER", "line\nbreak", "a.b*c", "\u{1f600}x", "x".repeat(40), "ſtraße K", "0x00401000", "{}[]()", "tab\tend", "aaaa", "ab12cd"];

describe.skipIf(standInAbsent !== undefined)("searches in Ghidra", () => {
  let bench: GhidraBench;
  let client: AnalysisClient;
  beforeAll(async () => {
    bench = new GhidraBench();
    const data = texts.map((string, index) => ({ at: `0x${(0x402000 + index * 64).toString(16)}`, length: 64, string, charset: "UTF-8" }));
    client = await bench.open(smallProgram({ data }));
  });
  afterAll(async () => {
    await client.close();
    await bench.close();
  });

  async function found(question: object): Promise<string[]> {
    const page = deepOperations.search_strings.result.parse(await result(client, "search_strings", question));
    return page.items.map(({ value }) => value.replaceAll("\\u{a}", "\n").replaceAll("\\u{9}", "\t")).sort();
  }

  it("finds procedures by any of their names", async () => {
    expect(await result(client, "search_procedures", { pattern: "MAIN" })).toMatchObject({ items: [{ address: "0x401000", value: "main" }], total: 1 });
    expect(await result(client, "search_procedures", { pattern: "alias", case_sensitive: true })).toMatchObject({ items: [{ address: "0x401000", value: "main_alias" }] });
    expect(await result(client, "search_procedures", { pattern: "^FUN_[0-9a-f]{8}$", mode: "regex", case_sensitive: true })).toMatchObject({ items: [{ address: "0x401080" }] });
    expect(await result(client, "search_procedures", { pattern: "nothing has this" })).toMatchObject({ items: [], total: 0, coverage: { state: "complete" } });
  });

  it("compares literals without letter case unless asked to", async () => {
    expect(await found({ pattern: "AbC" })).toEqual(["ABC abc", "abc"]);
    expect(await found({ pattern: "ABC", case_sensitive: true })).toEqual(["ABC abc"]);
    expect(await found({ pattern: "GRÖSSER" })).toEqual(["größer GRÖSSER"]);
    expect(await found({ pattern: "a.b*" })).toEqual(["a.b*c"]);
  });

  // What the dialect's two languages agree on can be judged by this one.
  const patterns = ["a", "^a", "c$", "a|b", "(?:ab)+", "(?<n>a)b", "a{2}", "a{2,}", "^a{1,4}$", "[a-c]", "[^a-z]", "[\\d_]", "\\d+", "\\bbar\\b", "\\w+::\\w+", "\\W", "\\.", "\\*", "x{10,40}", "^$", "\\u{2}|a".slice(6), "a??b", "[a\\-c]", "\\x41", "\\p{Lu}", "\\P{L}", "[\\p{Nd}a]", "(a|ab)(c|bcd)?$", "a*?b", "[^]".slice(3) + "z?", "\\t", "(?:a?){20}a{4}", "[.]b", "\\{\\}", "^[^\\n]*$"];
  it.each(patterns)("understands %s as ECMAScript does", async (pattern) => {
    for (const case_sensitive of [true, false]) {
      const judge = new RegExp(pattern, case_sensitive ? "u" : "iu");
      const expected = texts.filter((text) => judge.test(text)).sort();
      expect(await found({ pattern, mode: "regex", case_sensitive })).toEqual(expected);
    }
  });

  it("understands what is put together of these as ECMAScript does", async () => {
    const atom = fc.constantFrom("a", "b", "c", ".", "[ab]", "[^a]", "\\d", "\\w", "(?:ab)", "x", "\\b", "^", "$");
    const times = fc.constantFrom("", "*", "+", "?", "{2}", "{1,3}", "*?");
    const piece = fc.tuple(atom, times).map(([one, many]) => (["\\b", "^", "$"].includes(one) ? one : one + many));
    const pattern = fc.array(fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join("")), { minLength: 1, maxLength: 3 }).map((branches) => branches.join("|"));
    await fc.assert(
      fc.asyncProperty(pattern, async (text) => {
        const judge = new RegExp(text, "u");
        // A line feed is what `.` does not match in both; other line ends are in none of the texts.
        expect(await found({ pattern: text, mode: "regex", case_sensitive: true })).toEqual(texts.filter((each) => judge.test(each)).sort());
      }),
      { numRuns: 150 },
    );
  });

  it.each(["(", "a**", "[", "[]", "a{", "{2}", "(?=a)", "(?!a)", "(?<=a)", "(a)\\1", "\\k<n>", "\\u0041", "\\cA", "(?i)a", "[z-a]", "a{1001}", "\\", "\\p{Greek}", "\\p{Script=Greek}", "[[:alpha:]]", "x{1000}{1000}", "(?:(?:a{1000}){1000}){1000}", "(?P<n>a)", "\\q", "^*"])("refuses %s, which is not of the dialect", async (pattern) => {
    await expect(ask(client, "search_strings", { pattern, mode: "regex" })).rejects.toMatchObject({
      code: "invalid_request",
      details: { issues: [{ path: "pattern", reason: "invalid_format" }] },
    });
  });
});

describe.skipIf(standInAbsent !== undefined)("a pattern made to take for ever", () => {
  it("does not: an engine that goes back would need 2^40 steps", async () => {
    const bench = new GhidraBench();
    const client = await bench.open({
      blocks: [{ name: ".rodata", start: "0x1000", size: 0x10000, permissions: "r", file_offset: 0 }],
      data: Array.from({ length: 50 }, (_, index) => ({ at: `0x${(0x1000 + index * 16).toString(16)}`, length: 16, string: "a".repeat(4_000) })),
    });
    for (const pattern of ["(a+)+$b", "(a|a)*c", "(?:a*)*b", "(?:a?){60}a{60}b", "^(([a-z])+.)+[A-Z]([a-z])+$"]) {
      expect(await result(client, "search_strings", { pattern, mode: "regex", case_sensitive: true })).toMatchObject({ total: 0 });
    }
    await client.close();
    await bench.expectNothingLeft();
    await bench.close();
  });
});

describe.skipIf(standInAbsent !== undefined)("a search that is given up", () => {
  it("goes on where it stopped when it is asked for again, until all was searched", async () => {
    const bench = new GhidraBench();
    const client = await bench.open({
      blocks: [{ name: ".rodata", start: "0x1000", size: 0x100000, permissions: "r", file_offset: 0 }],
      data: Array.from({ length: 1_500 }, (_, index) => ({ at: `0x${(0x1000 + index * 16).toString(16)}`, length: 16, string: `${"ab ".repeat(100)}${String(index)}` })),
    });
    const question = { pattern: "(?:[a-z]+ ?){1,30}[0-9]*9$", mode: "regex" };
    let givenUp = 0;
    for (let last = -1; ; ) {
      const controller = new AbortController();
      const reached: number[] = [];
      // The bridge reports at most every 100 ms; the first report gives the search up.
      const report = ({ phase, completed }: { readonly phase: string; readonly completed: number }): void => {
        if (phase !== "searching_strings" || completed <= last) return;
        reached.push(completed);
        controller.abort();
      };
      const answer = await ask(client, "search_strings", question, { signal: controller.signal, progress: { report } }).catch((error: unknown) => error);
      if (!(answer instanceof Error)) {
        expect(answer).toMatchObject({ result: { total: 150, coverage: { state: "complete" } } });
        break;
      }
      expect(answer).toMatchObject({ code: "cancelled" });
      givenUp += 1;
      last = reached[0] ?? last;
    }
    expect(givenUp).toBeGreaterThan(0);
    await client.close();
    await bench.expectNothingLeft();
    await bench.close();
  });
});
