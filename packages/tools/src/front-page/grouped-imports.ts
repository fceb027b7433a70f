import type { Overview } from "../enhanced/overview-result.js";
import type { Inspection } from "./inspection.js";
import { importGroupMeanings, importGroupOf, importGroups, type ImportGroup } from "./telling-imports.js";

/** Imports that say the same thing about the program. */
export interface TellingImports {
  readonly group: ImportGroup;
  readonly meaning: string;
  readonly names: readonly string[];
}

const maximumNames = 12;

/** The telling imports by what they say, most telling group first; names in order of text, at most 12 a group. */
export function groupedImports(inspection: Inspection, overview: Overview | null): TellingImports[] {
  const names = new Set<string>();
  for (const { name } of inspection.imports?.items ?? []) if (name !== null) names.add(name);
  for (const { name } of overview?.notable_imports ?? []) names.add(name);
  return importGroups.flatMap((group) => {
    const members = [...names].filter((name) => importGroupOf(name) === group).sort();
    if (members.length === 0) return [];
    return [{ group, meaning: importGroupMeanings[group], names: members.slice(0, maximumNames) }];
  });
}
