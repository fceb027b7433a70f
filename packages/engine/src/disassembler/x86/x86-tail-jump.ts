import type { JumpContext } from "../jump-table.js";
import type { Iced } from "./code-table.js";
import type { X86Step, X86StepReader } from "./x86-steps.js";

const window = 16;

/**
 * True when the computed jump takes a whole address from a fixed place in an object or from a register that its function
 * was called with, or stands behind the end of a stack frame: a call through a pointer as a function's last act. Jumps
 * through tables load with an index or add.
 */
export function isX86TailJump(rva: number, iced: Iced, reader: X86StepReader, context: JumpContext): boolean {
  const jump = reader.read(rva);
  if (jump === undefined) return false;
  if (jump.isMemory0) return jump.index === 0 && jump.base !== 0 && !jump.ipRelative;
  const { Mnemonic } = iced;
  let register = jump.register0;
  let loaded = false;
  let at = rva;
  for (let count = 0; count < window; count += 1) {
    if (context.preceding(at) < 0) return true;
    const before = context.previous(at);
    at = before >= 0 ? before : context.jumperTo(at);
    const step = at < 0 ? undefined : reader.read(at);
    if (step === undefined) return loaded;
    if (step.mnemonic === Mnemonic.Call) return loaded;
    if (restoresFrame(step, iced)) return true;
    if (step.register0 !== register || !sets(step, iced)) continue;
    if (step.mnemonic !== Mnemonic.Mov) return loaded && !selects(step, iced);
    if (step.isMemory1) {
      if (step.index !== 0 || step.base === 0) return false;
      loaded = true;
      register = step.base;
    } else if (step.register1 !== 0) register = step.register1;
    else return false;
  }
  return loaded;
}

/** A function gives its stack frame back only when it leaves. */
function restoresFrame(step: X86Step, { Mnemonic, Register }: Iced): boolean {
  if (step.mnemonic === Mnemonic.Pop || step.mnemonic === Mnemonic.Leave) return true;
  return step.mnemonic === Mnemonic.Add && (step.register0 === Register.RSP || step.register0 === Register.ESP) && step.constant !== undefined;
}

/** True for what places a pointer into a table by a number. */
function selects(step: X86Step, { Mnemonic }: Iced): boolean {
  return step.mnemonic === Mnemonic.Add || step.mnemonic === Mnemonic.Shl || (step.mnemonic === Mnemonic.Lea && step.index !== 0);
}

function sets(step: X86Step, { Mnemonic }: Iced): boolean {
  const readers: readonly number[] = [Mnemonic.Cmp, Mnemonic.Test, Mnemonic.Push, Mnemonic.Bt, Mnemonic.Jmp];
  return !readers.includes(step.mnemonic);
}
