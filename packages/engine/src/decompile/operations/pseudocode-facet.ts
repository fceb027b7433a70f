import { formatAddress, type OperationParams, type OperationResult } from "@rea/core";
import { debugOfImage } from "../../debug-types/debug-of-image.js";
import { unavailable } from "../../operations/facets.js";
import type { ProgramQuery } from "../../operations/query.js";
import { shownName } from "../../operations/shown-text.js";
import type { FunctionRecord } from "../../program.js";
import type { TextLine } from "../print/text-lines.js";
import { canDecompile, pseudocodeText } from "./pseudo-code-text.js";

type Facet = OperationResult<"analyze_function">["pseudocode"];

/** Larger functions are written as C only when more of it is asked for than a dossier shows by default. */
const promptInstructions = 400;
const standardChars = 8000;

function isWanted({ max_pseudocode_chars: most, pseudocode_offset: offset }: OperationParams<"analyze_function">): boolean {
  return most > standardChars || offset > 0;
}

/** A page of the function's C: whole lines from an offset in characters on, with the instructions each stands for. */
export function pseudocodeFacet(query: ProgramQuery, fn: FunctionRecord, params: OperationParams<"analyze_function">): Facet {
  if (!canDecompile(query)) {
    return unavailable("Pseudocode is written of x86_64 and arm64 only.", "Read the assembly facet with include_assembly, or bind another provider with open_binary and provider_id.");
  }
  const size = query.program.instructionStarts(fn).length;
  if (size > promptInstructions && !isWanted(params)) {
    return unavailable(
      `The function has ${String(size)} instructions; C of more than ${String(promptInstructions)} takes longer than a dossier should.`,
      `Call procedure_pseudo_code, or ask again with max_pseudocode_chars above ${String(standardChars)}.`,
    );
  }
  const found = pseudocodeText(query, fn);
  if (found === undefined) return unavailable("The procedure has no body in this file.", "Analyse the library that holds it, or one of its callers.");
  const { text, lines } = found;
  const offset = Math.min(params.pseudocode_offset, text.length);
  const end = pageEnd(text, offset, params.max_pseudocode_chars);
  const truncated = end < text.length;
  const part = text.slice(offset, end);
  return {
    state: "available",
    value: { text: part, offset, returned_chars: part.length, total_chars: text.length, truncated, next_offset: truncated ? end : null, lines: shownLines(query, fn, lines, { offset, end }) },
  };
}

/** Behind the last whole line that fits; a line that alone is too long is cut. */
function pageEnd(text: string, offset: number, most: number): number {
  if (text.length - offset <= most) return text.length;
  const lineEnd = text.lastIndexOf("\n", offset + most - 1);
  return lineEnd >= offset ? lineEnd + 1 : offset + most;
}

interface SourceLine {
  file: string;
  line: number;
}

interface ShownLine {
  line: number;
  addresses: { start: string; end: string }[];
  source?: SourceLine;
}

/** Numbers of lines count from 1 over the whole text. */
function shownLines({ program }: ProgramQuery, fn: FunctionRecord, lines: readonly TextLine[], { offset, end }: { readonly offset: number; readonly end: number }): ShownLine[] {
  const debug = debugOfImage(program.image);
  const entryVa = program.toVa(fn.entry);
  const shown: ShownLine[] = [];
  let at = 0;
  for (const [index, { text, at: instructions }] of lines.entries()) {
    const isShown = at + text.length >= offset && at < end;
    at += text.length + 1;
    if (!isShown || instructions.length === 0) continue;
    const addresses = ranges(instructions, (rva) => program.decodeAt(rva)?.length ?? 1).map((range) => ({
      start: formatAddress(program.toVa(range.start)),
      end: formatAddress(program.toVa(range.end)),
    }));
    const source = mostOften(instructions.flatMap((rva) => debug?.sourceAt(entryVa, program.toVa(rva)) ?? []));
    shown.push({ line: index + 1, addresses, ...(source === undefined ? {} : { source: { file: shownName(source.file), line: source.line } }) });
  }
  return shown;
}

/** The line of the source that most instructions are of; of two the earlier. */
function mostOften(places: readonly SourceLine[]): SourceLine | undefined {
  const counts = new Map<string, { readonly place: SourceLine; count: number }>();
  for (const place of places) {
    const key = `${String(place.line)} ${place.file}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { place, count: 1 });
    else known.count += 1;
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || a.place.line - b.place.line)[0]?.place;
}

function ranges(instructions: readonly number[], lengthOf: (rva: number) => number): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (const start of [...new Set(instructions)].sort((a, b) => a - b)) {
    const last = found.at(-1);
    const end = start + lengthOf(start);
    if (last !== undefined && last.end === start) last.end = end;
    else found.push({ start, end });
  }
  return found;
}
