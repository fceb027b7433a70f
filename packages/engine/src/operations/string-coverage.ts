import { scanStrings, stringRegions, type BinaryImage } from "@rea/binary";
import type { Omission } from "@rea/core";
import { stringScan } from "../native-settings.js";
import type { Program } from "../program.js";

const known = new WeakMap<BinaryImage, readonly Omission[]>();

/** What the search for strings left out: bytes that the file does not hold, and where the greatest number was reached. */
export function stringOmissions({ image, strings }: Program): readonly Omission[] {
  const made = known.get(image) ?? (mayBeFull(strings) ? scanStrings(image).omissions : stringRegions(image, "data").omissions);
  known.set(image, made);
  return made;
}

/** Fewer strings than the search may find cannot have reached its bound. */
function mayBeFull(strings: Program["strings"]): boolean {
  return strings.length >= stringScan.maximumCount;
}
