import { defineFormat, type ReaderInput } from "../../format.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { ArWalk } from "./ar-walk.js";

const entries = (reader: SequentialReader, input: ReaderInput) => new ArWalk(reader, input).members();

/** ar archives: static libraries, with System V, GNU, BSD and Windows names. */
export const arFormat = defineFormat({
  id: "ar",
  title: "ar",
  notes: ["Symbol tables and tables of long names are read and not listed as members.", "Members of thin archives are named; their content stands in other files and is not read."],
  access: "sequential",
  entries,
});

/** Debian packages: an ar archive of a version, control.tar and data.tar. */
export const debFormat = defineFormat({
  id: "deb",
  title: "Debian package",
  notes: ["The package is read as the ar archive that it is, control.tar and data.tar being opened in turn."],
  access: "sequential",
  entries,
});
