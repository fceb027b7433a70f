import type { Disassembler } from "../disassembler/disassembler.js";
import { endsFlow, flow } from "../disassembler/flow.js";
import type { JumpContext, JumpTable } from "../disassembler/jump-table.js";
import type { CodeMap, CodeRegion } from "./code-map.js";
import type { JumpResolver } from "./computed-jumps.js";
import { ExtentIndex, type Extent } from "./extents.js";
import { LabelTables } from "./label-tables.js";
import type { MemoryMap } from "./memory-map.js";
import { NamedPlaces } from "./named-places.js";
import type { Seeds } from "./seeds.js";

interface TableInput {
  readonly disassembler: Disassembler;
  readonly memory: MemoryMap;
  readonly code: CodeMap;
  readonly seeds: Pick<Seeds, "extents" | "sources" | "stubs" | "slots">;
  readonly is64: boolean;
  /** Cells that relocation fills with an address of this image. */
  readonly pointers: ReadonlyMap<number, number>;
}

const mostEntries = 4096;
/** A table whose size is not known is believed only while it leads this near. */
const nearBytes = 0x1_0000;
/** Instructions looked at for all jumps together: so many, and one for so many bytes of code. */
const standardReads = 100_000;
const bytesPerRead = 16;
const longestInstruction = 15;
const farthestBytes = 0x8000;
const farthestJump = 1000;

/**
 * Resolves computed jumps through tables; undefined where no table is seen or an entry of a bounded one is no code. Where
 * nothing bounds a table, neither its index nor the range of its function, it is read when its entries are seen to be
 * labels, else only as a guess: as far as its entries lead into the same function and no other table begins.
 */
export function jumpTableResolver(input: TableInput): JumpResolver {
  const index = new ExtentIndex(input.seeds.extents);
  const codeBytes = input.code.regions.reduce((sum, region) => sum + region.bytes.byteLength, 0);
  const budget: Budget = { left: standardReads + Math.floor(codeBytes / bytesPerRead) };
  const starts = new Set<number>();
  const bases = new Set<number>();
  const smallEntries = new Set<number>();
  const named = new NamedPlaces(input.code);
  const cellBytes = input.is64 ? 8 : 4;
  const labels = new LabelTables({
    code: input.code,
    seeds: input.seeds,
    extents: index,
    targetOf: (cell) => targetAt({ ...wholeAddresses, entryBytes: cellBytes }, cell, input),
    cellBytes,
    budget: budget.left,
  });
  const isTailCall = (region: CodeRegion, at: number): boolean => {
    if (budget.left <= 0) return false;
    return input.disassembler.isTailJump?.(region.start + at, jumpContext(region, input.memory, budget)) === true;
  };
  return {
    targets(region, at, search) {
      if (budget.left <= 0) return undefined;
      const rva = region.start + at;
      if (search === "labels") return labels.targets(region, at, () => isTailCall(region, at));
      const table = input.disassembler.findJumpTable(rva, input.memory.base, jumpContext(region, input.memory, budget));
      if (table === undefined) return undefined;
      starts.add(table.table);
      if (table.base !== undefined) bases.add(table.base);
      const extent = index.at(rva);
      if (table.bound === undefined && extent === undefined && search !== "guess") return undefined;
      const isExact = table.bound?.exact === true;
      const places = isExact || extent === undefined ? noPlaces : named.of(extent);
      const targets = readTable(table, { jump: rva, extent, input, starts, places });
      if (targets !== undefined && table.entryBytes < cellBytes) {
        const end = table.table + targets.length * table.entryBytes;
        for (let cell = Math.floor(table.table / cellBytes) * cellBytes; cell < end; cell += cellBytes) smallEntries.add(cell);
      }
      return targets;
    },
    isTableBase: (rva) => bases.has(rva),
    isInTable: (rva) => smallEntries.has(rva),
    isTailCall,
  };
}

const noPlaces: ReadonlySet<number> = new Set();

interface Budget {
  left: number;
}

function jumpContext(region: CodeRegion, memory: MemoryMap, budget: Budget): JumpContext {
  return {
    previous: (rva) => instructionBefore(region, rva),
    preceding: (rva) => (region.entries.has(rva - region.start) ? -1 : decodedBefore(region, rva, budget)),
    jumperTo: (rva) => conditionalJumpTo(region, rva, budget),
    read: (rva, length) => {
      budget.left -= 1;
      return budget.left < 0 ? new Uint8Array(0) : memory.read(rva, length);
    },
  };
}

