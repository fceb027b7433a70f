import type { SequentialReader } from "../reading/sequential-reader.js";
import { brokenData } from "./broken-data.js";
import { InputBatch } from "./input-batch.js";
import { RangeDecoder } from "./lzma/range-decoder.js";
import type { DecoderOptions } from "./reader-codec.js";
import { turn } from "./turn.js";

/** The four streams an encoder of BCJ2 wrote, in the order 7z numbers them. */
export interface Bcj2Inputs {
  /** Everything but converted targets. */
  readonly main: SequentialReader;
  /** Absolute targets of CALL, big-endian. */
  readonly calls: SequentialReader;
  /** Absolute targets of JMP and Jcc, big-endian. */
  readonly jumps: SequentialReader;
  /** Range-coded bits: was the target behind this opcode converted? */
  readonly choices: SequentialReader;
}

const pieceBytes = 1 << 16;
const callOpcode = 0xe8;
const jumpOpcode = 0xe9;
/** Contexts: one for each byte that can stand before a CALL, one for JMP, one for Jcc. */
const contexts = 256 + 2;

/** Decodes BCJ2: x86 code whose branch targets lie in streams of their own. Ends after `plainBytes`. */
export async function* decodeBcj2(inputs: Bcj2Inputs, plainBytes: number, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const merger = new BranchMerger();
  await merger.choices.load(inputs.choices);
  merger.start();
  let left = plainBytes;
  while (left > 0) {
    await turn(options.signal);
    await merger.load(inputs);
    const piece = merger.run(Math.min(pieceBytes, left));
    left -= piece.byteLength;
    if (piece.byteLength > 0) yield piece;
    else if (merger.isExhausted) throw brokenData("The BCJ2 data ends before its declared length.");
  }
}

/** Puts targets back behind their opcodes. */
class BranchMerger {
  readonly choices = new InputBatch();
  readonly #main = new InputBatch();
  readonly #calls = new InputBatch();
  readonly #jumps = new InputBatch();
  readonly #range = new RangeDecoder();
  #previous = 0;
  /** Bytes that came out, modulo 2³²: where the code would lie. */
  #address = 0;
  /** An opcode came out and its choice was not decoded yet; −1 for none, else its context. */
  #pendingContext = -1;
  /** Bytes of a target that did not fit into the last piece. */
  #spill: Buffer = Buffer.alloc(0);

  start(): void {
    this.#range.probabilities = new Uint16Array(contexts).fill(1024);
    this.#range.feed(this.choices.bytes);
    this.#range.start();
  }

  async load(inputs: Bcj2Inputs): Promise<void> {
    await this.#main.load(inputs.main);
    await this.#calls.load(inputs.calls);
    await this.#jumps.load(inputs.jumps);
    this.choices.at += this.#range.used;
    await this.choices.load(inputs.choices);
    this.#range.feed(this.choices.bytes.subarray(this.choices.at));
  }

  /** True when no opcode waits and the main stream has nothing left. */
  get isExhausted(): boolean {
    return this.#pendingContext < 0 && this.#main.left === 0 && this.#main.isLast;
  }

  /** Decodes until the piece is full or an input must be loaded. */
  run(limit: number): Buffer {
    const out = Buffer.alloc(limit);
    let at = this.#spill.copy(out, 0, 0, limit);
    this.#spill = this.#spill.subarray(at);
    while (at < limit) {
      if (this.#pendingContext < 0) {
        if (this.#main.left === 0) break;
        out[at] = this.#plainByte();
        at += 1;
      } else {
        const targets = this.#pendingContext < 256 ? this.#calls : this.#jumps;
        if (!this.#isReady(targets)) break;
        if (this.#decide(this.#pendingContext)) at = this.#target(targets, out, at);
      }
    }
    return out.subarray(0, at);
  }

  #plainByte(): number {
    const byte = this.#main.byte();
    this.#address = (this.#address + 1) >>> 0;
    this.#pendingContext = branchContext(this.#previous, byte);
    this.#previous = byte;
    return byte;
  }

  #isReady(targets: InputBatch): boolean {
    return (this.#range.left > 1 || this.choices.isLast) && (targets.left > 3 || targets.isLast);
  }

  #decide(context: number): boolean {
    this.#pendingContext = -1;
    return this.#range.bit(context) === 1;
  }

  #target(targets: InputBatch, out: Buffer, at: number): number {
    if (targets.left < 4) throw brokenData("A stream of branch targets ends too early.");
    this.#address = (this.#address + 4) >>> 0;
    const relative = (targets.u32() - this.#address) >>> 0;
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(relative);
    this.#previous = relative >>> 24;
    const fits = bytes.copy(out, at);
    this.#spill = bytes.subarray(fits);
    return at + fits;
  }
}

/** The context of an opcode's choice; −1 for a byte that is no branch opcode. */
function branchContext(previous: number, byte: number): number {
  if (byte === callOpcode) return previous;
  if (byte === jumpOpcode) return 256;
  return previous === 0x0f && (byte & 0xf0) === 0x80 ? 257 : -1;
}
