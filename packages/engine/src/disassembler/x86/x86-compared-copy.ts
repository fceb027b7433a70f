import type { Iced } from "./code-table.js";
import { copiesRegister, setsFirst } from "./x86-step-kinds.js";
import type { X86Step } from "./x86-steps.js";

/** The comparison of a register with a constant, where unoptimised code compares a copy of what it keeps on the stack. */
export interface ComparedCopy {
  readonly constant: number;
  /** Whether the compared register holds what another held at an earlier position of the steps, nearest first. */
  holds(register: number, from: number, steps: readonly X86Step[]): boolean;
}

/** What a `cmp` or `sub` of a register compares it with; undefined for other instructions. */
export function comparisonIn(step: X86Step, position: number, iced: Iced): ComparedCopy | undefined {
  const { mnemonic, register0, constant } = step;
  const compares = mnemonic === iced.Mnemonic.Cmp || mnemonic === iced.Mnemonic.Sub;
  if (!compares || register0 === 0 || constant === undefined) return undefined;
  const sets = (each: X86Step, register: number): boolean => each.register0 === register && setsFirst(each, iced);
  return {
    constant,
    holds(register, from, steps) {
      if (steps.slice(position + 1, from).some((each) => sets(each, register0))) return false;
      let [one, other] = [register0, register];
      for (const each of steps.slice(from + 1)) {
        if (one === other || each.mnemonic === iced.Mnemonic.Call) break;
        const isSet = sets(each, one) || sets(each, other);
        if (isSet && !copiesRegister(each, iced)) return false;
        if (sets(each, one)) one = each.register1;
        else if (isSet) other = each.register1;
      }
      return one === other;
    },
  };
}
