import { constant, op } from "../../../ir/expression.js";
import { make, not1 } from "../../../ir/simplify.js";
import { field, type A64Machine } from "./a64-machine.js";
import { derived, setFlags } from "./flags.js";

const threadPointerNumber = 0xde82;
const flagsNumber = 0xda10;

/** Hints, barriers, system registers. Hints that sign or check pointers leave the address as it is. */
export function liftSystem(m: A64Machine, word: number): boolean {
  if ((word & 0xfffff01f) >>> 0 === 0xd503201f) return true;
  if ((word & 0xfffff01f) >>> 0 === 0xd503301f) return barrier(m, word);
  if ((word & 0xffffffff) >>> 0 === 0xd500401f) {
    setFlags(m, derived(m, { n: m.flag("n"), z: m.flag("z"), c: not1(m.flag("c")), v: m.flag("v") }));
    return true;
  }
  if ((word & 0xffd00000) >>> 0 === 0xd5100000) return register(m, word);
  if ((word & 0xfff80000) >>> 0 === 0xd5080000) {
    m.effect("system", [constant(32, field(word, 5, 14)), m.general(field(word, 0, 5), 64)]);
    return true;
  }
  return false;
}

function barrier(m: A64Machine, word: number): boolean {
  const opcode = field(word, 5, 3);
  if (opcode === 2) m.effect("atomic_clear_exclusive", []);
  else m.effect("atomic_fence", []);
  return true;
}

function register(m: A64Machine, word: number): boolean {
  const number = field(word, 5, 16);
  const target = field(word, 0, 5);
  const isRead = field(word, 21, 1) === 1;
  if (number === threadPointerNumber) {
    if (isRead) m.setGeneral(target, op("intrinsic", 64, [], { name: "thread_pointer" }));
    else m.effect("set_thread_pointer", [m.general(target, 64)]);
  } else if (number === flagsNumber && isRead) {
    const bit = (name: "n" | "z" | "c" | "v", at: number) => make("shl", 64, [make("zext", 64, [m.flag(name)]), constant(8, at)]);
    m.setGeneral(target, make("or", 64, [make("or", 64, [bit("n", 31), bit("z", 30)]), make("or", 64, [bit("c", 29), bit("v", 28)])]));
  } else if (number === flagsNumber) {
    const value = m.let(m.general(target, 64));
    const bit = (at: number) => make("extract", 1, [value], { imm: at });
    setFlags(m, derived(m, { n: bit(31), z: bit(30), c: bit(29), v: bit(28) }));
  } else if (isRead) m.setGeneral(target, m.let(m.effect("read_system_register", [constant(32, number)], 64)));
  else m.effect("write_system_register", [constant(32, number), m.general(target, 64)]);
  return true;
}
