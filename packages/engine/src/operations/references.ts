import { formatAddress, omission, pageOf, type Omission, type OperationParams, type OperationResult } from "@rea/core";
import type { FunctionRecord, Program, Reference } from "../program.js";
import { answer, type Answer } from "./answer.js";
import { codeOmissions, functionConfidence } from "./code-coverage.js";
import { givenAddress } from "./cursor.js";
import { findProcedure } from "./find-procedure.js";
import type { ProgramQuery } from "./query.js";
import { referenceBasis } from "./value-basis.js";

type ReferenceItem = OperationResult<"procedure_references">["references"]["items"][number];

export function procedureCallers(
  query: ProgramQuery,
  params: OperationParams<"procedure_callers">,
): Answer<OperationResult<"procedure_callers">> {
  const fn = findProcedure(query, params.procedure, "procedure_callers");
  return entries(query, fn, { all: query.program.callers(fn), params });
}

export function procedureCallees(
  query: ProgramQuery,
  params: OperationParams<"procedure_callees">,
): Answer<OperationResult<"procedure_callees">> {
  const fn = findProcedure(query, params.procedure, "procedure_callees");
  return entries(query, fn, { all: query.program.callees(fn), params });
}

export function procedureReferences(
  query: ProgramQuery,
  params: OperationParams<"procedure_references">,
): Answer<OperationResult<"procedure_references">> {
  const { program } = query;
  const { direction, max_instructions: maximum } = params;
  const fn = findProcedure(query, params.procedure, "procedure_references");
  const starts = program.instructionStarts(fn);
  const scanned = starts.slice(0, maximum);
  const left = [...codeOmissions(program), ...notScanned(starts.length - scanned.length, maximum)];
  const all = direction === "outgoing" ? outgoing(program, fn, scanned) : incoming(program, fn, scanned);
  const procedure = formatAddress(program.toVa(fn.entry));
  const basis = referenceBasis(program, all, functionConfidence([fn]));
  const result = {
    procedure,
    direction,
    references: pageOf(all, params, (reference) => referenceItem(program, reference), left),
    instructions_scanned: scanned.length,
    instruction_scan_truncated: scanned.length < starts.length,
  };
  return answer(result, {
    confidence: basis.confidence,
    at: givenAddress(procedure),
    limitations: [...program.coverage.limitations, ...basis.limitations],
  });
}

function notScanned(count: number, limit: number): readonly Omission[] {
  if (count === 0) return [];
  return [omission("instructions", "limit_items", { count, limit, how_to_continue: "Raise max_instructions, or page read_function_instructions." })];
}

export function crossReferences(query: ProgramQuery, params: OperationParams<"xrefs">): Answer<OperationResult<"xrefs">> {
  const { program } = query;
  const va = givenAddress(params.address);
  const rva = program.toRva(va);
  const references = rva === undefined ? [] : program.referencesTo(rva);
  const from = [...new Set(references.map((reference) => reference.from))].sort((a, b) => a - b);
  const page = pageOf(from, params, (place) => formatAddress(program.toVa(place)), codeOmissions(program));
  const { confidence, limitations } = referenceBasis(program, references, "derived");
  return answer(page, { confidence, at: va, limitations: [...program.coverage.limitations, ...limitations] });
}

/** References that the scanned instructions make. */
export function outgoing(program: Program, fn: FunctionRecord, scanned: readonly number[]): readonly Reference[] {
  const last = scanned.at(-1);
  if (last === undefined) return [];
  return program.referencesFrom(fn).filter((reference) => reference.from <= last);
}

/** References to the entry from anywhere, and to the other scanned instructions from outside the function. */
export function incoming(program: Program, fn: FunctionRecord, scanned: readonly number[]): readonly Reference[] {
  const isInside = (rva: number): boolean => fn.ranges.some((range) => rva >= range.start && rva < range.end);
  const others = scanned
    .filter((rva) => rva !== fn.entry)
    .flatMap((rva) => program.referencesTo(rva).filter((reference) => !isInside(reference.from)));
  return [...program.referencesTo(fn.entry), ...others].sort(byPlace);
}

export function referenceItem(program: Program, { from, to, kind, operandIndex }: Reference): ReferenceItem {
  return {
    from: formatAddress(program.toVa(from)),
    to: formatAddress(program.toVa(to)),
    kind,
    operand_index: operandIndex ?? null,
  };
}

function entries(
  { program }: ProgramQuery,
  fn: FunctionRecord,
  { all, params }: { readonly all: readonly number[]; readonly params: { readonly offset: number; readonly limit: number } },
): Answer<OperationResult<"procedure_callers">> {
  const page = pageOf(all, params, (rva) => formatAddress(program.toVa(rva)), codeOmissions(program));
  return answer(page, {
    confidence: functionConfidence([fn]),
    at: givenAddress(formatAddress(program.toVa(fn.entry))),
    limitations: program.coverage.limitations,
  });
}

function byPlace(a: Reference, b: Reference): number {
  return a.from - b.from || a.to - b.to || (a.operandIndex ?? -1) - (b.operandIndex ?? -1);
}
