import { defineFormat } from "../../format.js";
import { TarWalk } from "./tar-walk.js";

/** tar: V7, ustar, pax, GNU and star archives. */
export const tarFormat = defineFormat({
  id: "tar",
  title: "tar",
  notes: [
    "V7, ustar, pax, GNU and star headers are read; pax records win over GNU long names and both over the header.",
    "Sparse members (old GNU, pax 0.0, 0.1 and 1.0) give the expanded file.",
    "Members that are ordinary by their raw headers are streamed by tar-stream, and what it sees is compared; where it differs, and for all other members, our own reader counts.",
    "Archives are read on behind an end marker, and resynchronised behind a header whose checksum does not hold.",
    "Lists of digests among the members (CodeResources, RECORD, JAR manifests and others) are compared when the archive ends, by SHA-256.",
    "star's own sparse members are read as they are stored.",
  ],
  access: "sequential",
  readsAhead: true,
  entries: (reader, input) => new TarWalk(reader, input).members(),
});
