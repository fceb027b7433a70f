import { defineFormat } from "../../format.js";
import { readXar } from "./read-xar.js";

/** xar archives, which Apple's installer packages (.pkg) and signed archives (.xip) are. */
export const xarFormat = defineFormat({
  id: "pkg",
  title: "xar (Apple installer package)",
  notes: [
    "Members are listed in the order of the table of contents, which is a member itself, checked against its checksum.",
    "Checksums of contents and of their compressed form (MD5, SHA-1, SHA-256, SHA-512) are checked; signatures are located and not verified.",
    "Stored, zlib, bzip2, LZMA and xz data is decoded; extended attributes are counted and not read.",
  ],
  access: "random",
  entries: readXar,
});
