import { flow } from "../flow.js";

/** A branch with a delay slot: how control leaves behind the slot, and where to. */
export interface MipsBranch {
  readonly flow: number;
  /** RVA, -1 without a fixed one. */
  readonly target: number;
  readonly operand: number;
}

const nowhere = -1;

/**
 * The branch that a word is (MIPS Architecture For Programmers, volume II), undefined for other instructions and for the
 * compact branches of release 6. `at` is its RVA, `baseLow` the lowest 28 bits of the image's base.
 */
export function mipsBranch(word: number, at: number, baseLow: number): MipsBranch | undefined {
  const relative = at + 4 + ((word << 16) >> 16) * 4;
  switch (word >>> 26) {
    case 0x00:
      return registerBranch(word);
    case 0x01:
      return compareAndLink(word, relative);
    case 0x02:
    case 0x03:
      return { flow: word >>> 26 === 3 ? flow.call : flow.jump, target: inRegion(word, at, baseLow), operand: 0 };
    case 0x1d:
      return { flow: flow.indirectCall, target: nowhere, operand: 0 };
    case 0x04:
      return equal(word, relative);
    case 0x05:
    case 0x14:
    case 0x15:
      return { flow: flow.conditionalJump, target: relative, operand: field(word, 16) === 0 ? 1 : 2 };
    case 0x06:
    case 0x07:
    case 0x16:
    case 0x17:
      return { flow: flow.conditionalJump, target: relative, operand: 1 };
    case 0x11:
    case 0x12:
      return field(word, 21) === 8 ? { flow: flow.conditionalJump, target: relative, operand: field(word, 18) & 7 ? 1 : 0 } : undefined;
    default:
      return undefined;
  }
}

/** `jr` and `jalr`. */
function registerBranch(word: number): MipsBranch | undefined {
  const fn = word & 0x3f;
  if (fn !== 8 && fn !== 9) return undefined;
  const back = field(word, 21) === 31;
  const links = fn === 9 && field(word, 11) !== 0;
  return { flow: links ? flow.indirectCall : back ? flow.return : flow.indirectJump, target: nowhere, operand: 0 };
}

/** `bltz`, `bgez` and their forms that link; `bgezal $zero` always calls. */
function compareAndLink(word: number, target: number): MipsBranch | undefined {
  const kind = field(word, 16);
  if (kind < 4) return { flow: flow.conditionalJump, target, operand: 1 };
  if (kind < 0x10 || kind > 0x13) return undefined;
  const always = kind === 0x11 && field(word, 21) === 0;
  return { flow: always ? flow.call : flow.conditionalCall, target, operand: always ? 0 : 1 };
}

function equal(word: number, target: number): MipsBranch {
  const always = field(word, 21) === field(word, 16);
  return { flow: always ? flow.jump : flow.conditionalJump, target, operand: always ? 0 : field(word, 16) === 0 ? 1 : 2 };
}

/** Jumps stay in the 256 MiB of their delay slot. */
function inRegion(word: number, at: number, baseLow: number): number {
  const low = (baseLow + at + 4) % 0x1000_0000;
  return at + 4 - low + (word & 0x3ffffff) * 4;
}

function field(word: number, shift: number): number {
  return (word >>> shift) & 31;
}
