import { AnalyzedProgram } from "../analysis/analyzed-program.js";
import type { Program } from "../program.js";
import type { FactSource } from "./function-facts.js";

/** What facts of the program's functions are computed from; undefined for a program that holds no code. */
export function factSourceOf(program: Program): FactSource | undefined {
  if (!(program instanceof AnalyzedProgram)) return undefined;
  const { image, code, memory, disassembler, switches } = program.parts;
  return {
    image,
    code,
    memory,
    disassembler,
    switches,
    blocksOf: (fn) => program.blocks(fn),
    functionAt: (entry) => program.functionAt(entry),
  };
}
