import { decodePbzx } from "../../codecs/pbzx.js";
import { defineFormat } from "../../format.js";
import { compressedMember } from "../compressed/compressed-member.js";
import { contentName } from "../compressed/content-name.js";

/** pbzx, which payloads of Apple's installer packages are compressed with. */
export const pbzxFormat = defineFormat({
  id: "pbzx",
  title: "pbzx (payload of an installer package)",
  notes: ["Chunks compressed with xz and stored ones are read as one content; the size that each declares is compared."],
  relation: "extracts",
  access: "sequential",
  entries: (reader, input) =>
    compressedMember(reader, input, {
      name: contentName(input.containerName, ["pbzx"]),
      declaredBytes: null,
      checks: [],
      decode: decodePbzx,
      starts: () => false,
    }),
});
