import { endsFlow, flow } from "../disassembler/flow.js";
import type { InstructionEffects, MemoryAccess, RegisterFile, RegisterMove } from "../disassembler/register-access.js";
import type { BlockEffects, CallSite, PlacedAccess, ReturnWrite, Symbol } from "./block-effects.js";
import type { Convention } from "./conventions.js";

export interface BlockContext {
  readonly file: RegisterFile;
  readonly convention: Convention;
  /** Bytes of arguments a callee removes; undefined when it is not known. */
  readonly calleePops: (target: number) => number | undefined;
  /** Argument registers that the callee reads; `leaves` when the function ends in a jump to it. */
  readonly calleeReads: (target: number, leaves: boolean) => { readonly general: number; readonly vector: number };
}

export interface BlockInstruction {
  readonly rva: number;
  readonly length: number;
  readonly flow: number;
  /** Target of a direct jump or call; -1 without one. */
  readonly target: number;
  readonly effects: InstructionEffects | undefined;
}

/** State before a call that may be a stack probe: it leaves all registers, and the amount in one of them is taken from the stack pointer next. */
interface Probe {
  readonly register: number;
  readonly value: number;
  readonly values: ReadonlyMap<number, Symbol>;
  readonly written: number;
  readonly killed: number;
  readonly killedVector: number;
  readonly generalReturn: ReturnWrite;
  readonly vectorReturn: ReturnWrite;
  readonly stackLost: number;
}

/** Collects the effects of one block, instruction by instruction. */
export class BlockWalk implements BlockEffects {
  exposed = 0;
  exposedVector = 0;
  killed = 0;
  killedVector = 0;
  written = 0;
  readonly values = new Map<number, Symbol>();
  readonly accesses: PlacedAccess[] = [];
  readonly stackPointers: Symbol[] = [];
  stackLost = -1;
  readonly calls: CallSite[] = [];
  generalReturn: ReturnWrite = "none";
  vectorReturn: ReturnWrite = "none";
  returns = false;
  x87Pushes: number | undefined;
  returnPops = 0;
  undecoded = 0;
  framePointerSet = -1;
  readonly #context: BlockContext;
  #sinceCall = 0;
  #countSet = false;
  /** The flags are those of the arithmetic that last wrote the integer return register. */
  #flagsOfReturn = false;
  /** A push of this block, not of the return register itself, is on the stack, and nothing was called since. */
  #pushed = false;
  /** A constant that a call of a stack probe leaves in its register. */
  #probe: Probe | undefined;

  constructor(context: BlockContext) {
    this.#context = context;
  }

  add(instruction: BlockInstruction): void {
    const { effects } = instruction;
    if (effects === undefined) this.#unknown();
    else {
      this.#reads(effects);
      for (const access of effects.memory) this.#place(instruction.rva, access);
      if (effects.address !== undefined) this.#placeAddress(instruction.rva, effects.address);
      this.#writes(instruction, effects);
      this.#noteReturn(instruction, effects);
      if (effects.x87Pushes !== undefined) this.x87Pushes = (this.x87Pushes ?? 0) + effects.x87Pushes;
    }
    if (isCall(instruction.flow)) this.#call(instruction);
    else if (instruction.flow === flow.return || instruction.flow === flow.conditionalReturn) {
      this.returns = true;
      this.returnPops = effects?.returnPops ?? 0;
    }
  }

  /** The jump at the end leaves the function, to `target` or, with -1, to where nothing says. */
  leave(target: number, always: boolean): void {
    if (target >= 0) this.#expose(this.#context.calleeReads(target, true));
    if (!always) return;
    this.returns = true;
    this.generalReturn = "call";
    this.vectorReturn = "call";
  }

