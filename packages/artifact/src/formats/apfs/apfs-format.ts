import { defineFormat } from "../../format.js";
import { declaring } from "../../integrity/declaring.js";
import { readApfs } from "./read-apfs.js";

/** Containers and volumes of macOS since 10.13. */
export const apfsFormat = defineFormat({
  id: "apfs",
  title: "APFS container",
  notes: [
    "The latest valid checkpoint is read; each volume is a directory. Checksums of all objects that are read are compared.",
    "Files, holes, symbolic and hard links, resource forks (as members with :rsrc behind) and compressed files (zlib, LZVN, LZFSE) are read; other extended attributes are counted.",
    "Encrypted and sealed volumes are named and not opened; snapshots are counted and not read.",
    "The contents of volumes were verified with volumes that the tests build, on which 7z and libfsapfs agree, not with ones of macOS.",
  ],
  access: "random",
  entries: declaring(readApfs),
});
