import type { A64Machine } from "./a64-machine.js";
import { isSet } from "./a64-machine.js";
import { liftDataImmediate } from "./data-immediate.js";
import { liftDataRegister } from "./data-register.js";
import { liftFloat } from "./float.js";
import { liftVector } from "./lift-vector.js";
import { liftMemory } from "./memory.js";
import { liftNamed } from "./named.js";
import { liftSystem } from "./system.js";
import type { DescribedInstruction } from "../lift-context.js";

/**
 * Lifts one word, control flow excepted (Arm Architecture Reference Manual, "A64 instruction set encoding"). What has no
 * rule becomes a named operation with its operands, as `described` has them.
 */
export function liftWord(m: A64Machine, word: number, described: () => DescribedInstruction | undefined): void {
  const before = m.steps.length;
  if (ruled(m, word)) return;
  // A rule may find out late that it does not apply.
  m.steps.length = before;
  liftNamed(m, word, described());
}

function ruled(m: A64Machine, word: number): boolean {
  switch ((word >>> 25) & 15) {
    case 8:
    case 9:
      return liftDataImmediate(m, word);
    case 5:
    case 13:
      return liftDataRegister(m, word);
    case 4:
    case 6:
    case 12:
    case 14:
      return liftMemory(m, word);
    case 7:
    case 15:
      if (isSet(word, 28) && !isSet(word, 30)) return liftFloat(m, word);
      return !isSet(word, 31) && liftVector(m, word);
    case 10:
    case 11:
      return liftSystem(m, word);
    default:
      return false;
  }
}
