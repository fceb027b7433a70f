import type { CapstoneSet } from "../capstone/capstone-text.js";

/** A64 in Capstone 5: cs_arm64, cs_arm64_op. */
export const arm64Text: CapstoneSet = {
  architecture: 1,
  mode: 0,
  layout: { count: 7, operands: 8, operandBytes: 56, type: 20, access: 48 },
  known: {
    bytes: [0xfd, 0x7b, 0xbf, 0xa9],
    shown: "stp x29, x30, [sp, #-0x10]!|register read,register read,memory read_write",
  },
  comparison: /^(?:cmp|cmn|tst|ccmp|ccmn|fcmpe?|fccmpe?)$/,
};
