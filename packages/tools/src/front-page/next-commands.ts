import type { Overview } from "../enhanced/overview-result.js";
import type { Inspection } from "./inspection.js";
import type { TellingImports } from "./grouped-imports.js";

/** A command of the command line; `PATH` stands for the executable. */
export interface NextCommand {
  readonly words: readonly string[];
  readonly why: string;
}

interface Known {
  readonly inspection: Inspection;
  readonly overview: Overview | null;
  readonly imports: readonly TellingImports[];
}

const wanted = 3;

/** The three most promising ways on, best first; every one works on this executable. */
export function nextCommands(known: Known): NextCommand[] {
  const { overview } = known;
  const analysed = overview === null ? [] : [...codeCommands(overview), ...importCommands(known.imports), ...stringCommands(overview)];
  return [...analysed, ...fileCommands(known.inspection)].slice(0, wanted);
}

function codeCommands(overview: Overview): NextCommand[] {
  const procedures = [...(overview.largest_procedures ?? []), ...(overview.most_called_procedures ?? [])];
  const main = procedures.find(({ name }) => /^_?(main|wmain|WinMain|wWinMain|main\.main)$/.test(name));
  const largest = overview.largest_procedures?.[0];
  const entry = overview.entry_points[0];
  if (main !== undefined) return [{ words: ["function", "PATH", main.address], why: "Read the program's main function." }];
  if (largest !== undefined) return [{ words: ["function", "PATH", largest.address], why: "Read the largest function." }];
  if (entry === undefined) return [];
  return [{ words: ["call-graph", "PATH", entry.address], why: "See what runs from the entry point." }];
}

function importCommands([group]: readonly TellingImports[]): NextCommand[] {
  const name = group?.names[0];
  if (group === undefined || name === undefined) return [];
  return [{ words: ["find-xrefs-to-name", "PATH", name], why: `See where it ${group.meaning}.` }];
}

function stringCommands(overview: Overview): NextCommand[] {
  const notable = overview.notable_strings?.find(({ references }) => references > 0);
  if (notable === undefined) return [{ words: ["search", "PATH", "error"], why: "Find messages and the code behind them." }];
  return [{ words: ["xrefs", "PATH", notable.address], why: "See what uses the most notable string." }];
}

function fileCommands({ format }: Inspection): NextCommand[] {
  const specific =
    format === "mach-o" || format === "mach-o-universal"
      ? { words: ["inspect-macho", "PATH"], why: "Read every load command." }
      : { words: ["inspect-binary", "PATH", "--facets", "imports"], why: "Read the imports one by one." };
  return [
    specific,
    { words: ["inspect-binary", "PATH", "--json"], why: "Read everything the file declares." },
    { words: ["list-architectures", "PATH"], why: "See which architectures are inside." },
  ];
}
