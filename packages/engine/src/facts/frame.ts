import type { RegisterFile } from "../disassembler/register-access.js";
import type { BlockEffects, PlacedAccess } from "./block-effects.js";
import type { Convention } from "./conventions.js";
import type { FunctionFlow } from "./function-flow.js";
import { StackValues, unchangedRegisters } from "./register-flow.js";

/** A register of the caller that the function keeps on its stack. */
export interface SavedRegister {
  readonly register: string;
  /** Where it is kept, in bytes from the stack pointer at entry; mostly negative. */
  readonly offset: number;
  readonly rva: number;
}

/** A place of the stack that instructions use at a fixed distance from the stack pointer at entry. */
export interface StackSlot {
  readonly offset: number;
  /** Widest access. */
  readonly bytes: number;
  readonly reads: number;
  readonly writes: number;
  readonly addressTaken: boolean;
}

/** What a function does with its stack. Offsets count from the stack pointer at entry; the stack grows downwards. */
export interface Frame {
  /**
   * Bytes between the stack pointer at entry and its lowest place while the body runs, a return address not counted;
   * undefined when it is not the same on all paths or depends on run time.
   */
  readonly size: number | undefined;
  /** The part of it that is fixed, also where `size` is unknown. */
  readonly fixedSize: number;
  /** Lowest place of the stack pointer anywhere, arguments pushed for calls included. */
  readonly deepest: number;
  /** The stack pointer is the same wherever paths meet. */
  readonly consistent: boolean;
  /** Where the stack pointer is changed by an amount that only run time knows. */
  readonly dynamicAt: readonly number[];
  /** Bytes used below the stack pointer without moving it. */
  readonly belowStackPointer: number;
  readonly framePointer: { readonly register: string; readonly rva: number } | undefined;
  readonly saved: readonly SavedRegister[];
  readonly slots: readonly StackSlot[];
  /** Accesses above the stack pointer at entry: the caller's frame. */
  readonly incoming: readonly ResolvedAccess[];
  /** Stores of registers that still hold what they held at entry. */
  readonly entryStores: readonly EntryStore[];
}

export interface ResolvedAccess extends Pick<PlacedAccess, "rva" | "bytes" | "kind" | "indexed" | "content"> {
  readonly offset: number;
}

export interface EntryStore {
  readonly rva: number;
  readonly general: number;
  readonly vector: number;
  readonly offset: number;
}

const mostSlots = 4096;
/** Slots and arguments further away than this are arrays or other functions' frames. */
const farthestIncoming = 4096;

/** Frame facts from the values of the stack pointer along all paths. */
export function frameOf({ graph, effects }: FunctionFlow, file: RegisterFile, convention: Convention): Frame {
  const values = new StackValues(graph, effects, file);
  const unchanged = unchangedRegisters(graph, effects);
  const reach = depths({ graph, effects }, values, file.stackPointer);
  const resolved = new AccessList();
  for (const block of graph.preorder) {
    for (const access of effects[block]?.accesses ?? []) {
      const base = values.at(block, access.from);
      if (base !== undefined) resolved.add(access, base + access.add, { general: unchanged.general[block] ?? 0, vector: unchanged.vector[block] ?? 0 });
    }
  }
  const saved = savedRegisters(resolved.stores, file, convention);
  const dynamicAt = graph.preorder.flatMap((block) => {
    const at = effects[block]?.stackLost ?? -1;
    return at < 0 ? [] : [at];
  });
  const consistent = values.conflicts.size === 0;
  const framePointerSet = graph.preorder.map((block) => effects[block]?.framePointerSet ?? -1).find((rva) => rva >= 0);
  return {
    size: consistent && dynamicAt.length === 0 && reach.known ? reach.steady : undefined,
    fixedSize: reach.steady,
    deepest: reach.deepest,
    consistent,
    dynamicAt: dynamicAt.sort((a, b) => a - b),
    belowStackPointer: Math.max(0, -resolved.lowest - reach.deepest),
    framePointer: framePointerSet === undefined ? undefined : { register: file.general[file.framePointer] ?? "", rva: framePointerSet },
    saved,
    slots: resolved.slots(new Set(saved.map(({ offset }) => offset))),
    incoming: resolved.incoming,
    entryStores: resolved.stores,
  };
}

