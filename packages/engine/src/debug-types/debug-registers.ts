import type { Architecture } from "@rea/binary";

const x86 = ["rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"];

/** The register that debug information numbers so (System V ABI for x86-64, figure 3.36; DWARF for the Arm 64-bit Architecture, table 1). */
export function debugRegister(architecture: Architecture | undefined, number: number): string | undefined {
  if (architecture === "x86_64") return number >= 17 && number <= 32 ? `xmm${String(number - 17)}` : x86[number];
  if (architecture !== "arm64") return undefined;
  if (number <= 30) return `x${String(number)}`;
  return number >= 64 && number <= 95 ? `v${String(number - 64)}` : undefined;
}
