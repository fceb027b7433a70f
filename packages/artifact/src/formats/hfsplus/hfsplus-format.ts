import { defineFormat } from "../../format.js";
import { declaring } from "../../integrity/declaring.js";
import { readHfsPlus } from "./read-hfsplus.js";

/** Volumes of macOS before APFS. */
export const hfsPlusFormat = defineFormat({
  id: "hfsplus",
  title: "HFS+ volume (HFSX and HFS+ in an HFS wrapper included)",
  notes: [
    "Folders, files, symbolic links and hard links are listed in the catalog's order; the first name of a hard link has the content.",
    "A resource fork is a member of its own, called like its file with :rsrc behind; other extended attributes are counted and not read.",
    "Compressed files (zlib, LZVN and LZFSE, in the attribute or the resource fork) give their plain content; kinds 5, 9, 10, 13 and 14 are not decoded.",
    "Changes that stand in the journal only are not applied. Names are shown as systems show them: a slash inside a name as a colon.",
  ],
  access: "random",
  entries: declaring(readHfsPlus),
});
