import { defineFormat, type Entry, type ReaderInput } from "../../format.js";
import { DebSums } from "../../integrity/deb-sums.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { malformed } from "../sequential/damage.js";
import { ArWalk } from "./ar-walk.js";

const entries = (reader: SequentialReader, input: ReaderInput) => new ArWalk(reader, input).members();

/** deb(5): what every package has beside its version. */
const required = ["control.tar", "data.tar"];

/** The archives of a package, the second with the sums that the first declares. */
async function* debEntries(reader: SequentialReader, input: ReaderInput): AsyncGenerator<Entry, void, undefined> {
  const sums = new DebSums();
  const missing = new Set(required);
  for await (const entry of new ArWalk(reader, input).members()) {
    const name = entry.name.text ?? "";
    missing.delete(name.split(".", 2).join("."));
    if (/^control\.tar(?:\.|$)/u.test(name)) yield { ...entry, inner: sums.watch };
    else yield /^data\.tar(?:\.|$)/u.test(name) ? { ...entry, inner: sums.apply() } : entry;
  }
  // An ar archive has no mark of its end: cut between two members it looks whole.
  for (const name of missing) malformed(input, reader.position, `The package has no ${name}.`);
}

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
  notes: [
    "The package is read as the ar archive that it is, control.tar and data.tar being opened in turn.",
    "The sums of control.tar's md5sums are checked for the files of data.tar; missing files and files without a sum are named.",
  ],
  access: "sequential",
  entries: debEntries,
});
