import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

import { transformSync } from "esbuild";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { compareCodePoints, sortedSet } from "./code-point-order.js";

const wellFormed = fc.string({ unit: "binary" });

describe("compareCodePoints", () => {
  test("puts text beyond the basic plane last, where UTF-16 order does not", () => {
    expect(["\ufb01", "\u{1f600}", "a"].sort(compareCodePoints)).toEqual(["a", "\ufb01", "\u{1f600}"]);
    expect(["\ufb01", "\u{1f600}", "a"].sort()).toEqual(["a", "\u{1f600}", "\ufb01"]);
  });

  test("agrees with the order of the UTF-8 bytes", () => {
    fc.assert(
      fc.property(wellFormed, wellFormed, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });

  test("gives one order under every locale", () => {
    const source = readFileSync(new URL("./code-point-order.ts", import.meta.url), "utf8");
    const words = ["i", "I", "\u0131", "\u0130", "z", "\u00e4", "\u{1f600}", "\ufb01", "Z"];
    const script = `${transformSync(source, { loader: "ts" }).code}\nconsole.log(JSON.stringify(sortedSet(${JSON.stringify(words)})));`;
    const orders = ["C", "tr_TR.UTF-8", "sv_SE.UTF-8"].map((locale) => {
      const env = { ...process.env, LC_ALL: locale, LANG: locale };
      const run = spawnSync(process.execPath, ["--input-type=module", "--eval", script], { env, encoding: "utf8" });
      expect(run.stderr).toBe("");
      return run.stdout;
    });
    expect(new Set(orders).size).toBe(1);
    expect(orders[0]).toContain('["I","Z","i","z","ä","İ","ı","ﬁ","😀"]');
  });
});

describe("sortedSet", () => {
  test("keeps each text once", () => {
    expect(sortedSet(["b", "a", "b"])).toEqual(["a", "b"]);
  });
});
