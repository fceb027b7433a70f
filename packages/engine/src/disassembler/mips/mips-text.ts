import type { CapstoneSet } from "../capstone/capstone-text.js";

/** MIPS in Capstone 5: cs_mips, cs_mips_op. */
const layout = { count: 0, operands: 8, operandBytes: 24, type: 0, access: undefined } as const;
const bigEndian = 0x80000000 | 0;
const shown = "lw $t9, 0x18($gp)|register,memory";
const known = { little: [0x18, 0x00, 0x99, 0x8f], big: [0x8f, 0x99, 0x00, 0x18] } as const;

function set(bits: 32 | 64, endian: "little" | "big"): CapstoneSet {
  const mode = (bits === 64 ? 8 : 4) | (endian === "big" ? bigEndian : 0);
  return { architecture: 2, mode, layout, known: { bytes: known[endian], shown } };
}

/** By register width and byte order. */
export const mipsTexts = {
  32: { little: set(32, "little"), big: set(32, "big") },
  64: { little: set(64, "little"), big: set(64, "big") },
} as const;
