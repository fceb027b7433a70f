import { flow } from "../flow.js";
import type { DecodedBranch } from "./decoded-branch.js";

const pc = 15;
const lr = 14;

/** Flow of an A32 word at an RVA (Arm Architecture Reference Manual for A-profile, "A32 instruction set encoding"). */
export function decodeA32(word: number, at: number, out: DecodedBranch): void {
  const condition = word >>> 28;
  if (condition === 15) {
    if ((word & 0x0e000000) !== 0x0a000000) return;
    out.direct(flow.call, at + 8 + ((word << 8) >> 6) + ((word >>> 24) & 1) * 2);
    out.switches = true;
    return;
  }
  if ((word & 0x0e000000) === 0x0a000000) {
    out.direct((word >>> 24) & 1 ? flow.call : flow.jump, at + 8 + ((word << 8) >> 6));
  } else if ((word & 0x0fffffd0) === 0x012fff10) out.flow = registerBranch(word);
  else if ((word & 0x0ff000f0) === 0x07f000f0 || (word & 0x0ff000f0) === 0x01200070) out.flow = flow.trap;
  else if (word >>> 0 === 0xe320f000 || word >>> 0 === 0xe1a00000) out.flow = flow.padding;
  else if ((word & 0x0e000000) === 0x08000000) out.flow = (word & 0x00108000) === 0x00108000 ? flow.return : flow.sequential;
  else loadOrProcess(word, at, out);
  if (condition < 14) out.makeConditional();
}

function registerBranch(word: number): number {
  if (word & 0x20) return flow.indirectCall;
  return (word & 15) === lr ? flow.return : flow.indirectJump;
}

function loadOrProcess(word: number, at: number, out: DecodedBranch): void {
  const destination = (word >>> 12) & 15;
  const base = (word >>> 16) & 15;
  const up = (word >>> 23) & 1;
  if ((word & 0x0c100000) === 0x04100000 && (word & 0x02000010) !== 0x02000010) {
    const literal = base === pc && (word & 0x02000000) === 0;
    if (literal) out.literal = at + 8 + (up ? word & 0xfff : -(word & 0xfff));
    if (destination !== pc || (word & 0x00400000) !== 0) return;
    out.flow = base === 13 ? flow.return : flow.indirectJump;
    out.through = literal;
  } else if ((word & 0x0f3f0e00) === 0x0d1f0a00) {
    out.literal = at + 8 + (up ? (word & 0xff) * 4 : -(word & 0xff) * 4);
    out.literalBytes = word & 0x100 ? 8 : 4;
  } else if ((word & 0x0f7f00f0) === 0x014f00d0) {
    const offset = ((word >>> 4) & 0xf0) | (word & 15);
    out.literal = at + 8 + (up ? offset : -offset);
    out.literalBytes = 8;
  } else if ((word & 0x0c000000) === 0 && destination === pc) out.flow = processed(word);
}

/** Data processing that writes the program counter; comparisons, multiplications and the rest of the group do not. */
function processed(word: number): number {
  const comparison = (word & 0x01800000) === 0x01000000;
  const other = (word & 0x02000090) === 0x00000090;
  if (comparison || other) return flow.sequential;
  const move = (word & 0x0fef0ff0) === 0x01a00000 && (word & 15) === lr;
  const fromException = (word & 0x00100000) !== 0;
  return move || fromException ? flow.return : flow.indirectJump;
}
