import { referenceCode } from "../disassembler/disassembler.js";
import { endsFlow, flow, isComputedJump, isJump } from "../disassembler/flow.js";
import type { RegisterSnapshot } from "../disassembler/register-snapshot.js";
import type { CodeMap, CodeRegion } from "./code-map.js";
import type { MemoryMap } from "./memory-map.js";
import type { Body } from "./partition.js";
import { RegisterFlow } from "./register-flow.js";
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
  /** Targets of computed jumps that tables gave. */
  readonly switches: ReadonlyMap<number, readonly number[]>;
  readonly bounds: WorkBounds;
}

/** After so many rounds values that loops change are not waited for any more. */
const mostRounds = 4;

/** Collects the references that the instructions of a function make, in address order range by range. */
export function scanBody(body: Body, context: ScanContext): void {
  const first = context.code.regionAt(body.entry);
  if (first?.decoder.registers === undefined) scanRanges(body, context, undefined);
  else scanFlow(body, context);
}

/** Round after round, until what registers hold at each place agrees with all ways there. */
function scanFlow(body: Body, context: ScanContext): void {
  const { references } = context;
  const length = references.length;
  const registers = new RegisterFlow();
  // Callers bring anything.
  registers.arrive(body.entry, []);
  for (let round = 1; round <= mostRounds; round += 1) {
    registers.startRound();
    scanRanges(body, context, { registers, patient: round === 1 });
    if (!registers.conflict && !registers.open) return;
    references.rewind(length);
  }
  scanRanges(body, context, undefined);
}

interface Follow {
  readonly registers: RegisterFlow;
  /** True while places that only later code leads to are waited for. */
  readonly patient: boolean;
}

function scanRanges(body: Body, context: ScanContext, follow: Follow | undefined): void {
  for (const range of body.ranges) {
    const region = context.code.regionAt(range.start);
    if (region === undefined) continue;
    const piece = { region, start: range.start - region.start, end: range.end - region.start };
    if (follow === undefined) scanStraight(piece, context);
    else scanFollowing(piece, body.entry, context, follow);
    context.bounds.did((range.end - range.start) >>> 2, phase);
  }
}

interface Piece {
  readonly region: CodeRegion;
  readonly start: number;
  readonly end: number;
}

function scanStraight({ region, start, end }: Piece, context: ScanContext): void {
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

function scanFollowing({ region, start, end }: Piece, entry: number, context: ScanContext, { registers, patient }: Follow): void {
  const { decoder } = region;
  const state = decoder.registers;
  if (state === undefined) return;
  decoder.begin();
  /** False where the code is not known to be reached; what it does to registers counts for nothing then. */
  let reached = region.start + start === entry || !patient;
  let runsOn = false;
  for (let at = start; at < end; ) {
    const mark = region.marks[at] ?? 0;
    if (mark === 0) return;
    const kind = mark >>> 4;
    if (region.leaders.has(at)) {
      const rva = region.start + at;
      if (runsOn && reached) registers.arrive(rva, state.capture());
      const arrived = registers.at(rva);
      decoder.begin();
      if (arrived !== undefined) state.restore(arrived);
      reached = arrived !== undefined || !patient || rva === entry;
    }
    if (decoder.scan(at)) {
      if (reached && isJump(kind)) leave(region, at, kind, { context, registers, snapshot: state.capture() });
      addReferences(region, at, kind, context);
    }
    runsOn = !endsFlow(kind);
    if (!runsOn) {
      decoder.begin();
      reached = !patient;
    }
    at += mark & 15;
  }
}

interface Leave {
  readonly context: ScanContext;
  readonly registers: RegisterFlow;
  readonly snapshot: RegisterSnapshot;
}

/** Carries what is known to the targets of the jump just scanned. */
function leave(region: CodeRegion, at: number, kind: number, { context, registers, snapshot }: Leave): void {
  if (!isComputedJump(kind)) registers.arrive(region.decoder.target, snapshot);
  else for (const target of context.switches.get(region.start + at) ?? []) registers.arrive(target, snapshot);
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
