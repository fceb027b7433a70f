import { spawnSync } from "node:child_process";
import { afterAll, describe, expect, test } from "vitest";
import { RebuildRoom } from "./rebuild-room.js";
import { structures } from "./structure-programs.js";

const room = new RebuildRoom();
afterAll(() => { room.remove(); });

const missing = ["gcc", "objcopy"].filter((program) => spawnSync(program, ["--version"]).status !== 0);
const absent = process.arch !== "x64" ? "this machine is not x86-64" : missing.length > 0 ? `not installed: ${missing.join(", ")}` : undefined;

describe.each(["gcc", "clang-19"])("structures of a program of %s", (compiler) => {
  test.for(["-O0", "-O1", "-O2", "-O3"])("are written with their members at %s, and the program prints the same", { timeout: 300_000 }, async (level, context) => {
    if (absent !== undefined) return context.skip(absent);
    if (spawnSync(compiler, ["--version"]).status !== 0) return context.skip(`${compiler} is not installed`);
    expect(await room.judge(structures, { compiler, flags: ["-g", level] })).toEqual({ kind: "same" });
    expect(room.textOf("sum")).toContain("p->next");
    // Optimised, the way that ends the program stands apart from the rest of the function.
    expect(room.textOf("need")).toContain("struct node *need(struct node *from, int32_t amount)");
    expect(room.textOf("through")).toMatch(/->next->next->at\.y|->at\.y/);
  });

  test.for(["-O0", "-O2"])("are told by what the code reaches where nothing names them at %s, and the program prints the same", { timeout: 300_000 }, async (level, context) => {
    if (absent !== undefined) return context.skip(absent);
    if (spawnSync(compiler, ["--version"]).status !== 0) return context.skip(`${compiler} is not installed`);
    expect(await room.judge(structures, { compiler, flags: [level] })).toEqual({ kind: "same" });
    expect(room.textOf("sum")).not.toContain("struct node");
    expect(room.textOf("sum")).toMatch(/->f_0[^]*->f_8/);
  });
});
