import type { Architecture } from "@rea/binary";
import type { Disassembler } from "./disassembler.js";

/** Architectures `loadDisassembler` knows. */
export const supportedArchitectures = ["x86", "x86_64", "arm64"] as const;

/** True when the engine can analyse code of the architecture in this byte order. */
export function supportsArchitecture(architecture: Architecture | undefined, endian: "little" | "big"): boolean {
  return endian === "little" && supportedArchitectures.some((known) => known === architecture);
}

/** Loads the disassembler of an architecture; undefined when there is none. */
export async function loadDisassembler(architecture: Architecture | undefined): Promise<Disassembler | undefined> {
  switch (architecture) {
    case "x86_64":
      return (await import("./x86/x86-disassembler.js")).loadX86(64);
    case "x86":
      return (await import("./x86/x86-disassembler.js")).loadX86(32);
    case "arm64":
      return (await import("./arm64/arm64-disassembler.js")).loadArm64();
    default:
      return undefined;
  }
}
