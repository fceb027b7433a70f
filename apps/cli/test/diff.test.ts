import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "@rea/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "./run-cli.js";

const place = mkdtempSync(join(tmpdir(), "rea-diff-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const rea = (...args: string[]) => runCli(args, { cwd: place, env: { ...process.env, HOME: join(place, "home"), NO_COLOR: "1" } });
const [one, other] = ["/usr/bin/true", "/usr/bin/false"];
const isThere = existsSync(one) && existsSync(other) && spawnSync("tar", ["--version"]).status === 0;

describe.skipIf(!isThere)("rea diff (skipped: no true, false or tar on this host)", () => {
  beforeAll(() => {
    for (const [name, program] of [["old", one], ["new", other]] as const) {
      mkdirSync(join(place, name, "bin"), { recursive: true });
      copyFileSync(program, join(place, name, "bin", "app"));
      writeFileSync(join(place, name, "same.txt"), "same");
      spawnSync("tar", ["-cf", `${name}.tar`, "-C", name, "."], { cwd: place });
    }
  });

  test("of one archive with itself is equal, of two programs is different, and says so by its exit code", async () => {
    expect((await rea("diff", "old.tar", "old.tar", "--exit-code")).status).toBe(0);
    const { status, stdout } = await rea("diff", one, other, "--exit-code");
    expect(status).toBe(1);
    expect(stdout).toMatch(/rea (?:function|decompile) .*\/usr\/bin\/false/u);
  }, 60_000);

  test.each([["directories", "old", "new"], ["archives", "old.tar", "new.tar"]])("of %s names the members and looks into the program that changed", async (what, left, right) => {
    const { status, stdout } = await rea("diff", left, right, "--exit-code");
    expect(status).toBe(1);
    expect(stdout).toMatch(/\nbin\/app\n/u);
    // Commands name files that are there afterwards.
    if (what === "archives") expect(stdout).toContain("--select bin/app");
    else expect(stdout).toContain(join("new", "bin", "app"));
  }, 60_000);

  test("in JSON holds the comparison of the artifacts and of each program", async () => {
    const { status, stdout } = await rea("diff", "old.tar", "new.tar", "--json", "--exit-code");
    const comparison = z.looseObject({ result: z.looseObject({ status: z.string() }), evidence_id: z.string() });
    const { result } = z.object({ result: z.object({ artifacts: comparison, programs: z.array(z.object({ logical_path: z.string(), comparison: comparison.nullable(), error: z.null() })), programs_not_compared: z.number() }) }).parse(JSON.parse(stdout));
    expect(status).toBe(1);
    expect([result.artifacts.result.status, result.programs.map(({ logical_path: path, comparison: found }) => [path, found?.result.status]), result.programs_not_compared]).toEqual(["changed", [["bin/app", "changed"]], 0]);
  }, 60_000);
});
