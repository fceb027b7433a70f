import { defineFormat } from "../../format.js";
import { readSevenZip } from "./read-sevenzip.js";

/** Archives of 7-Zip. */
export const sevenZip = defineFormat({
  id: "7z",
  title: "7z archive",
  notes: [
    "Members come in the order of the list; folders of many members are decoded once, one member after another.",
    "Copy, LZMA, LZMA2, PPMd, Deflate, Deflate64, BZip2, zstd and LZ4 data is decoded, behind BCJ, BCJ2, ARM, ARM64, PPC, SPARC, IA64 and Delta filters.",
    "Encrypted members and lists are named and not decrypted; dictionaries above 256 MiB are not allocated.",
    "Unix modes and symbolic links are read; times are not.",
  ],
  access: "random",
  entries: readSevenZip,
});
