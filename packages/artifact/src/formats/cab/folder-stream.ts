import { throwIfAborted, type ByteSource } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import { turn } from "../../codecs/turn.js";
import { SequentialReader } from "../../reading/sequential-reader.js";
import { blockAt, blockChecksum, type Block } from "./blocks.js";
import type { FolderPlan } from "./folder-plan.js";

/** The declared and the computed checksum of a block, and the plain bytes it stands for. */
export interface CheckedBlock {
  readonly offset: number;
  readonly start: number;
  readonly end: number;
  readonly declared: number;
  readonly computed: number;
}

const wrongBlocksKept = 100_000;

/** The plain bytes of a folder, decoded once from front to back. */
export class FolderStream {
  readonly #source: ByteSource;
  readonly #plan: FolderPlan;
  readonly #signal: AbortSignal;
  readonly reader: SequentialReader;
  /** Packed bytes read so far. */
  packedRead = 0;
  /** Blocks whose checksum does not hold. */
  readonly wrong: CheckedBlock[] = [];
  /** The last block that declares a checksum. */
  last: CheckedBlock | undefined;

  constructor(source: ByteSource, plan: FolderPlan, signal: AbortSignal) {
    this.#source = source;
    this.#plan = plan;
    this.#signal = signal;
    this.reader = new SequentialReader(this.#pieces());
  }

  close(): Promise<void> {
    return this.reader.close();
  }

  async *#pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    const { record, dataReserve, decoder } = this.#plan;
    if (decoder === undefined) throw brokenData("The folder's method is not decoded.");
    const blocks = decoder();
    let at = this.#plan.start;
    let plain = 0;
    for (let index = 0; index < record.blockCount; index += 1) {
      throwIfAborted(this.#signal, "decompress");
      const block = blockAt(this.#source, at, dataReserve);
      if (block === undefined || block.dataOffset + block.packedBytes > this.#source.size) throw brokenData("The cabinet ends inside a data block.", at);
      if (block.plainBytes === 0) return;
      const packed = this.#source.read(block.dataOffset, block.packedBytes);
      this.#check(block, packed, plain);
      this.packedRead += packed.byteLength;
      const piece = blocks.decode(packed, block.plainBytes);
      plain += block.plainBytes;
      yield piece;
      if (piece.byteLength !== block.plainBytes) throw brokenData("A data block gives another number of bytes than it declares.", at);
      at = block.dataOffset + block.packedBytes;
      await turn(this.#signal);
    }
  }

  #check(block: Block, packed: Uint8Array, start: number): void {
    if (block.checksum === 0) return;
    const computed = blockChecksum(packed, block.plainBytes);
    const checked = { offset: block.offset, start, end: start + block.plainBytes, declared: block.checksum, computed };
    this.last = checked;
    if (computed !== block.checksum && this.wrong.length < wrongBlocksKept) this.wrong.push(checked);
  }
}
