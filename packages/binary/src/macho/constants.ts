import type { Architecture } from "../image.js";

/** Names and values of `mach/machine.h` and `mach-o/loader.h`. */
interface Cpu {
  readonly name: string;
  readonly architecture: Architecture | undefined;
}

const abi64 = 0x01000000;
const abi64With32 = 0x02000000;

const cpus: ReadonlyMap<number, Cpu> = new Map([
  [7, { name: "CPU_TYPE_X86", architecture: "x86" }],
  [7 + abi64, { name: "CPU_TYPE_X86_64", architecture: "x86_64" }],
  [12, { name: "CPU_TYPE_ARM", architecture: "arm" }],
  [12 + abi64, { name: "CPU_TYPE_ARM64", architecture: "arm64" }],
  [12 + abi64With32, { name: "CPU_TYPE_ARM64_32", architecture: "arm64" }],
  [18, { name: "CPU_TYPE_POWERPC", architecture: "powerpc" }],
  [18 + abi64, { name: "CPU_TYPE_POWERPC64", architecture: "powerpc64" }],
  [6, { name: "CPU_TYPE_MC680X0", architecture: undefined }],
  [8, { name: "CPU_TYPE_MIPS", architecture: "mips" }],
  [14, { name: "CPU_TYPE_SPARC", architecture: undefined }],
] as const);

export function cpuOf(type: number): Cpu {
  return cpus.get(type) ?? { name: `CPU_TYPE_0x${type.toString(16)}`, architecture: undefined };
}

export function isKnownCpu(type: number): boolean {
  return cpus.has(type);
}

/** Names of subtypes by CPU type; the top byte of the field holds capability bits. */
const subtypes: ReadonlyMap<string, string> = new Map([
  ["7:3", "CPU_SUBTYPE_X86_ALL"],
  [`${String(7 + abi64)}:3`, "CPU_SUBTYPE_X86_64_ALL"],
  [`${String(7 + abi64)}:8`, "CPU_SUBTYPE_X86_64_H"],
  ["12:0", "CPU_SUBTYPE_ARM_ALL"],
  ["12:6", "CPU_SUBTYPE_ARM_V6"],
  ["12:9", "CPU_SUBTYPE_ARM_V7"],
  ["12:11", "CPU_SUBTYPE_ARM_V7S"],
  ["12:12", "CPU_SUBTYPE_ARM_V7K"],
  ["12:14", "CPU_SUBTYPE_ARM_V6M"],
  ["12:15", "CPU_SUBTYPE_ARM_V7M"],
  ["12:16", "CPU_SUBTYPE_ARM_V7EM"],
  [`${String(12 + abi64)}:0`, "CPU_SUBTYPE_ARM64_ALL"],
  [`${String(12 + abi64)}:1`, "CPU_SUBTYPE_ARM64_V8"],
  [`${String(12 + abi64)}:2`, "CPU_SUBTYPE_ARM64E"],
  [`${String(12 + abi64With32)}:1`, "CPU_SUBTYPE_ARM64_32_V8"],
  ["18:0", "CPU_SUBTYPE_POWERPC_ALL"],
  [`${String(18 + abi64)}:0`, "CPU_SUBTYPE_POWERPC64_ALL"],
]);

export function subtypeName(type: number, subtype: number): string {
  const plain = subtype & 0x00ffffff;
  return subtypes.get(`${String(type)}:${String(plain)}`) ?? `CPU_SUBTYPE_${String(plain)}`;
}

const subtypeArchitectures: ReadonlyMap<string, string> = new Map([
  ["CPU_SUBTYPE_X86_64_H", "x86_64h"],
  ["CPU_SUBTYPE_ARM64E", "arm64e"],
  ["CPU_SUBTYPE_ARM_V6", "armv6"],
  ["CPU_SUBTYPE_ARM_V7", "armv7"],
  ["CPU_SUBTYPE_ARM_V7S", "armv7s"],
  ["CPU_SUBTYPE_ARM_V7K", "armv7k"],
]);

/** The name that tells slices of one universal file apart: the architecture, or the variant's own name. */
export function sliceName(type: number, subtype: number): string {
  const cpu = cpuOf(type);
  return subtypeArchitectures.get(subtypeName(type, subtype)) ?? cpu.architecture ?? cpu.name;
}

/** True for the pointer-authentication ABI. */
export function isArm64e(type: number, subtype: number): boolean {
  return type === 12 + abi64 && (subtype & 0x00ffffff) === 2;
}

export const fileTypes = {
  object: 1,
  execute: 2,
  dylib: 6,
  dylinker: 7,
  bundle: 8,
  dylibStub: 9,
  dsym: 10,
  kext: 11,
  fileset: 12,
} as const;

const fileTypeNames: ReadonlyMap<number, string> = new Map([
  [1, "MH_OBJECT"],
  [2, "MH_EXECUTE"],
  [3, "MH_FVMLIB"],
  [4, "MH_CORE"],
  [5, "MH_PRELOAD"],
  [6, "MH_DYLIB"],
  [7, "MH_DYLINKER"],
  [8, "MH_BUNDLE"],
  [9, "MH_DYLIB_STUB"],
  [10, "MH_DSYM"],
  [11, "MH_KEXT_BUNDLE"],
  [12, "MH_FILESET"],
  [13, "MH_GPU_EXECUTE"],
  [14, "MH_GPU_DYLIB"],
]);

