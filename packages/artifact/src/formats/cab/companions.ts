import type { Entry } from "../../format.js";
import type { CabHeader, Companion } from "./cab-header.js";
import { cabName } from "./names.js";

/** The other cabinets of a set, as members that are not there. */
export function companionEntries({ previous, next }: CabHeader): readonly Entry[] {
  return [...entryOf("previous", previous), ...entryOf("next", next)];
}

function entryOf(which: "previous" | "next", companion: Companion | undefined): readonly Entry[] {
  if (companion === undefined || companion.cabinet.byteLength === 0) return [];
  return [
    {
      name: cabName(companion.cabinet, 0).name,
      kind: "file",
      declaredBytes: null,
      compressedBytes: null,
      location: null,
      encrypted: false,
      linkTarget: null,
      executable: null,
      checks: [],
      limitations: [],
      content: { reason: "missing_companion", why: `This is the ${which} cabinet of the set; it lies beside this one.` },
    },
  ];
}
