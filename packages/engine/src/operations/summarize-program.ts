import { compareCodePoints, coverageOf, formatAddress, type OperationParams, type OperationResult } from "@rea/core";
import type { FunctionRecord } from "../program.js";
import { answer, type Answer } from "./answer.js";
import { codeOmissions, functionConfidence, omissionSentences } from "./code-coverage.js";
import { demangledMember } from "./demangled-names.js";
import { nameOmissions, searchedEncodings } from "./names-and-strings.js";
import { notableStrings } from "./notable-strings.js";
import type { ProgramQuery } from "./query.js";
import { searchValue, shownName } from "./shown-text.js";
import { stringOmissions } from "./string-coverage.js";

type Summary = OperationResult<"summarize_program">;

/** Figures of the whole program and what stands out in it. Rankings break ties by address. */
export function summarizeProgram(
  query: ProgramQuery,
  params: OperationParams<"summarize_program">,
): Answer<Summary> {
  const { program, image } = query;
  const { coverage } = program;
  const limitations = [
    ...coverage.limitations,
    ...omissionSentences(program),
    searchedEncodings,
    ...query.annotations.limitations(),
  ];
  const result = {
    procedure_count: program.functions.length,
    string_count: program.strings.length,
    name_count: query.names.all().length,
    segment_count: image.segments().items.length,
    entry_points: entryPoints(query),
    largest_procedures: largest(query, params.limit),
    most_called_procedures: mostCalled(query, params.limit),
    notable_strings: notableStrings(program, { limit: params.limit, checkpoint: query.checkpoint }).map(
      ({ record, text, references }) => {
        return { address: formatAddress(program.toVa(record.rva)), value: searchValue(text).value, references };
      },
    ),
    imported_names: importedNames(query),
    code_bytes: coverage.codeBytes,
    examined_code_bytes: coverage.examinedCodeBytes,
    unresolved_indirect_jumps: coverage.unresolvedIndirectJumps.length,
    coverage: coverageOf([...codeOmissions(program), ...stringOmissions(program), ...nameOmissions(image)]),
    limitations: [...new Set(limitations)],
  };
  return answer(result, { confidence: functionConfidence(program.functions), limitations });
}

function entryPoints({ image, names, program }: ProgramQuery): Summary["entry_points"] {
  return image.entryPoints().items.map(({ va, kind }) => {
    const rva = program.toRva(va);
    const name = rva === undefined ? undefined : names.at(rva);
    return { address: formatAddress(va), name: name === undefined ? null : shownName(name), kind };
  });
}

const maximumImports = 5000;

/** By name; the address is the first stub or slot. */
function importedNames({ image }: ProgramQuery): Summary["imported_names"] {
  const found = new Map<string, Summary["imported_names"][number]>();
  for (const { name, stubs, slots, library } of image.imports().items) {
    const va = stubs[0] ?? slots[0];
    if (name === undefined || va === undefined || found.has(name)) continue;
    found.set(name, { address: formatAddress(va), name: shownName(name), library: library === undefined ? null : shownName(library) });
    if (found.size === maximumImports) break;
  }
  return [...found.values()].sort((a, b) => compareCodePoints(a.name, b.name));
}

function largest(query: ProgramQuery, limit: number): Summary["largest_procedures"] {
  const bySize = [...query.program.functions].sort((a, b) => b.size - a.size || a.entry - b.entry);
  return bySize.slice(0, limit).map((fn) => ({ ...placed(query, fn), size: fn.size }));
}

function mostCalled(query: ProgramQuery, limit: number): Summary["most_called_procedures"] {
  const counted = query.program.functions.map((fn, index) => {
    if (index % 1024 === 0) query.checkpoint();
    return { fn, callers: query.program.callers(fn).length };
  });
  const called = counted.filter(({ callers }) => callers > 0);
  called.sort((a, b) => b.callers - a.callers || a.fn.entry - b.fn.entry);
  return called.slice(0, limit).map(({ fn, callers }) => ({ ...placed(query, fn), callers }));
}

function placed({ program, names }: ProgramQuery, fn: FunctionRecord): { address: string; name: string; demangled?: string } {
  const { name } = names.ofFunction(fn);
  return { address: formatAddress(program.toVa(fn.entry)), name: shownName(name), ...demangledMember(name) };
}
