import { em } from "./machines.js";

/** What a dynamic relocation does to its place, as far as the address it leaves there can be told from the file. */
export type RelocationRole = "relative" | "resolver" | "slot" | "absolute" | "copy" | "other";

interface RoleNumbers {
  readonly relative: readonly number[];
  readonly resolver: number;
  readonly slot: readonly number[];
  readonly absolute: number;
  readonly copy: number;
}

/** Numbers from the processor supplements of the System V ABI. */
const numbers: { readonly [machine: number]: RoleNumbers | undefined } = {
  [em.x86]: { relative: [8], resolver: 42, slot: [6, 7], absolute: 1, copy: 5 },
  [em.x86_64]: { relative: [8, 38], resolver: 37, slot: [6, 7], absolute: 1, copy: 5 },
  [em.arm]: { relative: [23], resolver: 160, slot: [21, 22], absolute: 2, copy: 20 },
  [em.aarch64]: { relative: [1027], resolver: 1032, slot: [1025, 1026], absolute: 257, copy: 1024 },
  [em.riscv]: { relative: [3], resolver: 58, slot: [5], absolute: 2, copy: 4 },
  [em.mips]: { relative: [], resolver: 128, slot: [51, 127], absolute: 3, copy: 126 },
  [em.ppc]: { relative: [22], resolver: 248, slot: [20, 21], absolute: 1, copy: 19 },
  [em.ppc64]: { relative: [22], resolver: 248, slot: [20, 21], absolute: 38, copy: 19 },
};

export function relocationRole(machine: number, type: number, hasSymbol: boolean): RelocationRole {
  const known = numbers[machine];
  if (known === undefined) return "other";
  if (known.relative.includes(type)) return "relative";
  if (type === known.resolver) return "resolver";
  if (known.slot.includes(type)) return "slot";
  if (type === known.copy) return "copy";
  if (type !== known.absolute) return "other";
  return hasSymbol ? "absolute" : "relative";
}

/** The number RELR entries stand for; undefined where the machine has no such relocation. */
export function relativeType(machine: number): number | undefined {
  return numbers[machine]?.relative[0];
}
