import type { Architecture } from "../image.js";

/** e_machine values by the names of the gABI registry and `elf.h`. */
const machineNames: { readonly [code: number]: string } = {
  0: "EM_NONE",
  2: "EM_SPARC",
  3: "EM_386",
  4: "EM_68K",
  6: "EM_IAMCU",
  8: "EM_MIPS",
  10: "EM_MIPS_RS3_LE",
  15: "EM_PARISC",
  18: "EM_SPARC32PLUS",
  20: "EM_PPC",
  21: "EM_PPC64",
  22: "EM_S390",
  23: "EM_SPU",
  40: "EM_ARM",
  42: "EM_SH",
  43: "EM_SPARCV9",
  44: "EM_TRICORE",
  46: "EM_H8_300",
  50: "EM_IA_64",
  62: "EM_X86_64",
  83: "EM_AVR",
  87: "EM_V850",
  88: "EM_M32R",
  92: "EM_OPENRISC",
  93: "EM_ARC_COMPACT",
  94: "EM_XTENSA",
  105: "EM_MSP430",
  106: "EM_BLACKFIN",
  113: "EM_ALTERA_NIOS2",
  140: "EM_TI_C6000",
  164: "EM_HEXAGON",
  165: "EM_8051",
  183: "EM_AARCH64",
  188: "EM_TILEPRO",
  189: "EM_MICROBLAZE",
  190: "EM_CUDA",
  191: "EM_TILEGX",
  195: "EM_ARC_COMPACT2",
  220: "EM_Z80",
  224: "EM_AMDGPU",
  243: "EM_RISCV",
  247: "EM_BPF",
  252: "EM_CSKY",
  258: "EM_LOONGARCH",
  0x9026: "EM_ALPHA",
};

export const em = {
  x86: 3,
  mips: 8,
  ppc: 20,
  ppc64: 21,
  arm: 40,
  x86_64: 62,
  aarch64: 183,
  riscv: 243,
} as const;

export function machineName(machine: number): string {
  return machineNames[machine] ?? `EM_0x${machine.toString(16)}`;
}

/** Architecture of the model; undefined for machines it does not name. */
export function machineArchitecture(machine: number, bits: 32 | 64): Architecture | undefined {
  switch (machine) {
    case em.x86:
    case 6:
      return "x86";
    case em.x86_64:
      return "x86_64";
    case em.arm:
      return "arm";
    case em.aarch64:
      return "arm64";
    case em.riscv:
      return bits === 64 ? "riscv64" : undefined;
    case em.mips:
    case 10:
      return bits === 64 ? "mips64" : "mips";
    case em.ppc:
      return "powerpc";
    case em.ppc64:
      return "powerpc64";
    default:
      return undefined;
  }
}

const fileTypes = ["ET_NONE", "ET_REL", "ET_EXEC", "ET_DYN", "ET_CORE"];

export function fileTypeName(type: number): string {
  return fileTypes[type] ?? `ET_0x${type.toString(16)}`;
}

const osAbis: { readonly [code: number]: string } = {
  1: "ELFOSABI_HPUX",
  2: "ELFOSABI_NETBSD",
  3: "ELFOSABI_GNU",
  6: "ELFOSABI_SOLARIS",
  7: "ELFOSABI_AIX",
  8: "ELFOSABI_IRIX",
  9: "ELFOSABI_FREEBSD",
  12: "ELFOSABI_OPENBSD",
  64: "ELFOSABI_ARM_AEABI",
  97: "ELFOSABI_ARM",
  255: "ELFOSABI_STANDALONE",
};

/** Names of EI_OSABI (when not 0) and of the e_flags bits of the processor supplements. */
export function headerFlagNames(machine: number, osAbi: number, flags: number): string[] {
  const names: string[] = [];
  if (osAbi !== 0) names.push(osAbis[osAbi] ?? `ELFOSABI_0x${osAbi.toString(16)}`);
  if (flags === 0) return names;
  const known = processorFlags(machine, flags);
  return [...names, ...known, `e_flags=0x${(flags >>> 0).toString(16)}`];
}

function processorFlags(machine: number, flags: number): string[] {
  if (machine === em.arm) return armFlags(flags);
  if (machine === em.riscv) return riscvFlags(flags);
  if (machine === em.mips) return mipsFlags(flags);
  return machine === em.ppc64 ? [`EF_PPC64_ABI${String(flags & 3)}`] : [];
}

function armFlags(flags: number): string[] {
  const names = [`EF_ARM_EABI_VER${String(flags >>> 24)}`];
  if ((flags & 0x400) !== 0) names.push("EF_ARM_ABI_FLOAT_HARD");
  if ((flags & 0x200) !== 0) names.push("EF_ARM_ABI_FLOAT_SOFT");
  if ((flags & 0x00800000) !== 0) names.push("EF_ARM_BE8");
  return names;
}

function riscvFlags(flags: number): string[] {
  const float = ["SOFT", "SINGLE", "DOUBLE", "QUAD"][(flags >>> 1) & 3] ?? "SOFT";
  return [...((flags & 1) === 0 ? [] : ["EF_RISCV_RVC"]), `EF_RISCV_FLOAT_ABI_${float}`];
}

function mipsFlags(flags: number): string[] {
  const bits: readonly (readonly [number, string])[] = [
    [1, "EF_MIPS_NOREORDER"],
    [2, "EF_MIPS_PIC"],
    [4, "EF_MIPS_CPIC"],
    [0x20, "EF_MIPS_ABI2"],
  ];
  return bits.filter(([bit]) => (flags & bit) !== 0).map(([, name]) => name);
}
