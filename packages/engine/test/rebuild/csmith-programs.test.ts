import { spawnSync } from "node:child_process";
import { afterAll, describe, expect, test } from "vitest";
import { csmithKinds, csmithProgram, type CsmithKind } from "./csmith-room.js";
import { RebuildRoom } from "./rebuild-room.js";

const room = new RebuildRoom();
afterAll(() => { room.remove(); });

const missing = ["csmith", "gcc", "objcopy"].filter((program) => spawnSync(program, ["--version"]).status !== 0);
const absent = process.arch !== "x64" ? "this machine is not x86-64" : missing.length > 0 ? `not installed: ${missing.join(", ")}` : undefined;
const runs = Number(process.env["REA_FUZZ_RUNS"] ?? "1");
const start = Number(process.env["REA_FUZZ_SEED"] ?? "1");
const kinds: readonly CsmithKind[] = Object.keys(csmithKinds).filter((name): name is CsmithKind => name in csmithKinds);

describe.each(kinds)("programs of csmith with %s", (kind) => {
  test.for(["-O0", "-O1", "-O2", "-O3"])(`print the same with each function written as C and compiled again at %s (${String(runs)} programs)`, { timeout: 120_000 * runs }, async (level, context) => {
    if (absent !== undefined) return context.skip(absent);
    const wrong: string[] = [];
    for (let seed = start; seed < start + runs; seed += 1) {
      const program = csmithProgram(seed, kind, room.folder);
      if (program === undefined || program.functions.length === 0) continue;
      const found = await room.judge(program, { compiler: "gcc", flags: [level, "-g"] });
      // Programs of csmith need not end.
      if (found.kind === "differs" || (found.kind === "skipped" && found.why !== "the program does not end")) wrong.push(`seed ${String(seed)}: ${found.kind === "skipped" ? found.why : `${found.functions.join(", ")}: ${found.detail}`}`);
    }
    expect(wrong).toEqual([]);
  });
});
