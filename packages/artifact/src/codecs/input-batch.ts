import { bufferOf } from "../reading/piece-window.js";
import type { SequentialReader } from "../reading/sequential-reader.js";

const batchBytes = 1 << 16;
const lowBytes = 256;

/** The next bytes of a reader, at hand for a loop that does not wait. */
export class InputBatch {
  #bytes: Buffer = Buffer.alloc(0);
  #last = false;
  at = 0;

  get bytes(): Buffer {
    return this.#bytes;
  }

  get left(): number {
    return this.#bytes.byteLength - this.at;
  }

  /** True when nothing follows the bytes at hand. */
  get isLast(): boolean {
    return this.#last;
  }

  /** Takes from the reader what was used, and gets more when little is left. */
  async load(reader: SequentialReader): Promise<void> {
    if (this.#last || this.left >= lowBytes) return;
    await reader.skip(this.at);
    this.at = 0;
    this.#bytes = bufferOf(await reader.head(batchBytes));
    this.#last = this.#bytes.byteLength < batchBytes;
  }

  byte(): number {
    const byte = this.#bytes[this.at] ?? 0;
    this.at += 1;
    return byte;
  }

  u32(): number {
    const value = this.#bytes.readUInt32BE(this.at);
    this.at += 4;
    return value;
  }
}
