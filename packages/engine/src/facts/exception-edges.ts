import { exceptionSites, type UnwindRange } from "@rea/binary";
import type { BasicBlock, Program } from "../program.js";
import type { FlowGraph } from "./flow-graph.js";

/** How exceptions lead through the blocks of a function. */
export interface ExceptionEdges {
  /** Landing pads by the start of the block that an exception may leave, sorted. */
  readonly pads: ReadonlyMap<number, readonly number[]>;
  /** Blocks that are reached from the entry neither by jumps nor by exceptions, fill left out. */
  readonly unreached: number;
}

const known = new WeakMap<FlowGraph, ExceptionEdges>();
const rangesOf = new WeakMap<Program, ReadonlyMap<number, UnwindRange>>();

/**
 * The edges that the tables of the Itanium C++ runtime tell. They are apart from the other edges: what registers hold on
 * them depends on the runtime, so that facts about registers and the stack are those of the paths without exceptions. The
 * tables are read for functions only in which some block is not reached.
 */
export function exceptionEdges(program: Program, graph: FlowGraph): ExceptionEdges {
  const edges = known.get(graph) ?? readEdges(program, graph);
  known.set(graph, edges);
  return edges;
}

function readEdges(program: Program, graph: FlowGraph): ExceptionEdges {
  const pads = new Map<number, number[]>();
  if (graph.blocks.length === graph.preorder.length) return { pads, unreached: 0 };
  const starts = new Set(graph.blocks.map(({ start }) => start));
  for (const { start, end, pad } of sitesOf(program, graph)) {
    if (!starts.has(pad)) continue;
    for (const block of graph.blocks) {
      if (block.start >= end || block.end <= start) continue;
      const list = pads.get(block.start);
      if (list === undefined) pads.set(block.start, [pad]);
      else if (!list.includes(pad)) list.push(pad);
    }
  }
  for (const list of pads.values()) list.sort((a, b) => a - b);
  const reached = reachedBlocks(graph, pads);
  const unreached = graph.blocks.filter((block, index) => !reached.has(index) && !isFill(block, program));
  return { pads, unreached: unreached.length };
}

const fillNames: ReadonlySet<string> = new Set(["nop", "int3", "udf"]);

/** Fill between parts of a function, which nothing is meant to reach. */
function isFill({ start, end }: BasicBlock, program: Program): boolean {
  for (let rva = start; rva < end; ) {
    const instruction = program.decodeAt(rva);
    if (instruction === undefined || !(fillNames.has(instruction.mnemonic) || /^xchg ax, ?ax$/.test(instruction.text))) return false;
    rva += instruction.length;
  }
  return true;
}

interface Site {
  readonly start: number;
  readonly end: number;
  readonly pad: number;
}

function sitesOf(program: Program, { blocks, entry }: FlowGraph): readonly Site[] {
  const handled = rangesOf.get(program) ?? handledRanges(program);
  rangesOf.set(program, handled);
  const fn = program.functionAt(blocks[entry]?.start ?? -1);
  return (fn?.ranges ?? []).flatMap(({ start }) => {
    const range = handled.get(start);
    if (range === undefined) return [];
    return exceptionSites(program.image, range).flatMap((site) => {
      const [from, end, pad] = [program.toRva(site.start), program.toRva(site.end), program.toRva(site.landingPad)];
      return from === undefined || end === undefined || pad === undefined ? [] : [{ start: from, end, pad }];
    });
  });
}

function handledRanges(program: Program): ReadonlyMap<number, UnwindRange> {
  const found = new Map<number, UnwindRange>();
  for (const range of program.image.unwindRanges().items) {
    const rva = range.lsda === undefined ? undefined : program.toRva(range.start);
    if (rva !== undefined) found.set(rva, range);
  }
  return found;
}

function reachedBlocks({ blocks, entry, successors }: FlowGraph, pads: ReadonlyMap<number, readonly number[]>): ReadonlySet<number> {
  const position = new Map(blocks.map(({ start }, index) => [start, index]));
  const reached = new Set<number>();
  const work = entry < 0 ? [] : [entry];
  for (let block = work.pop(); block !== undefined; block = work.pop()) {
    if (reached.has(block)) continue;
    reached.add(block);
    work.push(...(successors[block] ?? []));
    for (const pad of pads.get(blocks[block]?.start ?? -1) ?? []) work.push(position.get(pad) ?? block);
  }
  return reached;
}
