import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readSmallFunctions, SmallFunctionRoom, type SmallFunctionTools } from "./small-function-room.js";

const functions = readSmallFunctions(join(import.meta.dirname, "..", "fixtures", "small-functions.c"));
const levels = ["-O0", "-O1", "-O2", "-O3"];
/** In the suite each function meets one level of each compiler, another with the next; all of them in the long form. */
const isWhole = process.env["REA_SMALL_FUNCTIONS"] !== undefined;

/** What it calls of the compiler's own library divides numbers of 128 bits, and its text is compiled to a call of itself. */
const notWritten = new Set(["wide products"]);

const cross = "aarch64-linux-gnu-gcc";
const emulator = "qemu-aarch64-static";
const clang = "clang-19";
const arm = { again: cross, runner: [emulator, "-L", "/usr/aarch64-linux-gnu"] };
const settings: readonly (readonly [string, SmallFunctionTools])[] = [
  ["gcc for x86-64", { compiler: ["gcc"], again: "gcc", runner: [] }],
  ["clang for x86-64", { compiler: [clang], again: "gcc", runner: [] }],
  ["gcc for ARM64", { compiler: [cross], ...arm }],
  ["clang for ARM64", { compiler: [clang, "--target=aarch64-linux-gnu"], ...arm }],
];

function absent({ compiler: [command], again, runner: [runner] }: SmallFunctionTools): string | undefined {
  if (runner === undefined && process.arch !== "x64") return "this machine is not x86-64";
  const missing = [command, again, ...(runner === undefined ? [] : [runner])].filter((program) => spawnSync(program, ["--version"]).status !== 0);
  return missing.length === 0 ? undefined : `not installed: ${missing.join(", ")}`;
}

describe.each(settings)("small functions of %s", (_, tools) => {
  const why = absent(tools);
  const room = new SmallFunctionRoom(tools);
  afterAll(() => { room.remove(); });

  test.for([...levels.entries()])("pass their tests as C written from the program at %s", { timeout: 600_000 }, async ([number, level], context) => {
    if (why !== undefined) return context.skip(why);
    const wrong: string[] = [];
    for (const [position, each] of functions.entries()) {
      if (notWritten.has(each.name) || (!isWhole && position % levels.length !== number)) continue;
      const found = await room.judge(each, level);
      if (found !== "same") wrong.push(`${each.name}: ${found}`);
    }
    expect(wrong).toEqual([]);
  });
});
