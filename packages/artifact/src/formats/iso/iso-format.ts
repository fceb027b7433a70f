import { defineFormat } from "../../format.js";
import { declaring } from "../../integrity/declaring.js";
import { PieceWindow } from "../../reading/piece-window.js";
import { IsoWalk } from "./iso-walk.js";

/** ISO 9660 (ECMA-119) with Rock Ridge (SUSP 1.12, RRIP 1.12), Joliet and El Torito. */
export const isoFormat = defineFormat({
  id: "iso9660",
  title: "ISO 9660 image",
  notes: [
    "Names are those of Rock Ridge, else of Joliet, else of ISO 9660:1999, else plain; the other trees are walked as well, and files that only one of them has are listed and told.",
    "Files of several extents, relocated directories, symbolic links, devices and files compressed by zisofs are read; interleaved files are not.",
    "Numbers written in both byte orders, path tables and directories are compared; data that belongs to no file is told.",
    "Boot catalogs, boot images and partition maps are parts, not members.",
    "UDF, HFS and HFS+ volumes that share an image are not read.",
    "Owners, times and extended attributes are not listed.",
  ],
  access: "random",
  entries: declaring((source, input) => new IsoWalk(new PieceWindow(source), input).entries()),
});
