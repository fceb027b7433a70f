import type { Architecture } from "@rea/binary";
import type { Disassembler } from "./disassembler.js";

type Endian = "little" | "big";

interface Known {
  readonly endians: readonly Endian[];
  readonly load: (endian: Endian) => Promise<Disassembler>;
}

const little = ["little"] as const;
const both = ["little", "big"] as const;

const disassemblers: ReadonlyMap<Architecture, Known> = new Map<Architecture, Known>([
  ["x86", { endians: little, load: async () => (await import("./x86/x86-disassembler.js")).loadX86(32) }],
  ["x86_64", { endians: little, load: async () => (await import("./x86/x86-disassembler.js")).loadX86(64) }],
  ["arm64", { endians: little, load: async () => (await import("./arm64/arm64-disassembler.js")).loadArm64() }],
  ["arm", { endians: little, load: async () => (await import("./arm/arm-disassembler.js")).loadArm() }],
  ["riscv64", { endians: little, load: async () => (await import("./riscv/riscv-disassembler.js")).loadRiscv() }],
  ["mips", { endians: both, load: async (endian) => (await import("./mips/mips-disassembler.js")).loadMips(32, endian) }],
  ["mips64", { endians: both, load: async (endian) => (await import("./mips/mips-disassembler.js")).loadMips(64, endian) }],
  ["powerpc", { endians: both, load: async (endian) => (await import("./powerpc/powerpc-disassembler.js")).loadPowerpc(32, endian) }],
  ["powerpc64", { endians: both, load: async (endian) => (await import("./powerpc/powerpc-disassembler.js")).loadPowerpc(64, endian) }],
]);

/** Architectures `loadDisassembler` knows. */
export const supportedArchitectures: readonly Architecture[] = [...disassemblers.keys()];

/** True when the engine can analyse code of the architecture in this byte order. */
export function supportsArchitecture(architecture: Architecture | undefined, endian: Endian): boolean {
  return architecture !== undefined && disassemblers.get(architecture)?.endians.includes(endian) === true;
}

/**
 * Makes the disassembler of an architecture, for one image: it may remember what that image says. Undefined when there is
 * none.
 */
export async function loadDisassembler(architecture: Architecture | undefined, endian: Endian = "little"): Promise<Disassembler | undefined> {
  if (architecture === undefined || !supportsArchitecture(architecture, endian)) return undefined;
  return disassemblers.get(architecture)?.load(endian);
}
