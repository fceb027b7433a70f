import type { Architecture } from "@rea/binary";
import type { Disassembler } from "../disassembler/disassembler.js";
import type { OperationReader } from "../disassembler/operation-reader.js";

/** Reads operations of a piece of code; by the leading bits of words where the decoder has no own way. */
export function operationReader(disassembler: Disassembler, bytes: Uint8Array): OperationReader {
  return disassembler.operations?.(bytes) ?? new WordOperations(disassembler.architecture, bytes);
}

class WordOperations implements OperationReader {
  constant: number | undefined;
  readonly #view: DataView;
  readonly #operationOf: (word: number) => number;
  readonly #littleEndian: boolean;

  constructor(architecture: Architecture, bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#operationOf = architecture === "arm64" ? arm64Operation : architecture === "arm" ? armOperation : majorOpcode;
    this.#littleEndian = !architecture.startsWith("mips") && !architecture.startsWith("powerpc");
  }

  at(offset: number): number {
    this.constant = undefined;
    if (offset + 4 > this.#view.byteLength) return offset + 2 > this.#view.byteLength ? 0 : this.#view.getUint16(offset, true) & 0xfe03;
    const word = this.#view.getUint32(offset, this.#littleEndian);
    // movz and movk with a telling value.
    if (this.#operationOf === arm64Operation && (word & 0x5f800000) === 0x52800000) this.constant = (word >>> 5) & 0xffff;
    return this.#operationOf(word);
  }

  close(): void {
    // Holds nothing.
  }
}

/** Arm ARM C4: the bits that select the operation in each of the main groups. */
function arm64Operation(word: number): number {
  const group = (word >>> 25) & 0xf;
  if (group === 0xa || group === 0xb) {
    if ((word & 0x7c000000) === 0x14000000) return word >>> 26;
    if ((word & 0xff000000) === 0x54000000) return (word >>> 24) * 16 + (word & 0xf);
    if ((word & 0x7c000000) === 0x34000000) return word >>> 24;
    return word >>> 21;
  }
  if (group === 0x8 || group === 0x9) return word >>> 23;
  if ((group & 0x5) === 0x4) return (word >>> 22) * 4 + ((word >>> 10) & 3);
  // Of instructions on registers the bits 10 to 15 are a shift or a second opcode.
  const selects = (group & 0x7) !== 0x5 || ((word >>> 28) & 1) === 1;
  return (word >>> 21) * 64 + (selects ? (word >>> 10) & 0x3f : 0);
}

function armOperation(word: number): number {
  return word >>> 20;
}

function majorOpcode(word: number): number {
  return (word >>> 26) * 64 + (word & 0x3f);
}