  #symbol(register: number): Symbol | undefined {
    const known = this.values.get(register);
    if (known !== undefined) return known;
    return (this.written >>> register) & 1 ? undefined : { from: register, add: 0 };
  }

  #reads({ reads, isPush, memory }: InstructionEffects): void {
    const { convention } = this.#context;
    // A push may only make room, or keep what the callee has to keep.
    const room = isPush && memory[0] !== undefined && memory[0].general >= 0 ? 1 << memory[0].general : 0;
    const general = reads.general & ~this.killed & ~room;
    this.exposed |= general;
    this.exposedVector |= reads.vector & ~this.killedVector;
    if ((reads.general >>> convention.generalReturn) & 1 && (this.generalReturn === "written" || this.generalReturn === "flags")) this.generalReturn = "read_since";
    if ((reads.vector >>> convention.vectorReturn) & 1 && this.vectorReturn === "written") this.vectorReturn = "read_since";
  }

  #place(rva: number, access: MemoryAccess): void {
    const base = access.base < 0 ? undefined : this.#symbol(access.base);
    if (base === undefined || base.from < 0) return;
    const own = access.kind === "store" && access.general >= 0 ? this.#symbol(access.general) : undefined;
    const whole = own !== undefined && own.from === access.general && own.add === 0;
    const vector = access.kind === "store" && access.vector >= 0 && ((this.killedVector >>> access.vector) & 1) === 0;
    this.accesses.push({
      rva,
      from: base.from,
      add: base.add + access.offset,
      bytes: access.bytes,
      kind: access.kind,
      content: access.content ?? (access.vector >= 0 ? "unclear" : undefined),
      indexed: access.indexed,
      stored: whole ? access.general : -1,
      storedVector: vector ? access.vector : -1,
    });
  }

  #placeAddress(rva: number, { base, offset }: { readonly base: number; readonly offset: number }): void {
    const symbol = base < 0 ? undefined : this.#symbol(base);
    if (symbol === undefined || symbol.from < 0) return;
    this.accesses.push({ rva, from: symbol.from, add: symbol.add + offset, bytes: 0, kind: "address", indexed: false, stored: -1, storedVector: -1 });
  }

  #writes({ rva }: BlockInstruction, effects: InstructionEffects): void {
    const { file, convention } = this.#context;
    this.#probed(effects);
    const found: [number, Symbol | undefined][] = effects.moves.map((move) => [move.to, this.#moved(move)]);
    this.#forget(effects.writes.general);
    for (const [to, value] of found) if (value !== undefined) this.values.set(to, value);
    this.written |= effects.writes.general;
    this.killed |= effects.definiteWrites.general;
    this.killedVector |= effects.definiteWrites.vector;
    this.#sinceCall |= effects.writes.general;
    if ((effects.writes.vector >>> convention.vectorReturn) & 1) this.vectorReturn = "written";
    if ((effects.writes.general >>> file.stackPointer) & 1) this.#stackMoved(rva);
    if ((effects.writes.general >>> file.framePointer) & 1 && this.#isFrame()) this.framePointerSet = rva;
    this.#noteCount(effects, found);
  }

  /** What the instruction leaves in the integer return register, and whether that looks meant for a caller. */
  #noteReturn({ flow: kind }: BlockInstruction, effects: InstructionEffects): void {
    const { file, convention } = this.#context;
    const { writes, memory, isPush, setsFlags, checksGuard } = effects;
    const writesReturn = ((writes.general >>> convention.generalReturn) & 1) === 1;
    const isPop = !isPush && memory[0]?.base === file.stackPointer && memory[0].kind === "load" && ((writes.general >>> file.stackPointer) & 1) === 1;
    if (writesReturn) this.generalReturn = checksGuard === true || (isPop && !this.#pushed) ? "leftover" : "written";
    if (writesReturn || setsFlags === true) this.#flagsOfReturn = writesReturn && setsFlags === true;
    if (kind === flow.conditionalJump && this.#flagsOfReturn && this.generalReturn === "written") this.generalReturn = "flags";
    if (isPush || isPop) this.#pushed = isPush && memory[0]?.general !== convention.generalReturn;
  }

  /** Takes the last call back when this instruction shows that it was a stack probe. */
  #probed({ moves }: InstructionEffects): void {
    const probe = this.#probe;
    this.#probe = undefined;
    if (probe === undefined || !moves.some(({ to, term }) => to === this.#context.file.stackPointer && term?.register === probe.register)) return;
    this.values.clear();
    for (const [register, value] of probe.values) this.values.set(register, value);
    this.written = probe.written;
    this.killed = probe.killed;
    this.killedVector = probe.killedVector;
    this.generalReturn = probe.generalReturn;
    this.vectorReturn = probe.vectorReturn;
    this.stackLost = probe.stackLost;
    this.calls.pop();
  }

  #moved({ to, from, add, term }: RegisterMove): Symbol | undefined {
    const amount = term === undefined ? 0 : this.#constant(term.register);
    const source = from < 0 ? { from: -1, add: 0 } : this.#symbol(from);
    if (source === undefined || amount === undefined) return undefined;
    // The upper part of a constant whose lower part was not seen says nothing.
    if (from === to && source.from >= 0 && add >= 0x1_0000 && to !== this.#context.file.stackPointer) return undefined;
    return { from: source.from, add: source.add + add + amount * (term?.sign ?? 1) };
  }

  #constant(register: number): number | undefined {
    const known = this.values.get(register);
    return known?.from === -1 ? known.add : undefined;
  }

  #forget(mask: number): void {
    for (const register of [...this.values.keys()]) if ((mask >>> register) & 1) this.values.delete(register);
  }

  #stackMoved(rva: number): void {
    const value = this.#symbol(this.#context.file.stackPointer);
    if (value === undefined || value.from < 0) {
      if (this.stackLost < 0) this.stackLost = rva;
    } else this.stackPointers.push(value);
  }

  /** True when the frame pointer was just set from the stack pointer. */
  #isFrame(): boolean {
    return this.values.get(this.#context.file.framePointer)?.from === this.#context.file.stackPointer;
  }

  /** Before a variadic call the count of vector arguments is set to a small constant, 0 mostly by an exclusive or. */
  #noteCount({ writes, reads }: InstructionEffects, found: readonly (readonly [number, Symbol | undefined])[]): void {
    const { vectorCount } = this.#context.convention;
    if (vectorCount < 0 || ((writes.general >>> vectorCount) & 1) === 0) return;
    const set = found.find(([to]) => to === vectorCount)?.[1];
    const zeroed = found.length === 0 && reads.general === 0 && writes.general === 1 << vectorCount;
    this.#countSet = zeroed || (set !== undefined && set.from === -1 && set.add >= 0 && set.add <= 8);
  }

  /** A call to the next instruction only puts its address on the stack. */
  #fetchCounter(rva: number): void {
    const { file } = this.#context;
    const stack = this.#symbol(file.stackPointer);
    if (stack !== undefined) this.values.set(file.stackPointer, { from: stack.from, add: stack.add - file.wordBytes });
    this.written |= 1 << file.stackPointer;
    this.#stackMoved(rva);
  }

  #call({ rva, target, length, flow: kind }: BlockInstruction): void {
    const { file, convention, calleePops, calleeReads } = this.#context;
    if (target === rva + length) return this.#fetchCounter(rva);
    this.calls.push({ rva, target: kind === flow.indirectCall ? -1 : target, vectorCountSet: this.#countSet, written: this.#sinceCall });
    this.#countSet = false;
    this.#pushed = false;
    this.#sinceCall = 0;
    if (target >= 0) this.#expose(calleeReads(target, false));
    this.#mayProbe();
    const lost = ~convention.saved & ~(1 << file.stackPointer);
    this.#forget(lost);
    this.written |= lost;
    this.killed |= lost;
    this.killedVector |= ~convention.savedVector;
    this.generalReturn = "call";
    this.vectorReturn = "call";
    const pops = calleePops(kind === flow.indirectCall ? -1 : target);
    const stack = this.#symbol(file.stackPointer);
    this.written |= pops === 0 ? 0 : 1 << file.stackPointer;
    if (pops === undefined || stack === undefined) {
      this.values.delete(file.stackPointer);
      if (!endsFlow(kind) && this.stackLost < 0) this.stackLost = rva;
    } else if (pops !== 0) this.values.set(file.stackPointer, { from: stack.from, add: stack.add + pops });
  }

  #mayProbe(): void {
    const register = this.#context.convention.generalReturn;
    const value = this.#constant(register);
    const { written, killed, killedVector, generalReturn, vectorReturn, stackLost } = this;
    this.#probe = value === undefined ? undefined : { register, value, values: new Map(this.values), written, killed, killedVector, generalReturn, vectorReturn, stackLost };
  }

  #expose({ general, vector }: { readonly general: number; readonly vector: number }): void {
    this.exposed |= general & ~this.killed;
    this.exposedVector |= vector & ~this.killedVector;
  }

  #unknown(): void {
    this.undecoded += 1;
  }
}

function isCall(kind: number): boolean {
  return (
    kind === flow.call || kind === flow.indirectCall || kind === flow.callNoReturn || kind === flow.indirectCallNoReturn || kind === flow.conditionalCall
  );
}
