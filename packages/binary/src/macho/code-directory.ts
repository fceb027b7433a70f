import { ByteReader } from "@rea/core";

import type { Findings } from "../findings.js";
import { command } from "./command-names.js";
import type { DataRange, MachOFile } from "./macho-file.js";

const superBlob = 0xfade0cc0;
const codeDirectory = 0xfade0c02;
const mostBlobs = 256;

/** Where the code signature is; its content is for `inspect_signature`. */
export function codeSignatureRange(file: MachOFile): DataRange | undefined {
  return file.linkedit(command.codeSignature);
}

/** `flags` of the first code directory of the embedded signature (big-endian, `kern/cs_blobs.h`). */
export function codeDirectoryFlags(file: MachOFile, findings: Findings): number | undefined {
  const range = codeSignatureRange(file);
  if (range === undefined) return undefined;
  return findings.attempt("code_signature", range.offset, () => {
    const reader = new ByteReader(file.reader.source, "big").slice(range.offset, range.size);
    if (reader.u32(0) !== superBlob) return undefined;
    const count = Math.min(reader.u32(8), mostBlobs);
    for (let index = 0; index < count; index += 1) {
      const offset = reader.u32(12 + index * 8 + 4);
      if (reader.u32(offset) === codeDirectory) return reader.u32(offset + 12);
    }
    return undefined;
  });
}
