import { decodeBzip2, startsBzip2Stream } from "../../codecs/bzip2.js";
import { defineFormat } from "../../format.js";
import { compressedMember } from "../compressed/compressed-member.js";
import { contentName } from "../compressed/content-name.js";

/** bzip2: streams one after another are one content; the CRC of each block and stream is checked. */
export const bzip2Format = defineFormat({
  id: "bzip2",
  title: "bzip2",
  notes: ["Streams one after another are read as one content.", "Randomised blocks, as bzip2 before 1.0 wrote them, are not read."],
  relation: "extracts",
  access: "sequential",
  entries: (reader, input) =>
    compressedMember(reader, input, {
      name: contentName(input.containerName, ["bz2", "bz", "bzip2"]),
      declaredBytes: null,
      checks: [],
      decode: decodeBzip2,
      starts: startsBzip2Stream,
    }),
});
