import { spawnSync } from "node:child_process";
import { generateCProgram } from "@rea/testkit";
import { afterAll, describe, expect, test } from "vitest";
import { RebuildRoom } from "./rebuild-room.js";

const gcc = "aarch64-linux-gnu-gcc";
const objcopy = "aarch64-linux-gnu-objcopy";
const emulator = "qemu-aarch64-static";
const missing = [gcc, objcopy, emulator].filter((program) => spawnSync(program, ["--version"]).status !== 0);
const room = new RebuildRoom({ gcc, objcopy, runner: [emulator, "-L", "/usr/aarch64-linux-gnu"] });
afterAll(() => { room.remove(); });

const runs = Number(process.env["REA_FUZZ_RUNS"] ?? "2");
const start = Number(process.env["REA_FUZZ_SEED"] ?? "1");
/** Names of pieces that the compiler splits off cannot be linked to from another file. */
const whole = ["-fno-partial-inlining", "-fno-ipa-cp", "-fno-ipa-sra"];

describe.each(["-O0", "-O1", "-O2", "-O3"])("random ARM64 programs at %s", (level) => {
  test(`print the same with each function written as C and compiled again (${String(runs)} programs)`, async (context) => {
    if (missing.length > 0) return context.skip(`not installed: ${missing.join(", ")}`);
    const wrong: string[] = [];
    for (let seed = start; seed < start + runs; seed += 1) {
      const found = await room.judge(generateCProgram(seed), { compiler: gcc, flags: [level, ...whole] });
      if (found.kind === "differs") wrong.push(`seed ${String(seed)}: ${found.functions.join(", ")}: ${found.detail}`);
    }
    expect(wrong).toEqual([]);
  }, 120_000 * runs);
});
