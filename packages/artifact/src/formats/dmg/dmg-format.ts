import { defineFormat } from "../../format.js";
import { readDmg } from "./read-dmg.js";

/** Apple disk images. */
export const dmgFormat = defineFormat({
  id: "dmg",
  title: "Apple disk image (UDIF)",
  notes: [
    "Each block table is a volume; zero, raw, ignored, ADC, zlib, bzip2, LZFSE and LZMA chunks are read.",
    "CRC-32 checksums of each volume, of the data fork and of all tables together are compared.",
    "The trailer may stand at the end or the start; block tables may stand in the property list or, as in old images, in a resource fork.",
    "Encrypted images are named and not decrypted; segments of one image in several files, and sparse images and bundles, are not joined.",
  ],
  access: "random",
  entries: readDmg,
});
