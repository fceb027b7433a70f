import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { countSwitchTables } from "./switch-tables.js";

const directory = mkdtempSync(join(tmpdir(), "rea-tables-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const tables: readonly (readonly [string, string])[] = [
  ["gcc, position independent", "\t.section\t.rodata\n\t.align 4\n.L4:\n\t.long\t.L15-.L4\n\t.long\t.L3-.L4\n"],
  ["gcc, absolute", ".L4:\n\t.quad\t.L15\n\t.quad\t.L3\n"],
  ["gcc for A64", ".L4:\n\t.byte\t(.L15 - .Lrtx4) / 4\n\t.byte\t(.L3 - .Lrtx4) / 4\n"],
  ["clang", ".LJTI3_0:\n\t.long\t.LBB3_1-.LJTI3_0\n\t.long\t.LBB3_8-.LJTI3_0\n"],
  ["clang for A64", ".LJTI3_0:\n\t.hword\t(.LBB3_1-.LBB3_1)>>2\n\t.hword\t(.LBB3_8-.LBB3_1)>>2\n"],
  ["clang for Apple", ".set L3_0_set_1, LBB3_1-LJTI3_0\nLJTI3_0:\n\t.long\tL3_0_set_1\n\t.long\tL3_0_set_8\n"],
];
const others: readonly (readonly [string, string])[] = [
  ["labels in a named table", "steps.0:\n\t.quad\t.L4\n\t.quad\t.L5\n"],
  ["texts in a constant", ".LC7:\n\t.quad\t.LC1\n\t.quad\t.LC2\n"],
  ["places in debug information", "\t.section\t.debug_loclists\n.LLST0:\n\t.quad\t.LVL1\n\t.quad\t.LVL2\n"],
  ["a number", ".L4:\n\t.long\t5\n\t.long\t6\n"],
];

test.for([...tables.map((one) => [...one, 1] as const), ...others.map((one) => [...one, 0] as const)])("%s: counted as it is", async ([name, text, count]) => {
  const file = join(directory, `${name}.s`);
  writeFileSync(file, text);
  expect(await countSwitchTables(file)).toBe(count);
});
