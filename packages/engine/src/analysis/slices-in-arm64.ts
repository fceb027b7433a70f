import { flow } from "../disassembler/flow.js";
import type { CodeRegion } from "./code-map.js";
import { RegisterPairs, type PairMachine } from "./register-pairs.js";
import { sliceWeight, type SliceVotes } from "./slice-votes.js";
import type { WorkBounds } from "./work-bounds.js";

const zero = 31;
const passed = 16;

/** Neighbouring argument registers: AAPCS64 for Rust, and Go's register ABI. */
const machine: PairMachine = {
  registers: 32,
  wordBytes: 8,
  pairs: Array.from({ length: passed - 1 }, (_, register) => [register, register + 1] as const),
};

/** Looks through the instructions of one region for text addresses that a length goes along with. */
export function votesFromArm64(region: CodeRegion, votes: SliceVotes, bounds: WorkBounds): void {
  const reader = new Arm64Pairs(region, votes);
  for (let at = 0; at < region.marks.length; at += 4) {
    bounds.worked(1);
    const mark = region.marks[at] ?? 0;
    if (mark !== 0 && region.claimed.has(at)) reader.step(at, mark >>> 4);
  }
}

class Arm64Pairs {
  readonly #region: CodeRegion;
  readonly #view: DataView;
  readonly #votes: SliceVotes;
  readonly #pairs: RegisterPairs;
  readonly #pages = new Float64Array(32).fill(-1);
  #text = -1;
  #count = -1;

  constructor(region: CodeRegion, votes: SliceVotes) {
    const { bytes } = region;
    this.#region = region;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#votes = votes;
    this.#pairs = new RegisterPairs(machine, votes);
  }

  step(at: number, kind: number): void {
    if (this.#region.leaders.has(at) || this.#region.entries.has(at)) this.#leave();
    const before = { text: this.#text, count: this.#count };
    this.#text = -1;
    this.#count = -1;
    if (kind === flow.sequential) this.#read(this.#view.getUint32(at, true), this.#region.start + at);
    else if (kind !== flow.padding && kind !== flow.conditionalJump) this.#leave();
    if (this.#text >= 0 && before.count > 0) this.#votes.add(this.#text, before.count, sliceWeight.neighbours);
    if (this.#count > 0 && before.text >= 0) this.#votes.add(before.text, this.#count, sliceWeight.neighbours);
  }

  #leave(): void {
    this.#pairs.passed();
    this.#pairs.forget();
    this.#pages.fill(-1);
  }

  /** The forms that build addresses and numbers, move and store them (Arm ARM, C4.1); what else writes a register clears it. */
  #read(word: number, rva: number): void {
    const target = word & 31;
    const first = (word >>> 5) & 31;
    if ((word & 0x1f00_0000) === 0x1000_0000) this.#address(word, rva, target);
    else if ((word & 0xff80_0000) >>> 0 === 0x9100_0000) this.#add(word, first, target);
    else if ((word & 0x7f80_0000) === 0x5280_0000) this.#set(target, movedWide(word));
    else if ((word & 0x7f80_0000) === 0x3200_0000 && first === zero) this.#set(target, maskOf(word));
    else if ((word & 0x7fe0_ffe0) === 0x2a00_03e0) this.#copy(target, (word >>> 16) & 31);
    else if ((word & 0xffc0_0000) >>> 0 === 0xf900_0000) this.#store(first, ((word >>> 10) & 0xfff) * 8, target);
    else if ((word & 0xffe0_0c00) >>> 0 === 0xf800_0000) this.#store(first, ((word << 11) >> 23), target);
    else if ((word & 0xffc0_0000) >>> 0 === 0xa900_0000) this.#storePair(word);
    else if (!isStore(word)) this.#clear(word);
  }

  #address(word: number, rva: number, target: number): void {
    const immediate = (((word << 8) >> 13) << 2) | ((word >>> 29) & 3);
    this.#forget(target);
    if (word >>> 31 === 1) this.#pages[target] = Math.floor(rva / 4096) * 4096 + immediate * 4096;
    else this.#setText(target, rva + immediate);
  }

  #add(word: number, first: number, target: number): void {
    const page = this.#pages[first] ?? -1;
    const shifted = ((word >>> 22) & 1) === 1;
    const immediate = ((word >>> 10) & 0xfff) * (shifted ? 4096 : 1);
    this.#forget(target);
    if (page >= 0 && target !== zero) this.#setText(target, page + immediate);
  }

  #setText(register: number, rva: number): void {
    if (!this.#votes.isText(rva)) return;
    this.#pairs.setText(register, rva);
    this.#text = rva;
  }

  #set(register: number, count: number): void {
    this.#forget(register);
    if (register === zero || count < 0) return;
    this.#pairs.setCount(register, count);
    this.#count = count;
  }

  #copy(target: number, from: number): void {
    const page = this.#pages[from] ?? -1;
    this.#forget(target);
    if (target === zero || from === zero) return;
    this.#pairs.copy(target, from);
    this.#pages[target] = page;
  }

  #store(base: number, at: number, register: number): void {
    if (register !== zero) this.#pairs.store(base, at, register);
  }

  #storePair(word: number): void {
    const at = ((word << 10) >> 25) * 8;
    const base = (word >>> 5) & 31;
    this.#store(base, at, word & 31);
    this.#store(base, at + 8, (word >>> 10) & 31);
  }

  #clear(word: number): void {
    this.#forget(word & 31);
    const loadsPair = (word & 0x3a40_0000) === 0x2840_0000;
    if (loadsPair) this.#forget((word >>> 10) & 31);
  }

  #forget(register: number): void {
    this.#pages[register] = -1;
    if (register !== zero) this.#pairs.clear(register);
  }
}

/** MOVZ without shift; -1 otherwise. */
function movedWide(word: number): number {
  return ((word >>> 21) & 3) === 0 ? (word >>> 5) & 0xffff : -1;
}

/** The constant of ORR (immediate) where it is a plain run of ones of a 32- or 64-bit register, -1 otherwise. */
function maskOf(word: number): number {
  const size = (word >>> 10) & 63;
  const rotate = (word >>> 16) & 63;
  const wide = ((word >>> 22) & 1) === 1;
  if (wide !== (word >>> 31 === 1) || (!wide && (size & 0x20) !== 0)) return -1;
  const width = wide ? 64 : 32;
  const ones = size + 1;
  if (ones > 16) return -1;
  const shift = (width - rotate) % width;
  return shift + ones > 31 ? -1 : (2 ** ones - 1) * 2 ** shift;
}

/** Loads and stores with the load bit clear. */
function isStore(word: number): boolean {
  return (word & 0x0a00_0000) === 0x0800_0000 && (word & 0x0040_0000) === 0 && (word & 0x0080_0000) === 0;
}
