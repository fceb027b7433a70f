import type { CapstoneSet } from "../capstone/capstone-text.js";

/** RISC-V of 64 bits with compressed instructions in Capstone 5: cs_riscv, cs_riscv_op. */
export const riscvText: CapstoneSet = {
  architecture: 15,
  mode: 2 | 4,
  layout: { count: 1, operands: 8, operandBytes: 24, type: 0, access: undefined },
  known: { bytes: [0x03, 0x35, 0x04, 0x0a], shown: "ld a0, 0xa0(s0)|register,memory" },
};
