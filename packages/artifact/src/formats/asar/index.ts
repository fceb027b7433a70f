import { defineFormat } from "../../format.js";
import { readAsar } from "./read-asar.js";

export { asarHeaderSha256 } from "./asar-header.js";

/** Archives of Electron applications. */
export const asar = defineFormat({
  id: "asar",
  title: "ASAR archive (Electron)",
  notes: [
    "Files, links and directories of the header are listed in its order, duplicates included.",
    "Per-file and per-block SHA-256 are checked for packed files and for unpacked ones beside the archive.",
    "The header's hash is checked where the archive is reached through an application whose Info.plist or program declares it.",
    "Files in the companion directory that the header does not name are not seen.",
  ],
  access: "random",
  readsAhead: true,
  entries: readAsar,
});
