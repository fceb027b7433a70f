import type { Architecture } from "../image.js";

/** Names and values of the PE/COFF specification ("PE Format", Microsoft Learn). */
interface Machine {
  readonly name: string;
  readonly architecture: Architecture | undefined;
}

const machines: ReadonlyMap<number, Machine> = new Map([
  [0x14c, { name: "IMAGE_FILE_MACHINE_I386", architecture: "x86" }],
  [0x8664, { name: "IMAGE_FILE_MACHINE_AMD64", architecture: "x86_64" }],
  [0x1c0, { name: "IMAGE_FILE_MACHINE_ARM", architecture: "arm" }],
  [0x1c2, { name: "IMAGE_FILE_MACHINE_THUMB", architecture: "arm" }],
  [0x1c4, { name: "IMAGE_FILE_MACHINE_ARMNT", architecture: "arm" }],
  [0xaa64, { name: "IMAGE_FILE_MACHINE_ARM64", architecture: "arm64" }],
  [0xa641, { name: "IMAGE_FILE_MACHINE_ARM64EC", architecture: "arm64" }],
  [0xa64e, { name: "IMAGE_FILE_MACHINE_ARM64X", architecture: "arm64" }],
  [0x200, { name: "IMAGE_FILE_MACHINE_IA64", architecture: undefined }],
  [0xebc, { name: "IMAGE_FILE_MACHINE_EBC", architecture: undefined }],
  [0x166, { name: "IMAGE_FILE_MACHINE_R4000", architecture: "mips" }],
  [0x169, { name: "IMAGE_FILE_MACHINE_WCEMIPSV2", architecture: "mips" }],
  [0x1f0, { name: "IMAGE_FILE_MACHINE_POWERPC", architecture: "powerpc" }],
  [0x5064, { name: "IMAGE_FILE_MACHINE_RISCV64", architecture: "riscv64" }],
  [0x6264, { name: "IMAGE_FILE_MACHINE_LOONGARCH64", architecture: undefined }],
] as const);

/** Machine field by name; unknown values as `IMAGE_FILE_MACHINE_0x…`. */
export function machineOf(value: number): Machine {
  return machines.get(value) ?? { name: `IMAGE_FILE_MACHINE_0x${value.toString(16)}`, architecture: undefined };
}

const subsystems: ReadonlyMap<number, string> = new Map([
  [0, "IMAGE_SUBSYSTEM_UNKNOWN"],
  [1, "IMAGE_SUBSYSTEM_NATIVE"],
  [2, "IMAGE_SUBSYSTEM_WINDOWS_GUI"],
  [3, "IMAGE_SUBSYSTEM_WINDOWS_CUI"],
  [5, "IMAGE_SUBSYSTEM_OS2_CUI"],
  [7, "IMAGE_SUBSYSTEM_POSIX_CUI"],
  [8, "IMAGE_SUBSYSTEM_NATIVE_WINDOWS"],
  [9, "IMAGE_SUBSYSTEM_WINDOWS_CE_GUI"],
  [10, "IMAGE_SUBSYSTEM_EFI_APPLICATION"],
  [11, "IMAGE_SUBSYSTEM_EFI_BOOT_SERVICE_DRIVER"],
  [12, "IMAGE_SUBSYSTEM_EFI_RUNTIME_DRIVER"],
  [13, "IMAGE_SUBSYSTEM_EFI_ROM"],
  [14, "IMAGE_SUBSYSTEM_XBOX"],
  [16, "IMAGE_SUBSYSTEM_WINDOWS_BOOT_APPLICATION"],
]);

export function subsystemName(value: number): string {
  return subsystems.get(value) ?? `IMAGE_SUBSYSTEM_${String(value)}`;
}

export type FlagNames = readonly (readonly [bit: number, name: string])[];

