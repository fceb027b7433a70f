import { spawnSync } from "node:child_process";
import { generateCProgram } from "@rea/testkit";
import { afterAll, describe, expect, test } from "vitest";
import { RebuildRoom } from "./rebuild-room.js";

const room = new RebuildRoom();
afterAll(() => { room.remove(); });

const hasGcc = spawnSync("gcc", ["--version"]).status === 0 && spawnSync("objcopy", ["--version"]).status === 0 && process.arch === "x64";
const runs = Number(process.env["REA_FUZZ_RUNS"] ?? "2");
const start = Number(process.env["REA_FUZZ_SEED"] ?? "5");

const levels = ["-O0", "-O1", "-O2", "-O3"];

describe.each(levels.flatMap((level) => [[level, "-g"], [level]]))("random programs with %s %s", (...flags: readonly (string | undefined)[]) => {
  test(`print the same with each function written as C and compiled again (${String(runs)} programs)`, async (context) => {
    if (!hasGcc) return context.skip("gcc or objcopy for x86-64 is not installed");
    const wrong: string[] = [];
    for (let seed = start; seed < start + runs; seed += 1) {
      const found = await room.judge(generateCProgram(seed), { compiler: "gcc", flags: flags.flatMap((flag) => flag ?? []) });
      if (found.kind === "differs") wrong.push(`seed ${String(seed)}: ${found.functions.join(", ")}: ${found.detail}`);
    }
    expect(wrong).toEqual([]);
  }, 120_000 * runs);
});
