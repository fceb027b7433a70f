import { decodeXz, startsXzStream } from "../../codecs/xz.js";
import { defineFormat } from "../../format.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { compressedMember } from "../compressed/compressed-member.js";
import { contentName } from "../compressed/content-name.js";

/** xz: streams with padding between them are one content; block checks, index and footer are compared. */
export const xzFormat = defineFormat({
  id: "xz",
  title: "xz",
  notes: [
    "Streams one after another, with padding between them, are read as one content.",
    "LZMA2 with the delta filter and the branch filters of x86, ARM, ARM Thumb, ARM64, PowerPC, IA-64 and SPARC is read; that of RISC-V is not.",
    "CRC32, CRC64 and SHA-256 are checked.",
  ],
  relation: "extracts",
  access: "sequential",
  entries: (reader, input) =>
    compressedMember(reader, input, {
      name: contentName(input.containerName, ["xz"]),
      declaredBytes: null,
      checks: [],
      decode: decodeXz,
      starts: startsXzStream,
      skipPadding,
    }),
});

/** Stream padding is zero bytes in fours (the .xz file format, §2.2); others are left as trailing data. */
async function skipPadding(reader: SequentialReader): Promise<void> {
  for (;;) {
    const word = await reader.peek(4);
    if (word.byteLength < 4 || word.some((byte) => byte !== 0)) return;
    await reader.skip(4);
  }
}
