import { spawnSync } from "node:child_process";
import { afterAll, describe, expect, test } from "vitest";
import { RebuildRoom } from "./rebuild-room.js";

const room = new RebuildRoom();
afterAll(() => { room.remove(); });

const hasGcc = spawnSync("gcc", ["--version"]).status === 0 && spawnSync("objcopy", ["--version"]).status === 0 && process.arch === "x64";

/** One function of about 10,000 instructions with a switch, calls, memory and loops, and a small one that calls it. */
function largeProgram(): { readonly source: string; readonly driver: string; readonly functions: readonly string[] } {
  const steps = Array.from({ length: 700 }, (_, index) => `  x = x * ${String(2 * index + 3)}u + step(x >> ${String(index % 13)}, ${String(index)}); if (x % ${String(index + 7)}u == 3) table[x & 15] += x;`);
  const source = `
unsigned table[16];
unsigned step(unsigned a, int b) { return a ^ (unsigned)b; }
unsigned large(unsigned x, int which, double scale) {
  unsigned local[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  switch (which) { case 0: x += 5; break; case 1: x *= 3; break; case 2: x ^= 77; case 3: x -= 9; break; case 4: x = step(x, 4); break; default: x += local[x & 7]; }
${steps.join("\n")}
  for (int i = 0; i < 8; i++) { local[i] += x >> i; x += local[(i + 3) & 7]; }
  return x + (unsigned)(int)(scale * 2.5);
}
unsigned twice(unsigned x, int which) { return large(x, which, 1.5) + large(x + 1, which + 1, -2.0); }
`;
  const driver = `#include <stdio.h>
unsigned twice(unsigned x, int which);
extern unsigned table[16];
int main(void) { for (int i = 0; i < 40; i++) printf("%u\\n", twice(i * 977u, i % 7)); for (int i = 0; i < 16; i++) printf("%u\\n", table[i]); return 0; }
`;
  return { source, driver, functions: ["large", "twice", "step"] };
}

describe.each(["-O0", "-O2"])("with %s", (level) => {
  test("a function whose values are too many to be followed is written in the order of its instructions, says so and does the same", async (context) => {
    if (!hasGcc) return context.skip("gcc or objcopy for x86-64 is not installed");
    expect(await room.judge(largeProgram(), { compiler: "gcc", flags: [level, "-fno-inline"] })).toEqual({ kind: "same" });
    expect(room.textOf("large")).toMatch(/The function has \d+ instructions; the values of up to 8000 are followed\./);
    expect(room.textOf("twice")).not.toContain("goto");
  }, 240_000);
});