export const fileCharacteristics: FlagNames = [
  [0x0001, "IMAGE_FILE_RELOCS_STRIPPED"],
  [0x0002, "IMAGE_FILE_EXECUTABLE_IMAGE"],
  [0x0004, "IMAGE_FILE_LINE_NUMS_STRIPPED"],
  [0x0008, "IMAGE_FILE_LOCAL_SYMS_STRIPPED"],
  [0x0010, "IMAGE_FILE_AGGRESSIVE_WS_TRIM"],
  [0x0020, "IMAGE_FILE_LARGE_ADDRESS_AWARE"],
  [0x0080, "IMAGE_FILE_BYTES_REVERSED_LO"],
  [0x0100, "IMAGE_FILE_32BIT_MACHINE"],
  [0x0200, "IMAGE_FILE_DEBUG_STRIPPED"],
  [0x0400, "IMAGE_FILE_REMOVABLE_RUN_FROM_SWAP"],
  [0x0800, "IMAGE_FILE_NET_RUN_FROM_SWAP"],
  [0x1000, "IMAGE_FILE_SYSTEM"],
  [0x2000, "IMAGE_FILE_DLL"],
  [0x4000, "IMAGE_FILE_UP_SYSTEM_ONLY"],
  [0x8000, "IMAGE_FILE_BYTES_REVERSED_HI"],
];

export const dllCharacteristics: FlagNames = [
  [0x0020, "IMAGE_DLLCHARACTERISTICS_HIGH_ENTROPY_VA"],
  [0x0040, "IMAGE_DLLCHARACTERISTICS_DYNAMIC_BASE"],
  [0x0080, "IMAGE_DLLCHARACTERISTICS_FORCE_INTEGRITY"],
  [0x0100, "IMAGE_DLLCHARACTERISTICS_NX_COMPAT"],
  [0x0200, "IMAGE_DLLCHARACTERISTICS_NO_ISOLATION"],
  [0x0400, "IMAGE_DLLCHARACTERISTICS_NO_SEH"],
  [0x0800, "IMAGE_DLLCHARACTERISTICS_NO_BIND"],
  [0x1000, "IMAGE_DLLCHARACTERISTICS_APPCONTAINER"],
  [0x2000, "IMAGE_DLLCHARACTERISTICS_WDM_DRIVER"],
  [0x4000, "IMAGE_DLLCHARACTERISTICS_GUARD_CF"],
  [0x8000, "IMAGE_DLLCHARACTERISTICS_TERMINAL_SERVER_AWARE"],
];

export const sectionCharacteristics: FlagNames = [
  [0x00000020, "IMAGE_SCN_CNT_CODE"],
  [0x00000040, "IMAGE_SCN_CNT_INITIALIZED_DATA"],
  [0x00000080, "IMAGE_SCN_CNT_UNINITIALIZED_DATA"],
  [0x00000200, "IMAGE_SCN_LNK_INFO"],
  [0x00000800, "IMAGE_SCN_LNK_REMOVE"],
  [0x00001000, "IMAGE_SCN_LNK_COMDAT"],
  [0x00008000, "IMAGE_SCN_GPREL"],
  [0x01000000, "IMAGE_SCN_LNK_NRELOC_OVFL"],
  [0x02000000, "IMAGE_SCN_MEM_DISCARDABLE"],
  [0x04000000, "IMAGE_SCN_MEM_NOT_CACHED"],
  [0x08000000, "IMAGE_SCN_MEM_NOT_PAGED"],
  [0x10000000, "IMAGE_SCN_MEM_SHARED"],
  [0x20000000, "IMAGE_SCN_MEM_EXECUTE"],
  [0x40000000, "IMAGE_SCN_MEM_READ"],
  [0x80000000, "IMAGE_SCN_MEM_WRITE"],
];

/** Names of the set bits, lowest first. */
export function flagNames(value: number, names: FlagNames): readonly string[] {
  return names.filter(([bit]) => hasFlag(value, bit)).map(([, name]) => name);
}

export function hasFlag(value: number, bit: number): boolean {
  return (value & bit) !== 0;
}

/** Indices of the data directories of the optional header. */
export const directoryIndex = {
  exports: 0,
  imports: 1,
  resources: 2,
  exceptions: 3,
  certificates: 4,
  baseRelocations: 5,
  debug: 6,
  tls: 9,
  loadConfig: 10,
  boundImports: 11,
  importAddresses: 12,
  delayImports: 13,
  clr: 14,
} as const;
