import type { CodeBytes, InstructionDecoder } from "./disassembler.js";

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly decoder: InstructionDecoder;
}

interface Place {
  readonly decoder: InstructionDecoder;
  readonly offset: number;
}

/**
 * The code a disassembler was given, so that showing one instruction can see those around it: what a branch does may rest on
 * its neighbours.
 */
export class OpenCode {
  readonly #pieces: Piece[] = [];

  add<T extends InstructionDecoder>({ start, bytes }: CodeBytes, decoder: T): T {
    this.#pieces.push({ start, end: start + bytes.byteLength, decoder });
    return decoder;
  }

  /** A decoder for the address: of the code that holds it, else one over nothing but `bytes`. */
  at(rva: number, bytes: Uint8Array, base: bigint, make: (code: CodeBytes) => InstructionDecoder): Place {
    const piece = this.#pieces.find(({ start, end }) => rva >= start && rva < end);
    if (piece !== undefined) return { decoder: piece.decoder, offset: rva - piece.start };
    const code = { bytes, start: rva, base, absolute: false, imageSize: 0, relocated: () => false, data: new Set<number>() };
    return { decoder: make(code), offset: 0 };
  }
}
