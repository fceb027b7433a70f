import type { CapstoneSet } from "../capstone/capstone-text.js";

/** PowerPC in Capstone 5: cs_ppc, cs_ppc_op. */
const layout = { count: 9, operands: 16, operandBytes: 24, type: 0, access: undefined } as const;
const bigEndian = 0x80000000 | 0;
const shown = "lwz r3, 8(r1)|register,memory";
const known = { little: [0x08, 0x00, 0x61, 0x80], big: [0x80, 0x61, 0x00, 0x08] } as const;

function set(bits: 32 | 64, endian: "little" | "big"): CapstoneSet {
  const mode = (bits === 64 ? 8 : 4) | (endian === "big" ? bigEndian : 0);
  return { architecture: 4, mode, layout, known: { bytes: known[endian], shown } };
}

/** By register width and byte order. */
export const powerpcTexts = {
  32: { little: set(32, "little"), big: set(32, "big") },
  64: { little: set(64, "little"), big: set(64, "big") },
} as const;
