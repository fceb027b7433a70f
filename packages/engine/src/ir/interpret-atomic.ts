import { mask, signed } from "./expression.js";

/** Memory as the interpreter sees it. */
export interface InterpretedMemory {
  read(address: bigint, bytes: number): bigint;
  write(address: bigint, bytes: number, value: bigint): void;
}

const pattern = /^atomic_([a-z_]+?)(\d+)$/;

/**
 * What an operation named `atomic_…` with its width in bits does to memory, and its result; undefined for other effects and
 * for operations without a result. The first argument is the address. Nobody else runs, so an exclusive store succeeds.
 */
export function interpretAtomic(name: string, [address, a = 0n, b = 0n]: readonly bigint[], memory: InterpretedMemory): bigint | undefined {
  const found = pattern.exec(name);
  if (found === null || address === undefined) return undefined;
  const bits = Number(found[2]);
  const kind = found[1] ?? "";
  if (kind === "store" || kind === "store_exclusive") {
    memory.write(address, bits / 8, a);
    return kind === "store" ? undefined : 0n;
  }
  const old = memory.read(address, bits / 8);
  if (kind === "load" || kind === "load_exclusive") return old;
  if (kind === "compare_exchange") {
    if (old === a) memory.write(address, bits / 8, b);
    return old;
  }
  const change = changes[kind];
  if (change === undefined) return undefined;
  memory.write(address, bits / 8, BigInt.asUintN(bits, change(old, a, bits)));
  return old;
}

const changes: Readonly<Record<string, ((old: bigint, by: bigint, bits: number) => bigint) | undefined>> = {
  add: (old, by) => old + by,
  sub: (old, by) => old - by,
  and: (old, by) => old & by,
  or: (old, by) => old | by,
  xor: (old, by) => old ^ by,
  exchange: (_, by) => by,
  max_s: (old, by, bits) => (signed(old, bits) > signed(by, bits) ? old : by),
  min_s: (old, by, bits) => (signed(old, bits) < signed(by, bits) ? old : by),
  max_u: (old, by, bits) => ((old & mask(bits)) > by ? old : by),
  min_u: (old, by) => (old < by ? old : by),
};
