import type { BranchDecoder } from "./branch-filter.js";

// Which patterns of call-like bytes among the last ones still allow a conversion, and which byte they hide.
const allowed = [true, true, true, false, true, false, false, false];
const hiddenByte = [0, 1, 2, 2, 3, 3, 3, 3];

function isSignByte(value: number): boolean {
  return value === 0 || value === 0xff;
}

/** x86: CALL and JMP with 32-bit targets. Keeps in mind call-like bytes that stood shortly before. */
export function x86Branches(): BranchDecoder {
  let mask = 0;
  let previous = -5;
  return (code, address) => {
    let at = 0;
    while (at + 5 <= code.byteLength) {
      if (((code[at] ?? 0) & 0xfe) !== 0xe8) {
        at += 1;
        continue;
      }
      mask = agedMask(mask, address + at - previous);
      previous = address + at;
      if (convertible(code, at, mask)) {
        writeTarget(code, at, relativeTarget(code.readUInt32LE(at + 1), address + at + 5, mask));
        at += 5;
        mask = 0;
      } else {
        mask |= isSignByte(code[at + 4] ?? 0) ? 0x11 : 1;
        at += 1;
      }
    }
    return at;
  };
}

function agedMask(mask: number, distance: number): number {
  if (distance > 5) return 0;
  let aged = mask;
  for (let step = 0; step < distance; step += 1) aged = (aged & 0x77) << 1;
  return aged;
}

function convertible(code: Buffer, at: number, mask: number): boolean {
  return isSignByte(code[at + 4] ?? 0) && allowed[(mask >> 1) & 7] === true && mask >> 1 < 0x10;
}

function relativeTarget(encoded: number, next: number, mask: number): number {
  let source = encoded;
  for (;;) {
    const target = (source - next) >>> 0;
    if (mask === 0) return target;
    const shift = (hiddenByte[mask >> 1] ?? 0) * 8;
    if (!isSignByte((target >>> (24 - shift)) & 0xff)) return target;
    source = (target ^ (2 ** (32 - shift) - 1)) >>> 0;
  }
}

function writeTarget(code: Buffer, at: number, target: number): void {
  code.writeUIntLE(target & 0xffffff, at + 1, 3);
  code[at + 4] = (target >>> 24) & 1 ? 0xff : 0;
}
