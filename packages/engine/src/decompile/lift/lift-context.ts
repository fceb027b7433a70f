/** What the lifters ask about the program around the function. Addresses are RVAs. */
export interface LiftContext {
  readonly base: bigint;
  readonly checkpoint: () => void;
  bytes(start: number, length: number): Uint8Array;
  isNoReturn(target: number): boolean;
  /** The name of the function that is called at an address; undefined where there is none. */
  calledName(target: number): string | undefined;
  /** Targets of a computed jump in the order of its table, and what selects among them. */
  switchAt(jump: number): KnownSwitch | undefined;
  /** How the instruction is written, for those that can only be named; undefined where that is not known. */
  described(rva: number): DescribedInstruction | undefined;
}

export interface KnownSwitch {
  readonly targets: readonly number[];
}

export interface DescribedInstruction {
  readonly mnemonic: string;
  readonly operands: readonly { readonly text: string; readonly access: string | undefined }[];
}
