import { ByteReader, ReaError, type ByteSource } from "@rea/core";

/** `struct mach_header` or `mach_header_64`. */
export interface MachHeader {
  readonly magic: string;
  readonly endian: "little" | "big";
  readonly wide: boolean;
  readonly cpuType: number;
  readonly cpuSubtype: number;
  readonly fileType: number;
  readonly commandCount: number;
  readonly commandBytes: number;
  readonly flags: number;
  /** 28 or 32 bytes. */
  readonly size: number;
}

const magics: ReadonlyMap<number, { readonly name: string; readonly endian: "little" | "big"; readonly wide: boolean }> = new Map([
  [0xfeedface, { name: "MH_MAGIC", endian: "big", wide: false }],
  [0xfeedfacf, { name: "MH_MAGIC_64", endian: "big", wide: true }],
  [0xcefaedfe, { name: "MH_MAGIC", endian: "little", wide: false }],
  [0xcffaedfe, { name: "MH_MAGIC_64", endian: "little", wide: true }],
] as const);

/** Reads the header; throws `artifact_operation_failed` (reason `format`) when it is missing or cut off. */
export function readMachHeader(source: ByteSource): MachHeader {
  const magic = magics.get(new ByteReader(source, "big").u32(0));
  if (magic === undefined) {
    throw new ReaError("artifact_operation_failed", {
      message: "The file does not start with a Mach-O signature. Use inspect_binary for other formats.",
      details: { operation: "read_macho", reason: "format", offset: 0 },
      action: "Open the file as an artifact, or name another file.",
    });
  }
  const reader = new ByteReader(source, magic.endian);
  const size = magic.wide ? 32 : 28;
  reader.bytes(0, size);
  return {
    magic: magic.name,
    endian: magic.endian,
    wide: magic.wide,
    cpuType: reader.u32(4),
    cpuSubtype: reader.u32(8),
    fileType: reader.u32(12),
    commandCount: reader.u32(16),
    commandBytes: reader.u32(20),
    flags: reader.u32(24),
    size,
  };
}
