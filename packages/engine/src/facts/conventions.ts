import type { Architecture, BinaryImage } from "@rea/binary";

export type ConventionName = "system_v_amd64" | "microsoft_x64" | "cdecl" | "stdcall" | "fastcall" | "thiscall" | "aapcs64" | "apple_arm64" | "windows_arm64";

/** Which registers a platform's usual convention passes, keeps and loses; numbers as in the register file. */
export interface Convention {
  readonly name: ConventionName;
  /** Why this one is expected, before the function itself is looked at. */
  readonly basis: string;
  /** General and vector argument registers in order. */
  readonly general: readonly number[];
  readonly vector: readonly number[];
  /** True where one position is passed in either kind of register (Microsoft x64). */
  readonly sharedPositions: boolean;
  /** Registers a callee keeps. */
  readonly saved: number;
  readonly savedVector: number;
  readonly generalReturn: number;
  /** Bit of the vector set where floating-point values are returned. */
  readonly vectorReturn: number;
  /** Distance from the stack pointer at entry to the first stack argument. */
  readonly stackArguments: number;
  /** Bytes above the return address where register arguments may be stored. */
  readonly homeBytes: number;
  /** Register that carries the number of vector arguments to a variadic function; -1 without one. */
  readonly vectorCount: number;
}

const mask = (...registers: readonly number[]): number => registers.reduce((bits, register) => bits | (1 << register), 0);
const from = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, index) => first + index);

// System V ABI AMD64 §3.2: rdi rsi rdx rcx r8 r9, xmm0–7; rbx rbp r12–r15 are kept.
const systemV: Convention = {
  name: "system_v_amd64",
  basis: "x86-64 code outside PE files",
  general: [7, 6, 2, 1, 8, 9],
  vector: from(0, 7),
  sharedPositions: false,
  saved: mask(3, 5, 12, 13, 14, 15),
  savedVector: 0,
  generalReturn: 0,
  vectorReturn: 0,
  stackArguments: 8,
  homeBytes: 0,
  vectorCount: 0,
};

// Microsoft x64: rcx rdx r8 r9 or xmm0–3 by position; rbx rbp rsi rdi r12–r15 xmm6–15 are kept; 32 bytes of home space.
const microsoft: Convention = {
  ...systemV,
  name: "microsoft_x64",
  basis: "x86-64 code in a PE file",
  general: [1, 2, 8, 9],
  vector: from(0, 3),
  sharedPositions: true,
  saved: mask(3, 5, 6, 7, 12, 13, 14, 15),
  savedVector: mask(...from(6, 15)),
  stackArguments: 40,
  homeBytes: 32,
  vectorCount: -1,
};

// System V ABI Intel386: arguments on the stack; ebx ebp esi edi are kept. Registers carry arguments in fastcall and thiscall.
const cdecl: Convention = {
  ...systemV,
  name: "cdecl",
  basis: "x86 code of 32 bits",
  general: [1, 2],
  vector: [],
  saved: mask(3, 5, 6, 7),
  vectorReturn: 31,
  stackArguments: 4,
  vectorCount: -1,
};

// AAPCS64 §6: x0–x7, v0–v7; x19–x28, x29, x30 and the low halves of v8–v15 are kept.
const arm64: Convention = {
  name: "aapcs64",
  basis: "ARM64 code",
  general: from(0, 7),
  vector: from(0, 7),
  sharedPositions: false,
  saved: mask(...from(19, 30)),
  savedVector: mask(...from(8, 15)),
  generalReturn: 0,
  vectorReturn: 0,
  stackArguments: 0,
  homeBytes: 0,
  vectorCount: -1,
};

/** The convention usual for an image's platform; undefined where none is modelled. */
export function usualConvention(architecture: Architecture, { format }: BinaryImage): Convention | undefined {
  switch (architecture) {
    case "x86_64":
      return format === "pe" ? microsoft : systemV;
    case "x86":
      return cdecl;
    case "arm64":
      if (format === "mach-o") return { ...arm64, name: "apple_arm64", basis: "ARM64 code in a Mach-O file" };
      return format === "pe" ? { ...arm64, name: "windows_arm64", basis: "ARM64 code in a PE file" } : arm64;
    default:
      return undefined;
  }
}
