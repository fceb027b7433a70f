import { flow } from "../disassembler/flow.js";
import type { CodeRegion } from "./code-map.js";
import { RegisterPairs, type PairMachine } from "./register-pairs.js";
import { sliceWeight, type SliceVotes } from "./slice-votes.js";
import type { WorkBounds } from "./work-bounds.js";

const [ax, cx, dx, bx, , , si, di] = [0, 1, 2, 3, 4, 5, 6, 7];

/** Pairs that Go's register ABI, the System V ABI and Microsoft's convention pass; and `rax`, `rdx`, which return one. */
const machine64: PairMachine = {
  registers: 16,
  wordBytes: 8,
  pairs: [
    [ax, bx], [bx, cx], [cx, di], [di, si], [si, 8], [8, 9], [9, 10], [10, 11],
    [si, dx], [dx, cx], [cx, 8], [cx, dx], [dx, 8], [ax, dx],
  ],
};
const machine32: PairMachine = { registers: 8, wordBytes: 4, pairs: [[cx, dx], [ax, dx]] };

interface VotesInput {
  readonly base: bigint;
  readonly is64: boolean;
  readonly votes: SliceVotes;
  readonly bounds: WorkBounds;
}

/** Looks through the instructions of one region for text addresses that a length goes along with. */
export function votesFromX86(region: CodeRegion, { base, is64, votes, bounds }: VotesInput): void {
  const reader = new X86Pairs(region, { base: Number(base), is64, votes });
  for (let at = 0; at < region.marks.length; ) {
    bounds.worked(1);
    const mark = region.marks[at] ?? 0;
    if (mark === 0 || !region.claimed.has(at)) {
      at += 1;
      continue;
    }
    reader.step(at, mark & 15, mark >>> 4);
    at += mark & 15;
  }
}

/** Instructions that only compare, store bytes or do nothing, by their first byte. */
const readsOnly = new Set([0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x3d, 0x84, 0x85, 0x88, 0x90, 0xa8, 0xa9, 0xc6]);

class X86Pairs {
  readonly #pairs: RegisterPairs;
  readonly #region: CodeRegion;
  readonly #view: DataView;
  readonly #base: number;
  readonly #is64: boolean;
  readonly #votes: SliceVotes;
  /** What the instruction before this one loaded, and a pushed number. */
  #text = -1;
  #count = -1;
  #pushed = -1;
  // The operand bytes of the instruction at hand.
  #mod = 0;
  #reg = 0;
  #rm = 0;
  /** Base register of a plain `[base + displacement]`, -1 for other memory. */
  #memory = -1;
  #displacement = 0;
  #next = 0;

  constructor(region: CodeRegion, { base, is64, votes }: { base: number; is64: boolean; votes: SliceVotes }) {
    this.#region = region;
    const { bytes } = region;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#base = base;
    this.#is64 = is64;
    this.#votes = votes;
    this.#pairs = new RegisterPairs(is64 ? machine64 : machine32, votes);
  }

