import { omission, type Omission } from "@rea/core";
import { stringScan } from "../native-settings.js";
import type { Program } from "../program.js";

/** What the search for strings left out. */
export function stringOmissions(program: Program): readonly Omission[] {
  if (program.strings.length < stringScan.maximumCount) return [];
  const how_to_continue = "Read the bytes beyond the last string with read_bytes.";
  return [omission("strings", "limit_items", { limit: stringScan.maximumCount, how_to_continue })];
}