export function fileTypeName(type: number): string {
  return fileTypeNames.get(type) ?? `MH_0x${type.toString(16)}`;
}

export type FlagNames = readonly (readonly [bit: number, name: string])[];

export const headerFlags: FlagNames = [
  [0x1, "MH_NOUNDEFS"],
  [0x2, "MH_INCRLINK"],
  [0x4, "MH_DYLDLINK"],
  [0x8, "MH_BINDATLOAD"],
  [0x10, "MH_PREBOUND"],
  [0x20, "MH_SPLIT_SEGS"],
  [0x40, "MH_LAZY_INIT"],
  [0x80, "MH_TWOLEVEL"],
  [0x100, "MH_FORCE_FLAT"],
  [0x200, "MH_NOMULTIDEFS"],
  [0x400, "MH_NOFIXPREBINDING"],
  [0x800, "MH_PREBINDABLE"],
  [0x1000, "MH_ALLMODSBOUND"],
  [0x2000, "MH_SUBSECTIONS_VIA_SYMBOLS"],
  [0x4000, "MH_CANONICAL"],
  [0x8000, "MH_WEAK_DEFINES"],
  [0x10000, "MH_BINDS_TO_WEAK"],
  [0x20000, "MH_ALLOW_STACK_EXECUTION"],
  [0x40000, "MH_ROOT_SAFE"],
  [0x80000, "MH_SETUID_SAFE"],
  [0x100000, "MH_NO_REEXPORTED_DYLIBS"],
  [0x200000, "MH_PIE"],
  [0x400000, "MH_DEAD_STRIPPABLE_DYLIB"],
  [0x800000, "MH_HAS_TLV_DESCRIPTORS"],
  [0x1000000, "MH_NO_HEAP_EXECUTION"],
  [0x2000000, "MH_APP_EXTENSION_SAFE"],
  [0x4000000, "MH_NLIST_OUTOFSYNC_WITH_DYLDINFO"],
  [0x8000000, "MH_SIM_SUPPORT"],
  [0x10000000, "MH_IMPLICIT_PAGEZERO"],
  [0x80000000, "MH_DYLIB_IN_CACHE"],
];

export const segmentFlags: FlagNames = [
  [0x1, "SG_HIGHVM"],
  [0x2, "SG_FVMLIB"],
  [0x4, "SG_NORELOC"],
  [0x8, "SG_PROTECTED_VERSION_1"],
  [0x10, "SG_READ_ONLY"],
];

export const sectionAttributes: FlagNames = [
  [0x100, "S_ATTR_LOC_RELOC"],
  [0x200, "S_ATTR_EXT_RELOC"],
  [0x400, "S_ATTR_SOME_INSTRUCTIONS"],
  [0x2000000, "S_ATTR_DEBUG"],
  [0x4000000, "S_ATTR_SELF_MODIFYING_CODE"],
  [0x8000000, "S_ATTR_LIVE_SUPPORT"],
  [0x10000000, "S_ATTR_NO_DEAD_STRIP"],
  [0x20000000, "S_ATTR_STRIP_STATIC_SYMS"],
  [0x40000000, "S_ATTR_NO_TOC"],
  [0x80000000, "S_ATTR_PURE_INSTRUCTIONS"],
];

/** Section types that hold something for the loader. */
export const sectionType = {
  zeroFill: 0x1,
  nonLazyPointers: 0x6,
  lazyPointers: 0x7,
  stubs: 0x8,
  initPointers: 0x9,
  termPointers: 0xa,
  gbZeroFill: 0xc,
  lazyDylibPointers: 0x10,
  tlvRegular: 0x11,
  tlvZeroFill: 0x12,
  tlvVariables: 0x13,
  tlvPointers: 0x14,
  initOffsets: 0x16,
} as const;

const sectionTypeNames: readonly string[] = [
  "S_REGULAR",
  "S_ZEROFILL",
  "S_CSTRING_LITERALS",
  "S_4BYTE_LITERALS",
  "S_8BYTE_LITERALS",
  "S_LITERAL_POINTERS",
  "S_NON_LAZY_SYMBOL_POINTERS",
  "S_LAZY_SYMBOL_POINTERS",
  "S_SYMBOL_STUBS",
  "S_MOD_INIT_FUNC_POINTERS",
  "S_MOD_TERM_FUNC_POINTERS",
  "S_COALESCED",
  "S_GB_ZEROFILL",
  "S_INTERPOSING",
  "S_16BYTE_LITERALS",
  "S_DTRACE_DOF",
  "S_LAZY_DYLIB_SYMBOL_POINTERS",
  "S_THREAD_LOCAL_REGULAR",
  "S_THREAD_LOCAL_ZEROFILL",
  "S_THREAD_LOCAL_VARIABLES",
  "S_THREAD_LOCAL_VARIABLE_POINTERS",
  "S_THREAD_LOCAL_INIT_FUNCTION_POINTERS",
  "S_INIT_FUNC_OFFSETS",
];

export function sectionTypeName(type: number): string {
  return sectionTypeNames[type] ?? `S_0x${type.toString(16)}`;
}

/** Names of the set bits, lowest first. */
export function flagNames(value: number, names: FlagNames): readonly string[] {
  return names.filter(([bit]) => (value & bit) !== 0).map(([, name]) => name);
}
