import type { RegisterSnapshot } from "../disassembler/register-snapshot.js";

/**
 * What registers hold where control arrives in one function: at each place the values on which all ways there agree
 * (forward constant propagation, Kildall 1973). Code is read in address order, round after round, until no value that a
 * round relied on turns out to differ.
 */
export class RegisterFlow {
  readonly #states = new Map<number, RegisterSnapshot>();
  readonly #read = new Set<number>();
  /** True when the last round relied on a value that a later jump does not bring. */
  conflict = false;
  /** True when the last round met places whose predecessors come later. */
  open = false;

  startRound(): void {
    this.conflict = false;
    this.open = false;
    this.#read.clear();
  }

  /** Control comes to `rva` with these values. */
  arrive(rva: number, snapshot: RegisterSnapshot): void {
    const known = this.#states.get(rva);
    const met = known === undefined ? snapshot : agreed(known, snapshot);
    if (known !== undefined && met.length === known.length) return;
    this.#states.set(rva, met);
    if (!this.#read.has(rva)) return;
    if (known === undefined) this.open = true;
    else this.conflict = true;
  }

  /** The values at `rva` as far as the ways there have been read; undefined while none has. */
  at(rva: number): RegisterSnapshot | undefined {
    this.#read.add(rva);
    return this.#states.get(rva);
  }
}

/** The pairs that both hold, in their order. */
function agreed(one: RegisterSnapshot, other: RegisterSnapshot): RegisterSnapshot {
  if (one.length === 0 || other.length === 0) return [];
  const met: number[] = [];
  for (let a = 0, b = 0; a < one.length && b < other.length; ) {
    const register = one[a] ?? 0;
    const compared = other[b] ?? 0;
    if (register === compared && one[a + 1] === other[b + 1]) met.push(register, one[a + 1] ?? 0);
    if (register <= compared) a += 2;
    if (compared <= register) b += 2;
  }
  return met;
}