  step(at: number, length: number, kind: number): void {
    if (this.#region.leaders.has(at) || this.#region.entries.has(at)) this.#leave();
    const before = { text: this.#text, count: this.#count, pushed: this.#pushed };
    this.#text = -1;
    this.#count = -1;
    this.#pushed = -1;
    if (kind === flow.sequential) this.#read(at, length, before.pushed);
    else if (kind !== flow.padding && kind !== flow.conditionalJump) this.#leave();
    if (this.#text >= 0 && before.count > 0) this.#votes.add(this.#text, before.count, sliceWeight.neighbours);
    if (this.#count > 0 && before.text >= 0) this.#votes.add(before.text, this.#count, sliceWeight.neighbours);
  }

  #leave(): void {
    this.#pairs.passed();
    this.#pairs.forget();
  }

  #read(start: number, length: number, pushed: number): void {
    const { bytes } = this.#region;
    const end = start + length;
    let at = start;
    while (at < end && isPrefix(bytes[at] ?? 0)) at += 1;
    let rex = 0;
    if (this.#is64 && ((bytes[at] ?? 0) & 0xf0) === 0x40) {
      rex = bytes[at] ?? 0;
      at += 1;
    }
    const code = bytes[at] ?? 0;
    at += 1;
    if (code === 0x0f) {
      this.#twoBytes(at, end, rex);
      return;
    }
    if (!this.#withoutOperand(code, at, { end, rex, pushed })) this.#withOperand(code, at, { end, rex });
  }

  /** Instructions whose register stands in the first byte, and those that change none; false for all others. */
  #withoutOperand(code: number, at: number, { end, rex, pushed }: { readonly end: number; readonly rex: number; readonly pushed: number }): boolean {
    const register = (code & 7) | ((rex & 1) << 3);
    switch (code & 0xf8) {
      case 0xb8:
        this.#load(register, (rex & 8) === 0 ? this.#immediate(at, end, 4) : this.#wide(at, end));
        return true;
      case 0x58:
        if (pushed > 0) this.#load(register, pushed);
        else this.#pairs.clear(register);
        return true;
      case 0x50:
        return true;
      case 0x68:
        if (code !== 0x6a && code !== 0x68) return false;
        this.#push(this.#immediate(at, end, code === 0x6a ? 1 : 4), pushed);
        return true;
      default:
        return readsOnly.has(code);
    }
  }

  #withOperand(code: number, at: number, { end, rex }: { readonly end: number; readonly rex: number }): void {
    this.#operand(at, end, rex);
    const registers = this.#mod === 3;
    switch (code) {
      case 0x8d:
        if (this.#target >= 0 && this.#votes.isText(this.#target)) this.#setText(this.#reg, this.#target);
        else this.#pairs.clear(this.#reg);
        return;
      case 0x89:
        if (registers) this.#pairs.copy(this.#rm, this.#reg);
        else if (this.#memory >= 0) this.#pairs.store(this.#memory, this.#displacement, this.#reg);
        return;
      case 0x8b:
        if (registers) this.#pairs.copy(this.#reg, this.#rm);
        else this.#pairs.clear(this.#reg);
        return;
      case 0xc7: {
        const value = this.#immediate(this.#next, end, 4);
        if (registers) this.#load(this.#rm, value);
        else if (this.#memory >= 0) this.#pairs.storeValue(this.#memory, this.#displacement, this.#meaning(value));
        return;
      }
      case 0x80:
      case 0x81:
      case 0x83:
        if ((this.#reg & 7) !== 7 && registers) this.#pairs.clear(this.#rm);
        return;
      default:
        this.#overwritten(code);
    }
  }

  #overwritten(code: number): void {
    this.#pairs.clear(this.#reg);
    if (this.#mod === 3) this.#pairs.clear(this.#rm);
    // Forms that write the accumulator without naming it.
    if ((code < 0x40 && (code & 6) === 4) || code === 0x98 || code === 0x99 || (code & 0xfc) === 0xa0 || (code & 0xfe) === 0xf6) {
      this.#pairs.clear(ax);
      this.#pairs.clear(dx);
    }
  }

  /** `0f` and a second byte: moves between vector registers leave the general ones alone. */
  #twoBytes(at: number, end: number, rex: number): void {
    const code = this.#region.bytes[at] ?? 0;
    const vector = (code >= 0x10 && code <= 0x2f) || (code >= 0x51 && code <= 0x7f && code !== 0x7e) || code === 0x1f;
    if (vector && code !== 0x2c && code !== 0x2d) return;
    this.#operand(at + 1, end, rex);
    this.#pairs.clear(this.#reg);
    if (this.#mod === 3) this.#pairs.clear(this.#rm);
  }

  /** RVA that an operand without base register names, -1 for others; set by `#operand`. */
  #target = -1;

  /** Reads ModRM, SIB and displacement (Intel SDM volume 2, §2.1.5 and §2.2.1). */
  #operand(at: number, end: number, rex: number): void {
    const { bytes } = this.#region;
    const modrm = bytes[at] ?? 0;
    this.#mod = modrm >>> 6;
    this.#reg = ((modrm >>> 3) & 7) | ((rex & 4) << 1);
    this.#rm = (modrm & 7) | ((rex & 1) << 3);
    this.#memory = -1;
    this.#target = -1;
    this.#displacement = 0;
    this.#next = at + 1;
    if (this.#mod === 3) return;
    let base = this.#rm;
    let indexed = false;
    if ((modrm & 7) === 4) {
      const sib = bytes[at + 1] ?? 0;
      base = (sib & 7) | ((rex & 1) << 3);
      indexed = ((sib >>> 3) & 7) !== 4 || (rex & 2) !== 0;
      this.#next = at + 2;
    }
    const absolute = this.#mod === 0 && (base & 7) === 5;
    const size = this.#mod === 1 ? 1 : this.#mod === 2 || absolute ? 4 : 0;
    if (size !== 0) this.#displacement = this.#immediate(this.#next, end, size);
    this.#next += size;
    if (absolute && !indexed) this.#target = this.#absolute(modrm, end);
    if (!absolute && !indexed) this.#memory = base;
  }

  #absolute(modrm: number, end: number): number {
    const relative = this.#is64 && (modrm & 7) === 5;
    return relative ? this.#region.start + end + this.#displacement : (this.#displacement >>> 0) - this.#base;
  }

  /** A signed constant, 0 where the instruction ends before it. */
  #immediate(at: number, end: number, size: 1 | 4): number {
    if (at + size > end) return 0;
    return size === 1 ? this.#view.getInt8(at) : this.#view.getInt32(at, true);
  }

  #wide(at: number, end: number): number {
    if (at + 8 > end) return 0;
    const value = this.#view.getBigUint64(at, true);
    return value > 0x1f_ffff_ffff_ffffn ? 0 : Number(value);
  }

  #load(register: number, value: number): void {
    const { text, count } = this.#meaning(value);
    if (text >= 0) this.#setText(register, text);
    else if (count >= 0) this.#setCount(register, count);
    else this.#pairs.clear(register);
  }

  #push(value: number, pushed: number): void {
    const { text, count } = this.#meaning(value);
    if (text >= 0 && pushed > 0) this.#votes.add(text, pushed, sliceWeight.pair);
    this.#pushed = count;
  }

  /** A constant is the address of text where it leads to some, else a number. */
  #meaning(value: number): { readonly text: number; readonly count: number } {
    const unsigned = value < 0 ? value + 0x1_0000_0000 : value;
    const rva = unsigned - this.#base;
    if (rva > 0 && unsigned >= 0x1000 && this.#votes.isText(rva)) return { text: rva, count: -1 };
    return { text: -1, count: value };
  }

  #setText(register: number, rva: number): void {
    this.#pairs.setText(register, rva);
    this.#text = rva;
  }

  #setCount(register: number, count: number): void {
    this.#pairs.setCount(register, count);
    this.#count = count;
  }
}

function isPrefix(byte: number): boolean {
  return byte === 0x66 || byte === 0xf2 || byte === 0xf3 || byte === 0x2e || byte === 0x64 || byte === 0x65;
}
