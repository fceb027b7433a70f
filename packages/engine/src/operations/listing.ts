import { formatAddress, ReaError, truncateCodePoints, escapeUntrusted, type OperationParams, type OperationResult } from "@rea/core";
import type { FunctionRecord } from "../program.js";
import { answer, type Answer } from "./answer.js";
import { functionConfidence, omissionSentences } from "./code-coverage.js";
import { givenAddress } from "./cursor.js";
import { findProcedure } from "./find-procedure.js";
import { maxScannedInstructions } from "./instructions.js";
import type { ProgramQuery } from "./query.js";
import { stringAt } from "./string-places.js";

const maxListingBytes = 1024 * 1024;
const notedCharacters = 60;
const checkEvery = 1024;

export function procedureAssembly(
  query: ProgramQuery,
  params: OperationParams<"procedure_assembly">,
): Answer<OperationResult<"procedure_assembly">> {
  const { program } = query;
  const fn = findProcedure(query, params.procedure, "procedure_assembly");
  const starts = program.instructionStarts(fn);
  if (starts.length > maxScannedInstructions) throw tooLong({ instructions: starts.length });
  let bytes = 0;
  const lines = starts.map((rva, index) => {
    if (index % checkEvery === 0) query.checkpoint();
    const line = listingLine(query, fn, rva);
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxListingBytes) throw tooLong({ instructions: starts.length });
    return line;
  });
  return answer(lines.join("\n"), {
    confidence: functionConfidence([fn]),
    at: givenAddress(formatAddress(program.toVa(fn.entry))),
    limitations: [...program.coverage.limitations, ...omissionSentences(program)],
  });
}

/** `address  instruction`, then ` ; ` and what the operands lead to outside the function, or an inline comment. */
export function listingLine(query: ProgramQuery, fn: FunctionRecord, rva: number): string {
  const va = query.program.toVa(rva);
  const text = query.program.decodeAt(rva)?.text ?? "(undecodable)";
  const notes = [...notesOf(query, fn, rva), ...inlineComment(query, va)];
  const note = notes.length === 0 ? "" : `  ; ${notes.join(", ")}`;
  return `${formatAddress(va)}  ${text}${note}`;
}

function notesOf(query: ProgramQuery, fn: FunctionRecord, rva: number): readonly string[] {
  const notes = query.program.referencesAt(rva).flatMap(({ to }) => {
    if (to !== fn.entry && fn.ranges.some((range) => to >= range.start && to < range.end)) return [];
    const name = query.names.stated(to);
    if (name !== undefined) return [noted(name)];
    const string = stringAt(query.program, to);
    return string === undefined ? [] : [`"${noted(string)}"`];
  });
  return [...new Set(notes)];
}

function inlineComment({ annotations }: ProgramQuery, va: bigint): readonly string[] {
  const comment = annotations.inlineComment(va);
  return comment === undefined ? [] : [noted(comment)];
}

function noted(text: string): string {
  const cut = truncateCodePoints(text, notedCharacters);
  return `${escapeUntrusted(cut.text)}${cut.truncated ? "…" : ""}`;
}

function tooLong({ instructions }: { readonly instructions: number }): ReaError {
  return new ReaError("truncated", {
    message: `The listing of ${String(instructions)} instructions does not fit one reply. Page it with read_function_instructions.`,
    details: {
      resource: "listing",
      limit_instructions: maxScannedInstructions,
      limit_bytes: maxListingBytes,
      actual_instructions: instructions,
    },
    action: "Page the procedure with read_function_instructions.",
  });
}
