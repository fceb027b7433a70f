import { formatAddress, type OperationParams, type OperationResult } from "@rea/core";
import type { DecodedInstruction } from "../program.js";
import { answer, type Answer } from "./answer.js";
import { givenAddress } from "./cursor.js";
import type { ProgramQuery } from "./query.js";
import { referenceItem } from "./references.js";

type Result = OperationResult<"inspect_native_instruction">;

/** What the analysis holds at an address. In the middle of an instruction the whole instruction is shown. */
export function inspectNativeInstruction(
  query: ProgramQuery,
  params: OperationParams<"inspect_native_instruction">,
): Answer<Result> {
  const { program } = query;
  const va = givenAddress(params.address);
  const rva = program.toRva(va);
  const outcome = rva === undefined || !query.memory.isMapped(va) ? "outside" : program.classify(rva);
  const start = startOf(query, outcome, rva);
  const instruction = start === undefined ? undefined : program.decodeAt(start);
  const result = { outcome, address: formatAddress(va), ...described(query, start, instruction) };
  return answer(result, { confidence: "derived", at: va, limitations: program.coverage.limitations });
}

function startOf({ program }: ProgramQuery, outcome: Result["outcome"], rva: number | undefined): number | undefined {
  if (rva === undefined) return undefined;
  if (outcome === "instruction") return rva;
  return outcome === "mid_instruction" ? program.instructionCovering(rva) : undefined;
}

function described({ program }: ProgramQuery, start: number | undefined, instruction: DecodedInstruction | undefined) {
  if (start === undefined || instruction === undefined) {
    const nothing = { bytes_hex: null, length: null, text: null, mnemonic: null, flow: null };
    return { instruction_start: null, ...nothing, operands: [], references: [] };
  }
  return {
    instruction_start: formatAddress(program.toVa(start)),
    bytes_hex: Buffer.from(instruction.bytes).toString("hex"),
    length: instruction.length,
    text: instruction.text,
    mnemonic: instruction.mnemonic,
    operands: instruction.operands.map(({ text, kind, access }) => ({ text, kind, access: access ?? null })),
    references: program.referencesAt(start).map((reference) => referenceItem(program, reference)),
    flow: instruction.flow,
  };
}
