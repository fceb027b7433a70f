import { decodeZstd, startsZstdFrame } from "../../codecs/zstd.js";
import { defineFormat } from "../../format.js";
import { compressedMember } from "../compressed/compressed-member.js";
import { contentName } from "../compressed/content-name.js";

/** Zstandard: frames one after another are one content, skippable ones give none; declared sizes and XXH64 are checked. */
export const zstdFormat = defineFormat({
  id: "zstd",
  title: "Zstandard",
  notes: ["Frames one after another are read as one content; skippable frames are passed over.", "Frames that need a dictionary are not read."],
  relation: "extracts",
  access: "sequential",
  entries: (reader, input) =>
    compressedMember(reader, input, {
      name: contentName(input.containerName, ["zst", "zstd"]),
      declaredBytes: null,
      checks: [],
      decode: decodeZstd,
      starts: startsZstdFrame,
    }),
});
