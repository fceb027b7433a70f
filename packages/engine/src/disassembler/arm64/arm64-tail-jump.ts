import type { JumpContext } from "../jump-table.js";
import { copied, isCall, isCopy, writesLow } from "./arm64-words.js";

const window = 16;

/**
 * True when `br` goes to an address that was loaded whole from a fixed place in an object, or that the function was called
 * with, or stands behind the end of a stack frame: a call through a pointer as a function's last act. Jumps through tables
 * load with an index or add.
 */
export function isArm64TailJump(rva: number, context: JumpContext): boolean {
  let register = ((wordAt(rva, context) ?? 0) >>> 5) & 31;
  let at = rva;
  for (let count = 0; count < window; count += 1) {
    if (context.preceding(at) < 0) return true;
    const before = context.previous(at);
    at = before >= 0 ? before : context.jumperTo(at);
    const word = at < 0 ? undefined : wordAt(at, context);
    if (word === undefined || isCall(word)) return false;
    if (restoresFrame(word)) return true;
    if (!writesLow(word) || (word & 31) !== register) continue;
    if (isLoad(word)) return (word & 0x3f200c00) >>> 0 !== 0x38200800;
    if (!isCopy(word)) return false;
    register = copied(word);
  }
  return false;
}

/** `ldp …, [sp], #n` or `add sp, sp, #n`: a function gives its stack frame back only when it leaves. */
function restoresFrame(word: number): boolean {
  return (word & 0xffc003e0) >>> 0 === 0xa8c003e0 || (word & 0xff8003ff) >>> 0 === 0x910003ff;
}

function isLoad(word: number): boolean {
  return ((word >>> 25) & 0b0101) === 0b0100;
}

function wordAt(rva: number, context: JumpContext): number | undefined {
  const bytes = context.read(rva, 4);
  return bytes.byteLength < 4 ? undefined : new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
}
