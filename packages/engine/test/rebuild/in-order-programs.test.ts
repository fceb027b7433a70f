import { spawnSync } from "node:child_process";
import { generateCProgram } from "@rea/testkit";
import { afterAll, describe, expect, test } from "vitest";
import { RebuildRoom } from "./rebuild-room.js";

const room = new RebuildRoom();
afterAll(() => { room.remove(); });

const hasGcc = spawnSync("gcc", ["--version"]).status === 0 && spawnSync("objcopy", ["--version"]).status === 0 && process.arch === "x64";
const runs = Number(process.env["REA_FUZZ_RUNS"] ?? "1");
const start = Number(process.env["REA_FUZZ_SEED"] ?? "6");

describe.each(["-O0", "-O1", "-O2", "-O3"])("random programs with %s, written in the order of their instructions", (level) => {
  test(`print the same when the texts are compiled again (${String(runs)} programs)`, async (context) => {
    if (!hasGcc) return context.skip("gcc or objcopy for x86-64 is not installed");
    const wrong: string[] = [];
    for (let seed = start; seed < start + runs; seed += 1) {
      const found = await room.judge(generateCProgram(seed), { compiler: "gcc", flags: [level], inOrder: true });
      if (found.kind === "differs") wrong.push(`seed ${String(seed)}: ${found.functions.join(", ")}: ${found.detail}`);
    }
    expect(wrong).toEqual([]);
  }, 120_000 * runs);
});
