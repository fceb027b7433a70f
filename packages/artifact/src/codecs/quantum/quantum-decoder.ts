import { SlidingWindow } from "../sliding-window.js";
import { QuantumCoder } from "./quantum-coder.js";
import { QuantumModel } from "./quantum-model.js";

const quantumFrameBytes = 32_768;
export const leastQuantumWindow = 10;
export const greatestQuantumWindow = 21;

const literalSelectors = 4;
const slots = 42;
const slotBits = Array.from({ length: slots }, (_, slot) => Math.max(0, (slot >> 1) - 1));
const slotBases = basesOf(slotBits);
/** Lengths of long matches, less five: six of their own, then four for each number of further bits; the last stands alone. */
const lengthBits = [...Array.from({ length: 26 }, (_, slot) => (slot < 6 ? 0 : (slot - 2) >> 2)), 0];
const lengthBases = basesOf(lengthBits);
const longMatch = 5;

function basesOf(bits: readonly number[]): readonly number[] {
  let next = 0;
  return bits.map((count) => {
    const base = next;
    next += 2 ** count;
    return base;
  });
}

/** Quantum (David Stafford) as cabinets hold it: frames of 32 KiB with models that live on from frame to frame. */
export class QuantumDecoder {
  readonly #window: SlidingWindow;
  readonly #selector = new QuantumModel(0, 7);
  readonly #literals = Array.from({ length: literalSelectors }, (_, quarter) => new QuantumModel(quarter * 64, 64));
  readonly #threeByte: QuantumModel;
  readonly #fourByte: QuantumModel;
  readonly #distance: QuantumModel;
  readonly #length = new QuantumModel(0, lengthBits.length);

  constructor(windowBits: number) {
    this.#window = new SlidingWindow(windowBits, quantumFrameBytes);
    this.#threeByte = new QuantumModel(0, Math.min(24, windowBits * 2));
    this.#fourByte = new QuantumModel(0, Math.min(36, windowBits * 2));
    this.#distance = new QuantumModel(0, windowBits * 2);
  }

  /** Decodes one frame. Throws `artifact_operation_failed` (reason `format`) for damage. */
  decode(packed: Uint8Array, plainBytes: number): Uint8Array {
    const coder = new QuantumCoder(packed);
    while (this.#window.filled < plainBytes) this.#symbol(coder);
    return this.#window.take(plainBytes);
  }

  #symbol(coder: QuantumCoder): void {
    const selector = this.#selector.decode(coder);
    const literals = this.#literals[selector];
    if (literals !== undefined) this.#window.put(literals.decode(coder));
    else if (selector === 4) this.#window.copy(distance(coder, this.#threeByte), 3);
    else if (selector === 5) this.#window.copy(distance(coder, this.#fourByte), 4);
    else {
      const slot = this.#length.decode(coder);
      const length = longMatch + (lengthBases[slot] ?? 0) + coder.bits(lengthBits[slot] ?? 0);
      this.#window.copy(distance(coder, this.#distance), length);
    }
  }
}

function distance(coder: QuantumCoder, model: QuantumModel): number {
  const slot = model.decode(coder);
  return 1 + (slotBases[slot] ?? 0) + coder.bits(slotBits[slot] ?? 0);
}
