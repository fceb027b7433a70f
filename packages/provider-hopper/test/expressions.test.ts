import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const python = ["/usr/bin/python3", "/usr/local/bin/python3"].find((path) => existsSync(path));
const script = fileURLToPath(new URL("./stand-in/match.py", import.meta.url));

type Case = readonly [pattern: string, folded: boolean, text: string];

/** For each case: whether it was found (null when the pattern is refused), and how many new moves that took. */
function match(cases: readonly Case[]): readonly (readonly [boolean | null, number])[] {
  const input = cases.map((each) => JSON.stringify(each)).join("\n");
  const output = execFileSync(python ?? "python3", [script], { input, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return output.trim().split("\n").map((line) => JSON.parse(line));
}

const letters = fc.constantFrom("a", "b", "B", "é", "É", "ß", "σ", "Σ", "7", "_", "-", " ", "猫", "🙂");
const text = fc.array(letters, { maxLength: 12 }).map((found) => found.join(""));
const one = fc.constantFrom("a", "b", "B", "é", "ß", "σ", "7", "_", " ", "猫", "🙂", ".", "\\d", "\\D", "\\w", "\\W", "[ab]", "[^aé]", "[a-c7]", "[^\\d]", "[Σ-ψ]", "\\x61", "\\.", "[\\-\\]]");
const mark = fc.constantFrom("", "", "*", "+", "?", "*?", "{2}", "{1,3}", "{0,2}?", "{2,}");
const pattern = fc.letrec<{ readonly whole: string; readonly part: string }>((tie) => ({
  part: fc.oneof(
    { weight: 5, arbitrary: fc.tuple(one, mark).map(([atom, times]) => atom + times) },
    { weight: 1, arbitrary: fc.constantFrom("^", "$", "\\b", "\\B") },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom("(", "(?:"), tie("whole"), mark).map(([open, inner, times]) => `${open}${inner})${times}`) },
    { weight: 1, arbitrary: fc.tuple(tie("whole"), tie("whole")).map(([left, right]) => `(?:${left}|${right})`) },
  ),
  whole: fc.array(tie("part"), { maxLength: 4 }).map((parts) => parts.join("")),
})).whole;

describe.skipIf(python === undefined)("the bridge's regular expressions", () => {
  test("find what ECMAScript finds", () => {
    const cases = fc.sample(fc.tuple(pattern, fc.boolean(), text), { numRuns: 4_000, seed: 7 });
    const expected = cases.map(([source, folded, value]) => new RegExp(source, folded ? "iu" : "u").test(value));
    const found = match(cases).map(([each]) => each);
    expect(found.map((each, index) => [...(cases[index] ?? []), each])).toEqual(expected.map((each, index) => [...(cases[index] ?? []), each]));
    expect(new Set(found)).toEqual(new Set([true, false]));
  });

  test("agree with ECMAScript on which letters are one", () => {
    const kinds: Case[] = [..."kKſsSµμİıẞßςσΣꭰᎠǅǆǄΩωΩ"].flatMap((a) => [..."kKſsSµμİıẞßςσΣꭰᎠǅǆǄΩωΩ"].flatMap((b): Case[] => [[a, true, b], [`[${a}]`, true, b], [`[^${a}]`, true, b]]));
    const expected = kinds.map(([source, , value]) => new RegExp(source, "iu").test(value));
    expect(match(kinds).map(([each], index) => [kinds[index], each])).toEqual(expected.map((each, index) => [kinds[index], each]));
  });

  test("know categories of characters", () => {
    const cases: Case[] = [["^\\p{Lu}$", false, "É"], ["^\\p{L}+$", false, "aé猫"], ["\\p{Nd}", false, "x٣"], ["^\\P{L}$", false, "猫"], ["[\\p{Lu}_]", false, "_"], ["\\p{Lu}", true, "é"]];
    expect(match(cases).map(([each]) => each)).toEqual([true, true, true, false, true, true]);
  });

  test("refuse what one of the two languages does not have", () => {
    const refused = ["(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(a)\\1", "(?<n>a)\\k<n>", "a++", "a**", "[a", "(a", "a)", "]", "}", "{1}", "*a", "^*", "\\b+", "\\q", "\\c", "\\u0061", "\\x{61}", "[]", "[^]", "[[:alpha:]]", "[z-a]", "[\\d-z]", "\\p{Greek}", "\\p{Letter}", "a{1001}", "a{3,2}", "(?i)a", "(?P<n>a)", "(?<1>a)", "(?<n>a)(?<n>b)", "\\", "\\01", `${"(".repeat(120)}a${")".repeat(120)}`];
    expect(match(refused.map((each) => [each, false, "a"])).map(([each], index) => [refused[index], each])).toEqual(refused.map((each) => [each, null]));
    const taken = ["(?<name>a)", "a{1000}", "\\/", "[a\\-z]", "[-a]", "[a-]", "", "|", "a||b"];
    expect(match(taken.map((each) => [each, false, "a".repeat(1_000)])).map(([each]) => each)).toEqual(taken.map((each) => each !== "\\/"));
  });

  test("take a number of moves that does not grow faster than the text, whatever the pattern", () => {
    const evil = ["(a*)*b", "(a|a)*b", "(a|aa)+$x", "(x+x+)+y", "(?:a?){40}a{40}b", "([a-z]+)+@", "^(([a-z])+.)+[A-Z]([a-z])+$"];
    for (const source of evil) {
      const [short, long] = match([[source, false, "a".repeat(1_000)], [source, false, "a".repeat(4_000)]]);
      expect(short?.[0], source).toBe(false);
      expect(long?.[1], source).toBeLessThanOrEqual(4 * (short?.[1] ?? 0) + 8);
    }
  });

  test("are never brought down by a pattern", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom(..."ab()[]{}|*+?^$\\.-,:<>=!pPdDwWsSbBxu0123Lé🙂"), maxLength: 24 }), { minLength: 200, maxLength: 200 }), (patterns) => {
        const found = match(patterns.map((each) => [each, false, "ab01 é🙂"]));
        for (const [index, [each]] of found.entries()) {
          if (each === null) continue;
          // What is taken is ECMAScript too, and says the same.
          const source = patterns[index] ?? "";
          expect([source, each]).toEqual([source, new RegExp(source, "u").test("ab01 é🙂")]);
        }
      }),
      { numRuns: 10 },
    );
  });
});
