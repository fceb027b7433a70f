import { expect, test } from "vitest";
import { jumpsOf } from "./jump-kinds.js";

const jumps = (text: string): readonly string[] => jumpsOf(text.split("\n"));

test("a jump is named by what it leaves and where it leads", () => {
  expect(jumps("for (;;) {\n  do {\n    goto L1;\n  } while (v1 != 0);\n  break;\n}\nv2 = 0;\nL1:;")).toEqual(["past outer break"]);
  expect(jumps("while (v1 != 0) {\n  if (v2 != 0) {\n    goto L1;\n  }\n}\nv2 = 0;\nL1:;")).toEqual(["out of loop"]);
  expect(jumps("switch (v1) {\ncase 1:\n  goto L1;\n}\nv2 = 0;\nL1:;")).toEqual(["out of switch"]);
  expect(jumps("if (v1 != 0) {\n  goto L1;\n}\nv2 = 0;\nL1:;")).toEqual(["sideways"]);
  expect(jumps("goto L1;\nif (v1 != 0) {\n  L1:;\n}")).toEqual(["inward"]);
  expect(jumps("L1:;\nv1++;\ngoto L1;")).toEqual(["backward"]);
});

test("the other branch of an if is no part of the first", () => {
  expect(jumps("if (v1 != 0) {\n  goto L1;\n} else {\n  L1:;\n}")).toEqual(["inward"]);
});

test("text that only looks like a jump is none", () => {
  expect(jumps('v1 = puts("goto L1;");\nL1:;')).toEqual([]);
});
