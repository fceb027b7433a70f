import type { Omission } from "@rea/core";
import type { Program } from "../program.js";

/** What the search for strings left out: omissions of the analysis that are about strings or unreadable bytes. */
export function stringOmissions(program: Program): readonly Omission[] {
  return program.coverage.omissions.filter(({ scope }) => /string/i.test(scope));
}
