import { formatAddress, pageOf, type OperationParams, type OperationResult } from "@rea/core";
import { answer, type Answer } from "./answer.js";
import { codeOmissions, functionConfidence } from "./code-coverage.js";
import { givenAddress } from "./cursor.js";
import { findProcedure } from "./find-procedure.js";
import type { ProgramQuery } from "./query.js";

type InstructionItem = OperationResult<"read_function_instructions">["instructions"]["items"][number];

/** Instructions of one function that any operation looks at. */
export const maxScannedInstructions = 100_000;

export function readFunctionInstructions(
  query: ProgramQuery,
  params: OperationParams<"read_function_instructions">,
): Answer<OperationResult<"read_function_instructions">> {
  const { program } = query;
  const fn = findProcedure(query, params.procedure, "read_function_instructions");
  const starts = program.instructionStarts(fn);
  const page = pageOf(starts, params, (rva) => instructionItem(query, rva), codeOmissions(program));
  const procedure = formatAddress(program.toVa(fn.entry));
  const limitations = [...program.coverage.limitations];
  const result = {
    procedure,
    instructions: page,
    instructions_scanned: page.items.length,
    instruction_scan_truncated: page.has_more,
    limitations,
  };
  return answer(result, { confidence: functionConfidence([fn]), at: givenAddress(procedure), limitations });
}

function instructionItem(query: ProgramQuery, rva: number): InstructionItem {
  const address = formatAddress(query.program.toVa(rva));
  const instruction = query.program.decodeAt(rva);
  if (instruction === undefined) return { address, bytes_hex: "", text: "(undecodable)", length: 0 };
  const { bytes, text, length } = instruction;
  return { address, bytes_hex: Buffer.from(bytes).toString("hex"), text, length };
}
