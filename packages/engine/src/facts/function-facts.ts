import type { Disassembler } from "../disassembler/disassembler.js";
import type { BinaryImage } from "@rea/binary";
import type { CodeMap } from "../analysis/code-map.js";
import type { MemoryMap } from "../analysis/memory-map.js";
import type { BasicBlock, FunctionRecord } from "../program.js";
import { guessConvention, type ConventionGuess } from "./calling-convention.js";
import { Callees } from "./callees.js";
import { usualConvention } from "./conventions.js";
import { immediateDominators } from "./dominators.js";
import { flowGraph, type FlowGraph } from "./flow-graph.js";
import { frameOf, undecodedInstructions, type Frame } from "./frame.js";
import { functionFlow } from "./function-flow.js";
import { findLoops, type LoopForest } from "./loops.js";
import { parametersOf, type Parameters } from "./parameters.js";
import { readFirst } from "./register-flow.js";
import { returnValueOf, type ReturnValue } from "./return-value.js";
import { switchTables, type SwitchTable } from "./switch-cases.js";

/** The shape of a function's control flow, with what its switches select. Addresses are RVAs. */
export interface ControlFlow {
  readonly graph: FlowGraph;
  /** Positions of blocks, see `immediateDominators`. */
  readonly dominators: Int32Array;
  readonly loops: LoopForest;
  readonly switches: readonly SwitchTable[];
}

/** What the code of a function shows of how it is called. */
export interface CallFacts {
  readonly convention: ConventionGuess;
  readonly parameters: Parameters;
  readonly returnValue: ReturnValue;
  readonly frame: Frame;
  /** Calls before which the register that counts vector arguments is set: of variadic functions, or without a prototype. */
  readonly variadicCalls: readonly number[];
  readonly undecoded: number;
}

export interface FactSource {
  readonly image: BinaryImage;
  readonly code: CodeMap;
  readonly memory: MemoryMap;
  readonly disassembler: Disassembler;
  readonly switches: ReadonlyMap<number, readonly number[]>;
  blocksOf(fn: FunctionRecord): readonly BasicBlock[];
  functionAt(entry: number): FunctionRecord | undefined;
}

/** Loops, dominators and switches of a function; linear in its size but for nearly constant factors. */
export function controlFlow(fn: FunctionRecord, source: FactSource): ControlFlow {
  const graph = flowGraph(source.blocksOf(fn), fn.entry);
  return { graph, dominators: immediateDominators(graph), loops: findLoops(graph), switches: switchTables(graph, source) };
}

/**
 * Frame, arguments, return value and convention of a function, read from its instructions. Undefined where the registers
 * of the architecture are not known. `checkpoint` is called now and then and may throw to stop.
 */
export function callFacts(fn: FunctionRecord, source: FactSource, checkpoint: () => void): CallFacts | undefined {
  const { registers, architecture } = source.disassembler;
  const convention = usualConvention(architecture, source.image);
  if (registers === undefined || convention === undefined) return undefined;
  const { code, memory } = source;
  const flowSource = { code, memory, registers, checkpoint, blocksOf: source.blocksOf.bind(source), functionAt: source.functionAt.bind(source) };
  const callees = new Callees(flowSource, convention, source.image.format === "pe");
  const flow = functionFlow(fn, flowSource, callees.context());
  const { file } = registers;
  const frame = frameOf(flow, file, convention);
  const reads = readFirst(flow.graph, flow.effects);
  const parameters = parametersOf({ file, convention, frame, reads });
  return {
    convention: guessConvention({ file, convention, flow, frame, reads, parameters }),
    parameters,
    returnValue: returnValueOf(flow, convention),
    frame,
    variadicCalls: flow.effects.flatMap(({ calls }) => calls.filter(({ vectorCountSet }) => vectorCountSet).map(({ rva }) => rva)),
    undecoded: undecodedInstructions(flow.effects),
  };
}
