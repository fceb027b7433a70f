import type { JsonObject } from "@rea/core";
import { expect, test } from "vitest";
import { styleFor } from "./style.js";
import { renderValue } from "./value.js";

const options = { width: 160, style: styleFor(false) };

test("blocks are lines with their edges, cases and loops", () => {
  const blocks: JsonObject[] = [
    { start: "0x10", end: "0x20", instruction_count: 4, successors: [{ address: "0x20", kind: "fallthrough" }, { address: "0x90", kind: "branch", default: true }], immediate_dominator: null, loop: null },
    { start: "0x20", end: "0x24", instruction_count: 1, successors: [{ address: "0x30", kind: "switch", cases: ["5", "7..9"], numbering: "value" }], immediate_dominator: "0x10", loop: "0x20" },
    { start: "0x30", end: "0x34", instruction_count: 12, successors: [], immediate_dominator: "0x20", loop: "0x20" },
  ];
  const page = { items: blocks, returned: 3, total: 8, truncated: true, next_offset: 3 };
  expect(renderValue({ basic_blocks: { state: "available", value: page } }, options)).toBe(
    [
      "basic blocks",
      "  0x10..0x20    4 instr.  → 0x20 fallthrough, 0x90 branch default",
      "  0x20..0x24    1 instr.  → 0x30 switch case 5 7..9  loop header",
      "  0x30..0x34   12 instr.  leaves  in loop 0x20",
      "  3 shown of 8; continue with --offset 3",
      "",
    ].join("\n"),
  );
});

test("a frame is one line and says when its size is not fixed", () => {
  const frame: JsonObject = { size: null, fixed_size: 24, frame_pointer: { register: "rbp", set_at: "0x4" }, saved_registers: [{ register: "rbp", offset: -8, address: "0x1" }], below_stack_pointer: 0 };
  expect(renderValue({ frame }, options)).toBe("frame: size not fixed, at least 24 bytes; frame pointer rbp; keeps rbp at -8\n");
  expect(renderValue({ frame: { ...frame, size: 40, frame_pointer: null, saved_registers: [], below_stack_pointer: 16 } }, options)).toBe(
    "frame: 40 bytes; no frame pointer; 16 bytes below the stack pointer\n",
  );
});
