import { defineFormat } from "../../format.js";
import { readCab } from "./read-cab.js";

/** Cabinets of Windows. */
export const cab = defineFormat({
  id: "cab",
  title: "Cabinet (CAB)",
  notes: [
    "Stored, MSZIP, LZX and Quantum folders are decoded once, one file after another; the checksums of data blocks are checked.",
    "Files that other cabinets of a set hold in part are named as missing; the other cabinets are not looked for.",
    "Reserved areas and signatures behind the cabinet are named; times and attributes are not read.",
  ],
  access: "random",
  entries: readCab,
});
