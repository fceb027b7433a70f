import type { CapstoneSet } from "../capstone/capstone-text.js";

/** cs_arm, cs_arm_op of Capstone 5. */
const layout = { count: 32, operands: 40, operandBytes: 48, type: 12, access: 41 } as const;
const comparison = /^(?:cmp|cmn|tst|teq)/;

/** The 32-bit instruction sets in Capstone 5. */
export const a32Text: CapstoneSet = {
  architecture: 0,
  mode: 0,
  layout,
  known: { bytes: [0x08, 0x10, 0x9f, 0xe5], shown: "ldr r1, [pc, #8]|register write,memory read" },
  comparison,
};

export const t32Text: CapstoneSet = {
  architecture: 0,
  mode: 16,
  layout,
  known: { bytes: [0xdf, 0xf8, 0x04, 0x30], shown: "ldr.w r3, [pc, #4]|register write,memory read" },
  comparison,
};
