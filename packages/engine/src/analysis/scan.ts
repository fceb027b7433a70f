import { referenceCode } from "../disassembler/disassembler.js";
import { endsFlow, flow, isComputedJump } from "../disassembler/flow.js";
import type { CodeMap, CodeRegion } from "./code-map.js";
import type { MemoryMap } from "./memory-map.js";
import type { Body } from "./partition.js";
import type { ReferenceCollector } from "./reference-table.js";
import type { Seeds } from "./seeds.js";
import type { WorkBounds } from "./work-bounds.js";

const phase = "collecting references";

interface ScanContext {
  readonly code: CodeMap;
  readonly memory: MemoryMap;
  readonly seeds: Seeds;
  /** Cells that relocation fills with an address of this image. */
  readonly pointers: ReadonlyMap<number, number>;
  readonly references: ReferenceCollector;
  readonly bounds: WorkBounds;
}

/** Collects the references that the instructions of a function make, in address order range by range. */
export function scanBody(body: Body, context: ScanContext): void {
  for (const range of body.ranges) {
    const region = context.code.regionAt(range.start);
    if (region === undefined) continue;
    scanRange(region, range.start - region.start, range.end - region.start, context);
  }
  context.bounds.did(body.instructions, phase);
}

function scanRange(region: CodeRegion, start: number, end: number, context: ScanContext): void {
  const { decoder } = region;
  decoder.begin();
  for (let at = start; at < end; ) {
    const mark = region.marks[at] ?? 0;
    if (mark === 0) return;
    // Where control may arrive from elsewhere, nothing is known of registers.
    if (region.leaders.has(at)) decoder.begin();
    if (decoder.scan(at)) addReferences(region, at, mark >>> 4, context);
    if (endsFlow(mark >>> 4)) decoder.begin();
    at += mark & 15;
  }
}

function addReferences(region: CodeRegion, at: number, kind: number, context: ScanContext): void {
  const { decoder } = region;
  const { references, memory } = context;
  const from = region.start + at;
  if (decoder.target >= 0 && isMapped(memory, decoder.target)) {
    const call = kind === flow.call || kind === flow.callNoReturn || kind === flow.conditionalCall;
    references.add(from - decoder.delay, decoder.target, call ? referenceCode.call : referenceCode.jump, decoder.targetOperand);
  }
  for (let index = 0; index < decoder.referenceCount; index += 1) {
    const to = decoder.referenceTo(index);
    if (!isMapped(memory, to)) continue;
    const slot = to === decoder.slot;
    references.add(from, to, slot ? slotKind(kind, to, context) : decoder.referenceKind(index), decoder.referenceOperand(index));
    if (slot) addPointee(from, kind, decoder.referenceOperand(index), context);
  }
}

/** A call through the cell of an import is a call of it; through another cell it is a read. */
function slotKind(kind: number, slot: number, { seeds }: ScanContext): number {
  const imported = seeds.slots.has(slot);
  if (isComputedJump(kind)) return imported ? referenceCode.jump : referenceCode.read;
  return imported ? referenceCode.call : referenceCode.read;
}

/** Through a cell that relocation fills with an address of this image, control goes there. */
function addPointee(from: number, kind: number, operand: number, context: ScanContext): void {
  const slot = context.code.regionAt(from)?.decoder.slot ?? -1;
  const to = context.pointers.get(slot);
  if (to === undefined || context.seeds.slots.has(slot) || !context.code.isCode(to)) return;
  context.references.add(from, to, isComputedJump(kind) ? referenceCode.jump : referenceCode.call, operand);
}

function isMapped(memory: MemoryMap, rva: number): boolean {
  return memory.rangeAt(rva) !== undefined;
}
