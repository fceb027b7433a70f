import type { PieceFilter } from "./piece-filter.js";

/**
 * Turns absolute branch targets of machine code back into relative ones, in place. Answers how many bytes from the
 * start are final; the rest is offered again with what follows. `address` is that of the first byte.
 */
export type BranchDecoder = (code: Buffer, address: number) => number;

/** A filter over pieces from a decoder that may have to see some bytes again. */
export function branchFilter(decode: BranchDecoder, startAddress: number): PieceFilter {
  let kept = Buffer.alloc(0);
  let address = startAddress;
  return {
    push(piece) {
      const code = Buffer.concat([kept, piece]);
      const done = decode(code, address);
      address = (address + done) >>> 0;
      kept = code.subarray(done);
      return code.subarray(0, done);
    },
    finish: () => kept,
  };
}

/** Visits whole units of `step` bytes. */
function units(step: number, visit: (code: Buffer, at: number, address: number) => void): BranchDecoder {
  return (code, address) => {
    const end = code.byteLength - (code.byteLength % step);
    for (let at = 0; at < end; at += step) visit(code, at, address + at);
    return end;
  };
}

/** ARM: BL with an always condition. */
export const armBranches = units(4, (code, at, address) => {
  if (code[at + 3] !== 0xeb) return;
  const target = (code.readUIntLE(at, 3) << 2) - (address + 8);
  code.writeUIntLE((target >>> 2) & 0xffffff, at, 3);
});

/** PowerPC, big-endian: bl with an absolute-style target. */
export const powerpcBranches = units(4, (code, at, address) => {
  const word = code.readUInt32BE(at);
  if (word >>> 26 !== 0x12 || (word & 3) !== 1) return;
  const target = (word & 0x03fffffc) - address;
  code.writeUInt32BE((0x48000001 | (target & 0x03fffffc)) >>> 0, at);
});

/** SPARC: call with a target of 22 significant bits. */
export const sparcBranches = units(4, (code, at, address) => {
  const word = code.readUInt32BE(at);
  const near = word >>> 22;
  if (near !== 0x100 && near !== 0x1ff) return;
  const target = ((word << 2) - address) >>> 2;
  const negative = ((target >>> 22) & 1) === 1;
  code.writeUInt32BE(((negative ? 0x3fc00000 : 0) | (target & 0x3fffff) | 0x40000000) >>> 0, at);
});

/** AArch64: BL, and ADRP within 512 MiB. */
export const arm64Branches = units(4, (code, at, address) => {
  const word = code.readUInt32LE(at);
  if (word >>> 26 === 0x25) {
    code.writeUInt32LE((0x94000000 | ((word - (address >>> 2)) & 0x03ffffff)) >>> 0, at);
    return;
  }
  if ((word & 0x9f000000) >>> 0 !== 0x90000000) return;
  const page = ((word >>> 29) & 3) | ((word >>> 3) & 0x1ffffc);
  if (((page + 0x20000) & 0x1c0000) !== 0) return;
  const target = page - (address >>> 12);
  const sign = (target & 0x20000) === 0 ? 0 : 0xe00000;
  code.writeUInt32LE(((word & 0x9000001f) | ((target & 3) << 29) | ((target & 0x3fffc) << 3) | sign) >>> 0, at);
});

/** ARM Thumb: BL as a pair of halfwords, at even addresses. */
export const thumbBranches: BranchDecoder = (code, address) => {
  let at = 0;
  for (; at + 4 <= code.byteLength; at += 2) {
    const first = code.readUInt16LE(at);
    const second = code.readUInt16LE(at + 2);
    if ((first & 0xf800) !== 0xf000 || (second & 0xf800) !== 0xf800) continue;
    const source = ((first & 0x7ff) << 11) | (second & 0x7ff);
    const target = (((source << 1) - (address + at + 4)) >>> 1) & 0x3fffff;
    code.writeUInt16LE(0xf000 | (target >>> 11), at);
    code.writeUInt16LE(0xf800 | (target & 0x7ff), at + 2);
    at += 2;
  }
  return at;
};

/** Slots of an IA-64 bundle that can hold a branch, by template; a bit for each slot. */
const branchSlots = [...new Array<number>(16).fill(0), 4, 4, 6, 6, 0, 0, 7, 7, 4, 4, 0, 0, 4, 4, 0, 0];

/** IA-64: IP-relative br.call in bundles of 16 bytes. */
export const ia64Branches = units(16, (code, at, address) => {
  const slots = branchSlots[(code[at] ?? 0) & 0x1f] ?? 0;
  for (let slot = 0; slot < 3; slot += 1) if (((slots >> slot) & 1) === 1) ia64Slot(code, at, slot, address);
});

function ia64Slot(code: Buffer, bundle: number, slot: number, address: number): void {
  const bit = 5 + 41 * slot;
  const at = bundle + (bit >> 3);
  const shift = BigInt(bit & 7);
  const field = BigInt(code.readUIntLE(at, 6));
  const instruction = field >> shift;
  if (((instruction >> 37n) & 0xfn) !== 5n || ((instruction >> 9n) & 7n) !== 0n) return;
  const source = Number((instruction >> 13n) & 0xfffffn) | (Number((instruction >> 36n) & 1n) << 20);
  const target = BigInt((((source << 4) - address) >>> 4) & 0x1fffff);
  const cleared = instruction & ~(0x8fffffn << 13n);
  const joined = cleared | ((target & 0xfffffn) << 13n) | ((target & 0x100000n) << 16n);
  code.writeUIntLE(Number((field & ((1n << shift) - 1n)) | (joined << shift)), at, 6);
}
