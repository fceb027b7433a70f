import { make, zext } from "../../../ir/simplify.js";
import type { A64Machine } from "./a64-machine.js";

const pattern = /^__aarch64_(cas|swp|ldadd|ldclr|ldeor|ldset)([1248])_(?:relax|acq|rel|acq_rel|sync)$/;
const operations: Readonly<Record<string, string>> = { swp: "exchange", ldadd: "add", ldclr: "and", ldeor: "xor", ldset: "or" };

/** Registers that these functions may use beside their arguments. */
const scratch = [16, 17];

/**
 * A call of one of the small functions of gcc's library that do an atomic operation in the way the processor at hand can: what
 * it does stands in its place. False for other names.
 */
export function liftOutlinedAtomic(m: A64Machine, name: string): boolean {
  const found = pattern.exec(name);
  if (found === null) return false;
  const bits = 8 * Number(found[2]);
  const kind = found[1] ?? "";
  const first = m.general(0, bits);
  const old =
    kind === "cas"
      ? m.effect(`atomic_compare_exchange${String(bits)}`, [m.general(2, 64), first, m.general(1, bits)], bits)
      : m.effect(`atomic_${operations[kind] ?? "add"}${String(bits)}`, [m.general(1, 64), kind === "ldclr" ? m.let(make("not", bits, [first])) : first], bits);
  const value = m.let(old);
  m.setGeneral(0, bits < 32 ? zext(value, 32) : value);
  for (const register of scratch) m.setGeneral(register, m.unknown(64));
  return true;
}