interface Reach {
  readonly steady: number;
  readonly deepest: number;
  readonly known: boolean;
}

/**
 * Depth of the stack at the borders of blocks, where no arguments are being pushed, and the deepest anywhere. A function
 * of one block has no such borders.
 */
function depths({ graph, effects }: FunctionFlow, values: StackValues, stackPointer: number): Reach {
  let steady = 0;
  let deepest = 0;
  let known = graph.preorder.length > 0;
  for (const block of graph.preorder) {
    const effect = effects[block];
    if (effect === undefined) continue;
    const before = values.at(block, stackPointer);
    const after = values.after(block, stackPointer, effect);
    if (before === undefined) known = false;
    steady = Math.max(steady, -(before ?? 0), -(after ?? 0));
    for (const { from, add } of effect.stackPointers) deepest = Math.max(deepest, -((values.at(block, from) ?? 0) + add));
  }
  deepest = Math.max(deepest, steady);
  if (steady === 0) steady = deepest;
  return { steady, deepest, known };
}

/** Accesses with their place, gathered by use. */
class AccessList {
  readonly stores: EntryStore[] = [];
  readonly incoming: ResolvedAccess[] = [];
  lowest = 0;
  readonly #slots = new Map<number, { bytes: number; reads: number; writes: number; addressTaken: boolean }>();

  add(access: PlacedAccess, offset: number, unchanged: { readonly general: number; readonly vector: number }): void {
    const { rva, bytes, kind, indexed, content } = access;
    const general = access.stored >= 0 && (unchanged.general >>> access.stored) & 1 ? access.stored : -1;
    const vector = access.storedVector >= 0 && (unchanged.vector >>> access.storedVector) & 1 ? access.storedVector : -1;
    if (general >= 0 || vector >= 0) this.stores.push({ rva, general, vector, offset });
    if (offset >= 0 && offset < farthestIncoming) this.incoming.push({ rva, bytes, kind, indexed, offset, content });
    if (offset >= 0) return;
    this.lowest = Math.min(this.lowest, offset);
    if (indexed) return;
    const slot = this.#slots.get(offset) ?? { bytes: 0, reads: 0, writes: 0, addressTaken: false };
    if (!this.#slots.has(offset) && this.#slots.size < mostSlots) this.#slots.set(offset, slot);
    slot.bytes = Math.max(slot.bytes, bytes);
    if (kind === "load" || kind === "both") slot.reads += 1;
    if (kind === "store" || kind === "both") slot.writes += 1;
    if (kind === "address") slot.addressTaken = true;
  }

  slots(without: ReadonlySet<number>): readonly StackSlot[] {
    return [...this.#slots]
      .filter(([offset]) => !without.has(offset))
      .map(([offset, slot]) => ({ offset, ...slot }))
      .sort((a, b) => a.offset - b.offset);
  }
}

/** The first store of each register that the convention has the callee keep. */
function savedRegisters(stores: readonly EntryStore[], file: RegisterFile, { saved, savedVector }: Convention): SavedRegister[] {
  const found = new Map<string, SavedRegister>();
  for (const { rva, general, vector, offset } of [...stores].sort((a, b) => a.rva - b.rva)) {
    const kept = general >= 0 ? (saved >>> general) & 1 : (savedVector >>> vector) & 1;
    const register = (general >= 0 ? file.general[general] : file.vector[vector]) ?? "";
    if (kept === 1 && !found.has(register)) found.set(register, { register, offset, rva });
  }
  return [...found.values()].sort((a, b) => b.offset - a.offset);
}

/** Blocks whose effects are wholly known. */
export function undecodedInstructions(effects: readonly BlockEffects[]): number {
  return effects.reduce((sum, { undecoded }) => sum + undecoded, 0);
}
