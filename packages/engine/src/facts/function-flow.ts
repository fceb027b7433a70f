import { flow, isComputedJump } from "../disassembler/flow.js";
import type { InstructionEffects, RegisterDecoder, RegisterModel } from "../disassembler/register-access.js";
import type { CodeMap, CodeRegion } from "../analysis/code-map.js";
import { lastAtOrBelow, type MemoryMap } from "../analysis/memory-map.js";
import type { BasicBlock, FunctionRecord } from "../program.js";
import type { BlockEffects } from "./block-effects.js";
import { BlockWalk, type BlockContext } from "./block-walk.js";
import type { Convention } from "./conventions.js";
import { flowGraph, type FlowGraph } from "./flow-graph.js";
import { incomingRegisters } from "./incoming-registers.js";

/** What facts are computed from. */
export interface FlowSource {
  readonly code: CodeMap;
  readonly memory: MemoryMap;
  readonly registers: RegisterModel;
  blocksOf(fn: FunctionRecord): readonly BasicBlock[];
  functionAt(entry: number): FunctionRecord | undefined;
  /** Throws once the caller gave up. */
  checkpoint(): void;
}

/** A function's graph with what each block does to registers. */
export interface FunctionFlow {
  readonly graph: FlowGraph;
  readonly effects: readonly BlockEffects[];
}

const blocksBetweenChecks = 256;

/**
 * Reads every instruction of the function. What callees read is asked only where a register may still hold what the
 * caller put there: a call loses the argument registers, so that is mostly before the first one.
 */
export function functionFlow(fn: FunctionRecord, source: FlowSource, context: BlockContext): FunctionFlow {
  const graph = flowGraph(source.blocksOf(fn), fn.entry);
  const readers = new RangeReaders(fn, source);
  const calling = new Set<number>();
  const walk = (block: BasicBlock, own: BlockContext) => blockEffects(block, { source, context: own, readers, entry: fn.entry });
  try {
    const effects = graph.blocks.map((block, index) => {
      if (index % blocksBetweenChecks === 0) source.checkpoint();
      return walk(block, withoutCallees(context, () => calling.add(index)));
    });
    const incoming = incomingRegisters(graph, effects);
    const { general, vector } = argumentRegisters(context.convention);
    for (const index of calling) {
      const block = graph.blocks[index];
      const holds = ((incoming.general[index] ?? 0) & general) | ((incoming.vector[index] ?? 0) & vector);
      if (block !== undefined && holds !== 0) effects[index] = walk(block, context);
    }
    return { graph, effects };
  } finally {
    readers.close();
  }
}

const nothing = { general: 0, vector: 0 };

/** Says of each block whether it calls anything, and nothing of what callees read. */
function withoutCallees(context: BlockContext, noteCall: () => void): BlockContext {
  return {
    ...context,
    calleeReads: (target, leaves) => {
      if (leaves) return context.calleeReads(target, leaves);
      noteCall();
      return nothing;
    },
  };
}

function argumentRegisters({ general, vector }: Convention): { readonly general: number; readonly vector: number } {
  const mask = (registers: readonly number[]) => registers.reduce((bits, register) => bits | (1 << register), 0);
  return { general: mask(general), vector: mask(vector) };
}

interface WalkInput {
  readonly source: FlowSource;
  readonly context: BlockContext;
  readonly readers: RangeReaders;
  readonly entry: number;
}

function blockEffects(block: BasicBlock, { source, context, readers, entry }: WalkInput): BlockEffects {
  const walk = new BlockWalk(context);
  const region = source.code.regionAt(block.start);
  if (region === undefined) return walk;
  let kind = 0;
  let target = -1;
  for (let rva = block.start; rva < block.end; ) {
    const mark = region.marks[rva - region.start] ?? 0;
    const length = Math.max(1, mark & 15);
    kind = mark >>> 4;
    target = kind === flow.sequential || kind === flow.padding ? -1 : targetAt(region, rva);
    walk.add({ rva, length, flow: kind, target, effects: readers.read(rva) });
    rva += length;
  }
  leave(block, { walk, kind, target, entry });
  return walk;
}

function targetAt(region: CodeRegion, rva: number): number {
  return region.decoder.decode(rva - region.start) ? region.decoder.target : -1;
}

interface Ending {
  readonly walk: BlockWalk;
  readonly kind: number;
  readonly target: number;
  readonly entry: number;
}

/** A jump without an edge inside the function leads out of it. */
function leave(block: BasicBlock, { walk, kind, target, entry }: Ending): void {
  const stays = (rva: number) => block.successors.some((edge) => edge.target === rva);
  if ((kind === flow.jump || kind === flow.conditionalJump) && !stays(target) && target !== entry) walk.leave(target, kind === flow.jump);
  else if (isComputedJump(kind) && !block.successors.some((edge) => edge.kind === "switch")) walk.leave(-1, true);
}

/** The register decoder of the range last read; blocks are read in order of their addresses. */
class RangeReaders {
  readonly #ranges: readonly { readonly start: number; readonly end: number }[];
  readonly #source: FlowSource;
  #open: { readonly start: number; readonly end: number; readonly decoder: RegisterDecoder } | undefined;

  constructor(fn: FunctionRecord, source: FlowSource) {
    this.#ranges = [...fn.ranges].sort((a, b) => a.start - b.start);
    this.#source = source;
  }

  read(rva: number): InstructionEffects | undefined {
    const open = this.#open;
    if (open !== undefined && rva >= open.start && rva < open.end) return open.decoder.read(rva - open.start);
    this.close();
    const range = this.#ranges[lastAtOrBelow(this.#ranges, rva)];
    if (range === undefined || rva >= range.end) return undefined;
    const { memory, registers } = this.#source;
    const decoder = registers.open(memory.read(range.start, range.end - range.start), range.start);
    this.#open = { start: range.start, end: range.end, decoder };
    return decoder.read(rva - range.start);
  }

  close(): void {
    this.#open?.decoder.close();
    this.#open = undefined;
  }
}
