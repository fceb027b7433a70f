/** Which instruction set stands at an address. */
export const instructionSet = { a32: 1, t32: 2 } as const;

const setMask = 3;
const firm = 4;
const start = 8;
/** Halfwords looked back at for the set of code whose set nothing says. */
const lookBack = 256;

/** Says where A32 and where T32 code stands; what is known first stays. */
export class InstructionSets {
  readonly #pieces: { readonly start: number; readonly flags: Uint8Array }[] = [];
  #standard: number;

  constructor(standard: number) {
    this.#standard = standard;
  }

  /** Makes room for a piece of code at an RVA. */
  add(rva: number, bytes: number): void {
    this.#pieces.push({ start: rva, flags: new Uint8Array(bytes >>> 1) });
  }

  /** The set of code that nothing near says anything of. */
  set standard(value: number) {
    this.#standard = value;
  }

  /** True for addresses of code. */
  holds(rva: number): boolean {
    return this.#place(rva) !== undefined;
  }

  /** Declares or derives the set at an RVA; ignored outside code. */
  note(rva: number, set: number): void {
    const place = this.#place(rva);
    if (place !== undefined && ((place.flags[place.index] ?? 0) & setMask) === 0) place.flags[place.index] = set | firm;
  }

  /** The set at an RVA where an instruction is about to be decoded; from then on it is fixed. */
  settle(rva: number): number {
    const place = this.#place(rva);
    if (place === undefined) return this.#standard;
    const { flags, index } = place;
    const known = flags[index] ?? 0;
    const settled = known & setMask ? known : this.#nearest(flags, index);
    flags[index] = settled | start;
    return settled & setMask;
  }

  /** True when the set was declared or follows from what was. */
  isFirm(rva: number): boolean {
    const place = this.#place(rva);
    return place !== undefined && ((place.flags[place.index] ?? 0) & firm) !== 0;
  }

  /** True when an instruction was decoded at the RVA whose set is certain. */
  isCertainStart(rva: number): boolean {
    const place = this.#place(rva);
    return place !== undefined && ((place.flags[place.index] ?? 0) & (firm | start)) === (firm | start);
  }

  /** True when a T32 instruction was decoded at the RVA. */
  isThumbStart(rva: number): boolean {
    const place = this.#place(rva);
    return place !== undefined && ((place.flags[place.index] ?? 0) & (setMask | start)) === (instructionSet.t32 | start);
  }

  /** Code close behind known code is of its set, and as certain. */
  #nearest(flags: Uint8Array, index: number): number {
    for (let at = index - 1; at >= 0 && at >= index - lookBack; at -= 1) {
      const known = (flags[at] ?? 0) & (setMask | firm);
      if (known & setMask) return known;
    }
    return this.#standard;
  }

  #place(rva: number): { readonly flags: Uint8Array; readonly index: number } | undefined {
    for (const { start: first, flags } of this.#pieces) {
      const index = (rva - first) >>> 1;
      if (rva >= first && index < flags.length) return { flags, index };
    }
    return undefined;
  }
}
