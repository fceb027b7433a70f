import { defineFormat } from "../../format.js";
import { CpioWalk } from "./cpio-walk.js";

/** cpio archives of all layouts. */
export const cpioFormat = defineFormat({
  id: "cpio",
  title: "cpio",
  notes: [
    "The layouts newc, crc, odc and the binary ones of both byte orders are read; the sums of crc are checked.",
    "Names of one file of which only the last has the data become hard links to that one.",
    "Archives are read on behind a trailer and behind data that is no header.",
  ],
  access: "sequential",
  entries: (reader, input) => new CpioWalk(reader, input).members(),
});
