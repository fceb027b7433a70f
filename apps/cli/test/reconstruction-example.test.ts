import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { cliMain } from "./run-cli.js";

const place = mkdtempSync(join(tmpdir(), "rea-reconstruction-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const original = spawnSync("cksum", ["--version"], { encoding: "utf8" });
// Others word their messages in another way.
const isThere = process.platform === "linux" && /coreutils/u.test(original.stdout ?? "");

describe.skipIf(!isThere)("the example of a reconstruction (skipped: no cksum of GNU coreutils on this host)", () => {
  cpSync(fileURLToPath(new URL("../../../docs/examples/reconstruction", import.meta.url)), place, { recursive: true });
  const copied = join(place, "copy");
  const verify = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(place, "verify.mjs"), ...words], { encoding: "utf8", env: { ...process.env, HOME: join(place, "home"), LC_ALL: "C", NO_COLOR: "1", REA_MAIN: cliMain } });
    return { status, stderr, lines: stdout.split("\n") };
  };
  const verdict = (lines: readonly string[], claim: string) => lines.find((line) => line.includes(claim))?.split(" ")[0];

  test("fails with the line that the copy printed beside that of the original", () => {
    const { status, lines, stderr } = verify();
    expect([status, lines[0], stderr]).toEqual([1, "fail: 2 passed, 1 failed, 0 unknown", ""]);
    const [sum] = spawnSync("cksum", [join(place, "inputs", "long.txt")], { encoding: "utf8" }).stdout.split(" ");
    expect(lines.find((line) => line.includes("first_difference"))).toMatch(new RegExp(String.raw`at /dimensions/0/first_difference: \d+ 567 long\.txt.*, not ${String(sum)} 567 long\.txt`, "u"));
  }, 120_000);

  test("passes after the fix, and is unknown without the runs on one input", () => {
    copyFileSync(join(copied, "length-bytes.fixed.mjs"), join(copied, "length-bytes.mjs"));
    const fixed = verify();
    expect([fixed.status, fixed.lines[0], fixed.stderr]).toEqual([0, "pass: 3 passed, 0 failed, 0 unknown", ""]);
    const { status, lines } = verify("--without", "long");
    expect([status, lines[0], verdict(lines, "long-file")]).toEqual([3, "unknown: 2 passed, 0 failed, 1 unknown", "unknown"]);
  }, 240_000);
});
