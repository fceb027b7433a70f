/** A result in several registers: one wide number, whose lowest bits are in the first. */
export interface ResultShape {
  /** The structure of `rea.h` that the convention returns so; undefined for a number of 128 bits. */
  readonly record: string | undefined;
  readonly parts: readonly ResultPart[];
}

export interface ResultPart {
  readonly place: number;
  readonly bits: number;
}

/** What analyses know of a processor and its calling convention. Places are those of its lifter. */
export interface Machine {
  readonly pointerBits: number;
  readonly stackPointer: number;
  /** Offset from the stack pointer at the entry to the first argument on the stack. */
  readonly stackArguments: number;
  /** Offset from the stack pointer at a call to the first argument on the stack. */
  readonly callArguments: number;
  /** Places from here on hold values of one instruction only. */
  readonly firstTemporary: number;
  bitsOf(place: number): number;
  nameOf(place: number): string;
  readonly integerArguments: readonly number[];
  readonly floatArguments: readonly number[];
  /** Holds the address where a large result is to be put; -1 where that is an ordinary argument. */
  readonly indirectResult: number;
  /** True where arguments that a variable list takes are on the stack only. */
  readonly variableArgumentsOnStack: boolean;
  /** Registers of vectors and floating numbers, one after another. */
  readonly vectors: { readonly first: number; readonly count: number };
  /** Counts vector arguments of variadic calls; -1 where there is none. */
  readonly vectorCount: number;
  /** Registers that may carry arguments, the stack pointer, and what variadic calls say. */
  readonly callReads: readonly number[];
  /** Registers that a call does not keep. */
  readonly callWrites: readonly number[];
  /** Registers that a function keeps for its caller. */
  readonly kept: ReadonlySet<number>;
  /** Integer results, then float results. */
  readonly resultPlaces: readonly number[];
  /** How structures come back in several registers, those with more registers first. */
  readonly resultShapes: readonly ResultShape[];
  readonly integerResult: number;
  readonly secondIntegerResult: number;
  readonly floatResult: number;
  /** True where nothing is pushed: a difference of the stack pointer and a register only ever takes memory. */
  readonly takesStackByDifference: boolean;
  /** True where C's plain `char` has a sign. */
  readonly plainCharIsSigned: boolean;
  /** True when the stack pointer at the entry is 8 above a multiple of 16. */
  readonly entryMisaligned: boolean;
}
