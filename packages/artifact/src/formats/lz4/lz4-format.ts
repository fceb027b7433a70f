import { decodeLz4, startsLz4Frame } from "../../codecs/lz4.js";
import { defineFormat } from "../../format.js";
import { compressedMember } from "../compressed/compressed-member.js";
import { contentName } from "../compressed/content-name.js";

/** LZ4: frames one after another are one content, skippable ones give none; header, block and content checksums are checked. */
export const lz4Format = defineFormat({
  id: "lz4",
  title: "LZ4",
  notes: ["Frames one after another, legacy ones included, are read as one content; skippable frames are passed over.", "Frames that need a dictionary are not read."],
  relation: "extracts",
  access: "sequential",
  entries: (reader, input) =>
    compressedMember(reader, input, {
      name: contentName(input.containerName, ["lz4"]),
      declaredBytes: null,
      checks: [],
      decode: decodeLz4,
      starts: startsLz4Frame,
    }),
});
