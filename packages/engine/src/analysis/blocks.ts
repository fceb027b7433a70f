import { endsFlow, flow, isComputedJump, isJump } from "../disassembler/flow.js";
import type { BasicBlock, EdgeKind, FunctionRecord } from "../program.js";
import type { CodeMap, CodeRegion } from "./code-map.js";

export type SwitchTargets = ReadonlyMap<number, readonly number[]>;

interface OpenBlock {
  readonly start: number;
  end: number;
  instructionCount: number;
  lastStart: number;
  lastKind: number;
}

/**
 * Basic blocks of a function from its marks. A block starts at the entry, at the start of a range, at a jump target of
 * the function and behind a jump; a call does not end one unless it never comes back. Edges lead only to instructions of
 * the function itself.
 */
export function basicBlocks(fn: FunctionRecord, code: CodeMap, switches: SwitchTargets): readonly BasicBlock[] {
  const open = fn.ranges.flatMap((range) => cutRange(range, code)).sort((a, b) => a.start - b.start);
  const starts = new Set(open.map((block) => block.start));
  return open.map((block) => ({
    start: block.start,
    end: block.end,
    instructionCount: block.instructionCount,
    successors: successors(block, { code, switches, starts }),
  }));
}

function cutRange(range: { readonly start: number; readonly end: number }, code: CodeMap): OpenBlock[] {
  const region = code.regionAt(range.start);
  const blocks: OpenBlock[] = [];
  if (region === undefined) return blocks;
  let block: OpenBlock | undefined;
  for (let at = range.start - region.start; at < range.end - region.start; ) {
    const mark = region.marks[at] ?? 0;
    if (mark === 0) {
      at += 1;
      block = undefined;
      continue;
    }
    const rva = region.start + at;
    if (block === undefined || region.leaders.has(at)) {
      block = { start: rva, end: rva, instructionCount: 0, lastStart: rva, lastKind: 0 };
      blocks.push(block);
    }
    at += mark & 15;
    block.end = rva + (mark & 15);
    block.instructionCount += 1;
    block.lastStart = rva;
    block.lastKind = mark >>> 4;
    if (endsBlock(block.lastKind)) block = undefined;
  }
  return blocks;
}

function endsBlock(kind: number): boolean {
  return isJump(kind) || kind === flow.conditionalReturn || endsFlow(kind);
}

interface EdgeContext {
  readonly code: CodeMap;
  readonly switches: SwitchTargets;
  readonly starts: ReadonlySet<number>;
}

function successors(block: OpenBlock, { code, switches, starts }: EdgeContext): BasicBlock["successors"] {
  const region = code.regionAt(block.lastStart);
  if (region === undefined) return [];
  const edges: { target: number; kind: EdgeKind }[] = [];
  const add = (target: number, kind: EdgeKind) => {
    if (starts.has(target)) edges.push({ target, kind });
  };
  if (!endsFlow(block.lastKind)) add(block.end, "fallthrough");
  if (block.lastKind === flow.conditionalJump) add(targetAt(region, block.lastStart), "branch");
  if (block.lastKind === flow.jump) add(targetAt(region, block.lastStart), "jump");
  if (isComputedJump(block.lastKind)) {
    for (const target of new Set(switches.get(block.lastStart))) add(target, "switch");
  }
  return edges;
}

function targetAt(region: CodeRegion, rva: number): number {
  return region.decoder.decode(rva - region.start) ? region.decoder.target : -1;
}

/** Starts of all instructions of a function in address order. */
export function instructionStartsOf(fn: FunctionRecord, code: CodeMap): readonly number[] {
  const starts: number[] = [];
  for (const range of [...fn.ranges].sort((a, b) => a.start - b.start)) {
    const region = code.regionAt(range.start);
    if (region === undefined) continue;
    for (let rva = range.start; rva < range.end; ) {
      const length = (region.marks[rva - region.start] ?? 0) & 15;
      if (length > 0) starts.push(rva);
      rva += Math.max(1, length);
    }
  }
  return starts;
}
