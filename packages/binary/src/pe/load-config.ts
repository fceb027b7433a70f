import type { Findings } from "../findings.js";
import type { PeFile } from "./pe-file.js";

/** Fields of the load configuration directory that mitigations rest on; 0 where absent in this version of it. */
export interface LoadConfig {
  readonly securityCookie: bigint;
  readonly safeSehTable: bigint;
  readonly safeSehCount: bigint;
  readonly guardFlags: number;
  readonly guardTable: bigint;
  readonly guardCount: bigint;
}

/** PE Format § "The Load Configuration Structure"; its first field is the size of the version at hand. */
export function readLoadConfig(file: PeFile, findings: Findings): LoadConfig | undefined {
  const directory = file.directory("loadConfig");
  if (directory === undefined) return undefined;
  return findings.attempt("load configuration", file.fileOffset(directory.rva), () => {
    const wide = file.headers.plus;
    // Old linkers record a fixed size in the directory; the structure's own field is right.
    const size = Math.max(file.u32(directory.rva), Math.min(directory.size, 64));
    const pointer = (offset: number): bigint => (offset + file.pointerSize <= size ? file.pointer(directory.rva + offset) : 0n);
    const flagsOffset = wide ? 144 : 88;
    return {
      securityCookie: pointer(wide ? 88 : 60),
      safeSehTable: pointer(wide ? 96 : 64),
      safeSehCount: pointer(wide ? 104 : 68),
      guardTable: pointer(wide ? 128 : 80),
      guardCount: pointer(wide ? 136 : 84),
      guardFlags: flagsOffset + 4 <= size ? file.u32(directory.rva + flagsOffset) : 0,
    };
  });
}
