import { flow } from "../flow.js";
import type { DecodedBranch } from "./decoded-branch.js";

const pc = 15;
const lr = 14;

/** Size of a T32 instruction by its first halfword. */
export function t32Length(half: number): 2 | 4 {
  return half >>> 11 >= 0b11101 ? 4 : 2;
}

/** Flow of a halfword at an RVA (Arm Architecture Reference Manual for A-profile, "T32 instruction set encoding"). */
export function decodeT16(half: number, at: number, out: DecodedBranch): void {
  const next = at + 4;
  if (half >>> 12 === 0xd) {
    const condition = (half >>> 8) & 15;
    if (condition === 14) out.flow = flow.trap;
    else if (condition < 14) out.direct(flow.conditionalJump, next + ((half << 24) >> 23));
  } else if (half >>> 11 === 0b11100) out.direct(flow.jump, next + ((half << 21) >> 20));
  else if ((half & 0xf500) === 0xb100) out.direct(flow.conditionalJump, next + (((half >>> 3) & 31) << 1) + ((half >>> 9) & 1) * 64, 1);
  else if ((half & 0xff07) === 0x4700) t16Register(half, at, out);
  else if ((half & 0xff00) === 0xbd00) out.flow = flow.return;
  else if ((half & 0xff87) === 0x4687) out.flow = ((half >>> 3) & 15) === lr ? flow.return : flow.indirectJump;
  else if ((half & 0xff87) === 0x4487) out.flow = flow.indirectJump;
  else if ((half & 0xff00) === 0xbe00) out.flow = flow.trap;
  else if (half === 0xbf00 || half === 0x46c0) out.flow = flow.padding;
  else if (half >>> 11 === 0b01001) out.literal = aligned(next) + (half & 0xff) * 4;
}

/** `bx` and `blx`; `bx pc` goes on in A32 right behind itself. */
function t16Register(half: number, at: number, out: DecodedBranch): void {
  const register = (half >>> 3) & 15;
  if (half & 0x80) out.flow = flow.indirectCall;
  else if (register === pc) {
    out.direct(flow.jump, aligned(at + 4));
    out.switches = true;
  } else out.flow = register === lr ? flow.return : flow.indirectJump;
}

/** Flow of a pair of halfwords at an RVA. */
export function decodeT32(first: number, second: number, at: number, out: DecodedBranch): void {
  if ((first & 0xf800) === 0xf000 && second & 0x8000) branch(first, second, at, out);
  else if ((first & 0xfff0) === 0xe8d0 && (second & 0xffe0) === 0xf000) out.flow = flow.indirectJump;
  else if (((first & 0xffd0) === 0xe890 || (first & 0xffd0) === 0xe910) && second & 0x8000) out.flow = flow.return;
  else if ((first & 0xfe1f) === 0xf81f && (first & 0x0010) !== 0) load(first, second, at, out);
  else if ((first & 0xff70) === 0xf850) load(first, second, at, out);
  else if ((first & 0xff3f) === 0xed1f && (second & 0x0e00) === 0x0a00) {
    out.literal = aligned(at + 4) + signed(first, (second & 0xff) * 4);
    out.literalBytes = second & 0x100 ? 8 : 4;
  } else if ((first & 0xff7f) === 0xe95f) {
    out.literal = aligned(at + 4) + signed(first, (second & 0xff) * 4);
    out.literalBytes = 8;
  }
}

function load(first: number, second: number, at: number, out: DecodedBranch): void {
  const base = first & 15;
  const literal = base === pc;
  if (literal) out.literal = aligned(at + 4) + signed(first, second & 0xfff);
  if (second >>> 12 !== pc || (first & 0x0060) !== 0x0040) return;
  out.flow = base === 13 ? flow.return : flow.indirectJump;
  out.through = literal;
}

function branch(first: number, second: number, at: number, out: DecodedBranch): void {
  const sign = (first >>> 10) & 1;
  const low = (second & 0x7ff) << 1;
  const [one, two] = [(second >>> 13) & 1, (second >>> 11) & 1];
  if (second & 0x5000) {
    const high = (sign << 24) | ((one ^ sign ^ 1) << 23) | ((two ^ sign ^ 1) << 22) | ((first & 0x3ff) << 12) | low;
    const target = at + 4 + ((high << 7) >> 7);
    if ((second & 0x5000) === 0x4000) {
      out.direct(flow.call, aligned(target));
      out.switches = true;
    } else out.direct(second & 0x4000 ? flow.call : flow.jump, target);
  } else if (((first >>> 7) & 7) !== 7) {
    const offset = (sign << 20) | (two << 19) | (one << 18) | ((first & 0x3f) << 12) | low;
    out.direct(flow.conditionalJump, at + 4 + ((offset << 11) >> 11));
  } else if ((first & 0xfff0) === 0xf7f0 && (second & 0xf000) === 0xa000) out.flow = flow.trap;
  else if (first === 0xf3af && second === 0x8000) out.flow = flow.padding;
  else if (first === 0xf3de && (second & 0xff00) === 0x8f00) out.flow = flow.return;
}

function aligned(rva: number): number {
  return rva - (rva % 4);
}

function signed(first: number, offset: number): number {
  return first & 0x80 ? offset : -offset;
}
