import { declaredLzmaBytes, decodeLzma, lzmaHeaderBytes } from "../../codecs/lzma.js";
import { defineFormat } from "../../format.js";
import { compressedMember } from "../compressed/compressed-member.js";
import { contentName } from "../compressed/content-name.js";

/** LZMA-alone (`.lzma`): one stream, whose header may declare the length. */
export const lzmaFormat = defineFormat({
  id: "lzma",
  title: "LZMA",
  notes: ["The format has no checksum: damage that still decodes is seen only where a length is declared."],
  relation: "extracts",
  access: "sequential",
  async *entries(reader, input) {
    const declared = declaredLzmaBytes(await reader.peek(lzmaHeaderBytes));
    yield* compressedMember(reader, input, {
      name: contentName(input.containerName, ["lzma"]),
      declaredBytes: declared ?? null,
      checks: declared === undefined ? [] : [{ kind: "size", bytes: declared }],
      decode: decodeLzma,
      starts: () => false,
    });
  },
});
