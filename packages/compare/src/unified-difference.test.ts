import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { unifiedDifference } from "./index.js";

const place = mkdtempSync(join(tmpdir(), "rea-unified-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const patchProgram = "patch";
const present = spawnSync(patchProgram, ["--version"]).status === 0;

/** What the `patch` program makes of the left text. */
function patched(left: string, hunks: string): string {
  writeFileSync(join(place, "left"), left);
  writeFileSync(join(place, "hunks"), `--- left\n+++ left\n${hunks}`);
  const { status, stdout, stderr } = spawnSync(patchProgram, ["-s", "-o", "-", "left", "hunks"], { cwd: place, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

describe("a unified difference", () => {
  test("has three lines of context and counts as diff -u writes them", () => {
    const lines = (numbers: readonly (number | string)[]) => numbers.map((line) => `${String(line)}\n`).join("");
    const left = lines([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const right = lines([1, 2, 3, 4, "five", 6, 7, 8, 9]);
    expect(unifiedDifference({ left, right })).toBe("@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
    expect(unifiedDifference({ left: "", right: "a\n" })).toBe("@@ -0,0 +1 @@\n+a\n");
    expect(unifiedDifference({ left: "a", right: "a\n" })).toBe("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
    expect(unifiedDifference({ left: "a\r\n", right: "a\n" })).toBe("@@ -1 +1 @@\n-a\r\n+a\n");
    expect(unifiedDifference({ left, right: left })).toBe("");
  });

  test("of texts with nothing in common is called too large instead of taking for ever", () => {
    const many = (letter: string) => Array.from({ length: 20_000 }, (_, index) => `${letter}${String(index)}\n`).join("");
    expect(unifiedDifference({ left: many("a"), right: many("b") })).toBeUndefined();
  });

  test.skipIf(!present)("is what the patch program turns the left text into the right one with (skipped: no patch)", () => {
    const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "long line\n"), { maxLength: 30 }).map((lines) => lines.join(""));
    fc.assert(
      fc.property(text, text, fc.boolean(), (left, right, cut) => {
        const wanted = cut && right.length > 1 ? right.slice(0, -1) : right;
        const hunks = unifiedDifference({ left, right: wanted }) ?? "";
        if (hunks !== "" && left !== "") expect(patched(left, hunks)).toBe(wanted);
      }),
      { numRuns: 60 },
    );
  });
});
