import { referenceKinds } from "@rea/core";
import { referenceCode } from "../disassembler/disassembler.js";
import type { Reference } from "../program.js";
import { firstAtLeast, sortedOrder } from "./sort-order.js";
import type { WorkBounds } from "./work-bounds.js";

const dataOperand = 31;
/** A reference from data that only the value of the cell speaks for. */
export const valueOperand = 30;

/** Collects references as numbers: 17 bytes each. */
export class ReferenceCollector {
  #from = new Float64Array(4096);
  #to = new Float64Array(4096);
  #packed = new Uint8Array(4096);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** `kind` is a number of `referenceCode`; `operand` is undefined for references from data, `valueOperand` where no relocation proves them. */
  add(from: number, to: number, kind: number, operand: number | undefined): void {
    if (this.#length === this.#from.length) this.#grow();
    this.#from[this.#length] = from;
    this.#to[this.#length] = to;
    this.#packed[this.#length] = ((operand ?? dataOperand) << 3) | kind;
    this.#length += 1;
  }

  /** Drops what was added since there were `length` references. */
  rewind(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  to(index: number): number {
    return this.#to[index] ?? -1;
  }

  kind(index: number): number {
    return (this.#packed[index] ?? 0) & 7;
  }

  /** The collected references in both orders. */
  finish(bounds: WorkBounds): ReferenceTable {
    return new ReferenceTable(
      sorted(
        this.#from.subarray(0, this.#length),
        this.#to.subarray(0, this.#length),
        this.#packed.subarray(0, this.#length),
        () => {
          bounds.checkStop();
        },
      ),
    );
  }

  #grow(): void {
    const capacity = this.#from.length * 2;
    const from = new Float64Array(capacity);
    from.set(this.#from);
    this.#from = from;
    const to = new Float64Array(capacity);
    to.set(this.#to);
    this.#to = to;
    const packed = new Uint8Array(capacity);
    packed.set(this.#packed);
    this.#packed = packed;
  }
}

/** References as equally long columns, sorted by `from` and then as they were found, and their rows in the order of `to`. */
export interface ReferenceColumns {
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** Operand × 8 + a number of `referenceCode`; operand 31 for references from data, 30 for those found by value. */
  readonly packed: Uint8Array;
  readonly byTo: Uint32Array;
  /** `to` in that order. */
  readonly sortedTo: Float64Array;
}

function sorted(from: Float64Array, to: Float64Array, packed: Uint8Array, pause: () => void): ReferenceColumns {
  const order = sortedOrder(from, pause);
  const arrangedTo = arranged(to, order);
  const arrangedPacked = new Uint8Array(order.length);
  for (let row = 0; row < order.length; row += 1) arrangedPacked[row] = packed[order[row] ?? 0] ?? 0;
  const byTo = sortedOrder(arrangedTo, pause);
  return { from: arranged(from, order), to: arrangedTo, packed: arrangedPacked, byTo, sortedTo: arranged(arrangedTo, byTo) };
}

/** All references, sorted by `from` (then operand), and an index sorted by `to` (then `from`). Objects only on demand. */
export class ReferenceTable {
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  readonly #packed: Uint8Array;
  /** Rows in the order of `to`. */
  readonly #byTo: Uint32Array;
  readonly #sortedTo: Float64Array;

  constructor(columns: ReferenceColumns) {
    this.#from = columns.from;
    this.#to = columns.to;
    this.#packed = columns.packed;
    this.#byTo = columns.byTo;
    this.#sortedTo = columns.sortedTo;
  }

  get columns(): ReferenceColumns {
    return { from: this.#from, to: this.#to, packed: this.#packed, byTo: this.#byTo, sortedTo: this.#sortedTo };
  }

  get length(): number {
    return this.#from.length;
  }

  /** References whose `from` lies in the half-open range. */
  from(start: number, end: number): Reference[] {
    const list: Reference[] = [];
    this.forEachFrom(start, end, (row) => list.push(this.#row(row)));
    return list;
  }

  to(rva: number): Reference[] {
    const list: Reference[] = [];
    this.forEachTo(rva, (row) => list.push(this.#row(row)));
    return list;
  }

  forEachFrom(start: number, end: number, visit: (row: number) => void): void {
    for (let row = firstAtLeast(this.#from, start); row < this.#from.length && this.fromOf(row) < end; row += 1) visit(row);
  }

  forEachTo(rva: number, visit: (row: number) => void): void {
    this.forEachInto(rva, rva + 1, visit);
  }

  /** References that lead into the half-open range, by where they lead. */
  forEachInto(start: number, end: number, visit: (row: number) => void): void {
    const to = this.#sortedTo;
    for (let place = firstAtLeast(to, start); place < to.length && (to[place] ?? end) < end; place += 1) visit(this.#byTo[place] ?? 0);
  }

  /** Targets of references that form or hold an address, in ascending order, once for each reference. */
  forEachAddress(visit: (to: number, row: number) => void): void {
    for (const row of this.#byTo) if (this.kindOf(row) === referenceCode.address) visit(this.toOf(row), row);
  }

  fromOf(row: number): number {
    return this.#from[row] ?? -1;
  }

  toOf(row: number): number {
    return this.#to[row] ?? -1;
  }

  kindOf(row: number): number {
    return (this.#packed[row] ?? 0) & 7;
  }

  /** True when the reference stands in data. */
  isFromData(row: number): boolean {
    return (this.#packed[row] ?? 0) >>> 3 >= valueOperand;
  }

  /** True when the reference stands in data and only the value of its cell speaks for it. */
  isByValue(row: number): boolean {
    return (this.#packed[row] ?? 0) >>> 3 === valueOperand;
  }

  /** First `from` at or after the address, -1 at the end. */
  nextFrom(rva: number): number {
    const row = firstAtLeast(this.#from, rva);
    return row < this.#from.length ? this.fromOf(row) : -1;
  }

  #row(row: number): Reference {
    const packed = this.#packed[row] ?? 0;
    const operand = packed >>> 3;
    return {
      from: this.fromOf(row),
      to: this.toOf(row),
      kind: referenceKinds[packed & 7] ?? "address",
      operandIndex: operand >= valueOperand ? undefined : operand,
      ...(operand === valueOperand ? { byValue: true } : {}),
    };
  }
}

function arranged(values: Float64Array, order: Uint32Array): Float64Array {
  const result = new Float64Array(order.length);
  for (let row = 0; row < order.length; row += 1) result[row] = values[order[row] ?? 0] ?? 0;
  return result;
}