/** The decoded instruction that ends where `rva` starts, the longest of several; -1 when flow does not pass from it. */
function instructionBefore(region: CodeRegion, rva: number): number {
  const at = rva - region.start;
  for (let back = Math.min(longestInstruction, at); back >= 1; back -= 1) {
    const mark = region.marks[at - back] ?? 0;
    if ((mark & 15) === back) return endsFlow(mark >>> 4) ? -1 : rva - back;
  }
  return -1;
}

/** The nearest instruction start below `rva`, across what is not decoded yet. */
function decodedBefore(region: CodeRegion, rva: number, budget: Budget): number {
  const at = rva - region.start;
  let back = 1;
  while (back <= at && back <= farthestBytes && region.marks[at - back] === 0) back += 1;
  budget.left -= back >>> 4;
  return back <= at && back <= farthestBytes ? rva - back : -1;
}

/** The nearest conditional jump before `rva` in the same function that leads to it. */
function conditionalJumpTo(region: CodeRegion, rva: number, budget: Budget): number {
  if (!region.leaders.has(rva - region.start)) return -1;
  for (let at = rva, count = 0; count < farthestJump && !region.entries.has(at - region.start); count += 1) {
    at = decodedBefore(region, at, budget);
    if (at < 0 || budget.left <= 0) return -1;
    budget.left -= 1;
    const offset = at - region.start;
    const conditional = (region.marks[offset] ?? 0) >>> 4 === flow.conditionalJump;
    if (conditional && region.decoder.decode(offset) && region.decoder.target === rva) return at;
  }
  return -1;
}

/** Targets in table order, repeated ones included. */
function readTable(table: JumpTable, place: Place): readonly number[] | undefined {
  const { input, starts, places } = place;
  const targets: number[] = [];
  const exact = table.bound?.exact === true;
  const most = Math.min(table.bound?.count ?? mostEntries, mostEntries);
  for (let entry = 0; entry < most; entry += 1) {
    const cell = table.table + entry * table.entryBytes;
    if (!exact && entry > 0 && (starts.has(cell) || places.has(cell))) break;
    const target = targetAt(table, cell, input);
    if (target !== undefined && isPlausible(target, cell, table, place)) targets.push(target);
    else if (exact) return undefined;
    else break;
  }
  if (targets.length < (exact ? 1 : 2)) return undefined;
  markData(table, targets.length, input.code);
  return targets;
}

/** A table inside a range of code is no code. */
function markData({ table, entryBytes }: JumpTable, entries: number, code: CodeMap): void {
  const region = code.regionAt(table);
  if (region === undefined) return;
  const end = Math.min(table + entries * entryBytes, region.end);
  for (let at = table; at < end; at += 1) region.data.add(at - region.start);
}

type EntryForm = Pick<JumpTable, "entryBytes" | "signed" | "shift" | "base">;

const wholeAddresses = { signed: false, shift: 0, base: undefined };

function targetAt(table: EntryForm, cell: number, { memory, pointers }: TableInput): number | undefined {
  if (table.base === undefined) {
    const relocated = pointers.get(cell);
    if (relocated !== undefined) return relocated;
  }
  const bytes = memory.read(cell, table.entryBytes);
  if (bytes.byteLength < table.entryBytes) return undefined;
  const value = readEntry(bytes, table);
  if (table.base === undefined) return memory.toRva(BigInt.asUintN(64, value));
  return table.base + Number(value) * 2 ** table.shift;
}

function readEntry(bytes: Uint8Array, { entryBytes, signed }: EntryForm): bigint {
  let value = 0n;
  for (let index = entryBytes - 1; index >= 0; index -= 1) value = (value << 8n) | BigInt(bytes[index] ?? 0);
  return signed ? BigInt.asIntN(entryBytes * 8, value) : value;
}

interface Place {
  readonly jump: number;
  readonly extent: Extent | undefined;
  readonly input: TableInput;
  /** Where tables begin, as far as known. */
  readonly starts: ReadonlySet<number>;
  /** What the function's instructions name: where one of these begins, no table goes on. */
  readonly places: ReadonlySet<number>;
}

function isPlausible(target: number, cell: number, table: JumpTable, { jump, extent, input }: Place): boolean {
  if (!input.code.isCode(target)) return false;
  if (table.bound?.exact === true) return true;
  const isNear = Math.abs(target - jump) < nearBytes;
  if (extent === undefined) return isNear && isSameFunction(target, jump, input.code);
  if (table.base === undefined && input.pointers.has(cell)) return isNear;
  return target >= extent.start && target < extent.end;
}

function isSameFunction(one: number, other: number, code: CodeMap): boolean {
  const region = code.regionAt(one);
  if (region === undefined || region !== code.regionAt(other)) return false;
  return region.entries.floor(one - region.start) === region.entries.floor(other - region.start);
}
