import { defineFormat } from "../../format.js";
import { readOle } from "./read-ole.js";

/** Compound files: installers, older documents, thumbnails, messages. */
export const ole = defineFormat({
  id: "ole",
  title: "Compound file (OLE; MSI, DOC, XLS, MSG)",
  notes: [
    "Storages are directories and streams files, in the order of the directory's tree; entries that no storage leads to are listed as well.",
    "Names of streams in installers are shown unpacked; the raw name keeps the original.",
    "Free sectors that are not empty, used ones that belong to no stream, and bytes behind a stream's end in its last sector are named.",
  ],
  access: "random",
  entries: readOle,
});
