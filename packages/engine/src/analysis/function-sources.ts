import { procedureSources, type ProcedureSource } from "@rea/core";

const bitOf: ReadonlyMap<ProcedureSource, number> = new Map(procedureSources.map((source, index) => [source, 1 << index]));

/** Which kinds of evidence speak for a function at an RVA. */
export class SourceTable {
  readonly #bits = new Map<number, number>();

  get size(): number {
    return this.#bits.size;
  }

  has(rva: number): boolean {
    return this.#bits.has(rva);
  }

  /** True when the start was not known before. */
  add(rva: number, source: ProcedureSource): boolean {
    const known = this.#bits.get(rva);
    this.#bits.set(rva, (known ?? 0) | (bitOf.get(source) ?? 0));
    return known === undefined;
  }

  delete(rva: number): void {
    this.#bits.delete(rva);
  }

  /** True when nothing but these kinds of evidence speaks for the start. */
  isOnly(rva: number, ...sources: readonly ProcedureSource[]): boolean {
    const allowed = sources.reduce((bits, source) => bits | (bitOf.get(source) ?? 0), 0);
    return ((this.#bits.get(rva) ?? 0) & ~allowed) === 0;
  }

  /** Sorted by code point. */
  of(rva: number): readonly ProcedureSource[] {
    const bits = this.#bits.get(rva) ?? 0;
    let list = lists.get(bits);
    if (list === undefined) {
      list = Object.freeze(procedureSources.filter((source) => bits & (bitOf.get(source) ?? 0)).sort());
      lists.set(bits, list);
    }
    return list;
  }

  /** In the order in which they were found. */
  forEachStart(visit: (rva: number) => void): void {
    for (const rva of this.#bits.keys()) visit(rva);
  }

  /** All starts, sorted. */
  starts(): Float64Array {
    return Float64Array.from(this.#bits.keys()).sort();
  }
}

/** Few combinations occur; functions share them. */
const lists = new Map<number, readonly ProcedureSource[]>();
