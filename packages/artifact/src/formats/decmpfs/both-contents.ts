import type { FoundAnomaly } from "../../format.js";

/** What is said of a file that is compressed by an attribute and has bytes of its own as well; `bytes` is their number. */
export function bothContents(bytes: number): Omit<FoundAnomaly, "name"> {
  return {
    anomaly: "ambiguous_header",
    offset: null,
    detail: `The file is compressed by an attribute and has a data fork of ${String(bytes)} bytes as well; the attribute was read.`,
    effect: "Systems show what the attribute gives, programs that know no compression the data fork.",
  };
}
