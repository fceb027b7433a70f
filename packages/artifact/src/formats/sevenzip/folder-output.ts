import { crc32 } from "node:zlib";
import { throwIfAborted, type ByteSource } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import { SequentialReader } from "../../reading/sequential-reader.js";
import { sourceStream } from "../../reading/source-stream.js";
import { methodOf } from "./coders.js";
import { coderOf, mainOutput } from "./folder.js";
import { mostFolderMemory, type FolderPlan } from "./folder-plan.js";
import type { Streams } from "./streams.js";

export interface FolderSource {
  readonly source: ByteSource;
  /** Where packed streams count from. */
  readonly start: number;
  readonly streams: Streams;
  readonly signal: AbortSignal;
}

/** What reading a folder to its end showed beside its bytes. */
export interface FolderNotes {
  /** The coders gave more than the declared size. */
  longer(): void;
  /** All bytes came, and then the coders met damage at their end; `what` is a sentence of ours. */
  oddEnd(what: string): void;
  /** Packed bytes behind those the coder used. */
  unused(offset: number, bytes: number): void;
  /** A declared CRC-32 of the folder or of a packed stream that does not hold. */
  checksum(what: "folder" | "packed stream", offset: number, values: { readonly declared: number; readonly computed: number }): void;
}

/** The plain bytes of a folder, decoded once from front to back. */
export class FolderOutput {
  readonly #from: FolderSource;
  readonly #plan: FolderPlan;
  readonly #notes: FolderNotes;
  readonly #opened: SequentialReader[] = [];
  readonly #checks: (() => Promise<void>)[] = [];
  readonly reader: SequentialReader;
  /** Packed bytes read so far. */
  packedRead = 0;

  constructor(from: FolderSource, plan: FolderPlan, notes: FolderNotes) {
    this.#from = from;
    this.#plan = plan;
    this.#notes = notes;
    this.reader = new SequentialReader(this.#main());
  }

  async close(): Promise<void> {
    await this.reader.close();
    for (const reader of this.#opened) await reader.close();
  }

  async *#main(): AsyncGenerator<Uint8Array, void, undefined> {
    const { index, folder } = this.#plan;
    const declared = this.#from.streams.folderDigests[index] ?? -1;
    let computed = 0;
    for await (const piece of this.#output(mainOutput(folder))) {
      if (declared >= 0) computed = crc32(piece, computed);
      yield piece;
    }
    const offset = this.#offsetOf(0);
    if (declared >= 0 && declared !== computed) this.#notes.checksum("folder", offset, { declared, computed });
    for (const check of this.#checks) await check();
  }

  /** An output stream, exactly as long as declared. */
  async *#output(output: number): AsyncGenerator<Uint8Array, void, undefined> {
    const plainBytes = this.#from.streams.outputSize(this.#plan.index, output);
    let left = plainBytes;
    for await (const piece of this.#decode(output, plainBytes)) {
      throwIfAborted(this.#from.signal, "decompress");
      if (piece.byteLength > left) {
        if (left > 0) yield piece.subarray(0, left);
        this.#notes.longer();
        return;
      }
      left -= piece.byteLength;
      if (piece.byteLength > 0) yield piece;
    }
    if (left > 0) throw brokenData(`The packed data ends ${String(left)} bytes before its declared length.`);
  }

  #decode(output: number, plainBytes: number): AsyncIterable<Uint8Array> {
    const { coder, firstInput } = coderOf(this.#plan.folder, output);
    const method = methodOf(coder.id);
    if (method === undefined) throw brokenData("A coder of the folder is not known.");
    const inputs = Array.from({ length: coder.inputs }, (_, at) => this.#input(firstInput + at, method.exact === true));
    return method.decode({
      inputs,
      properties: coder.properties,
      plainBytes,
      options: { signal: this.#from.signal, maxWindowBytes: mostFolderMemory },
      onUsed: (bytes) => {
        this.#noteUnused(firstInput, bytes);
      },
    });
  }

  #input(input: number, exact: boolean): SequentialReader {
    const bond = this.#plan.folder.bonds.find((one) => one.input === input);
    const pieces = bond === undefined ? this.#packed(input) : this.#output(bond.output);
    const reader = new SequentialReader(pieces);
    this.#opened.push(reader);
    if (exact && bond === undefined) {
      this.#checks.push(async () => {
        if (!(await reader.atEnd())) this.#noteUnused(input, reader.position);
      });
    }
    return reader;
  }

  /** A packed stream of the archive; its own CRC-32, where one is declared, is compared at its end. */
  async *#packed(input: number): AsyncGenerator<Uint8Array, void, undefined> {
    const { at, bytes, digest } = this.#packedStream(input);
    let computed = 0;
    for await (const piece of sourceStream(this.#from.source, at, bytes)) {
      this.packedRead += piece.byteLength;
      if (digest >= 0) computed = crc32(piece, computed);
      yield piece;
    }
    if (digest >= 0 && digest !== computed) this.#notes.checksum("packed stream", at, { declared: digest, computed });
  }

  #noteUnused(input: number, used: number): void {
    if (this.#plan.folder.bonds.some((bond) => bond.input === input)) return;
    const { at, bytes } = this.#packedStream(input);
    if (used < bytes) this.#notes.unused(at + used, bytes - used);
  }

  #packedStream(input: number): { readonly at: number; readonly bytes: number; readonly digest: number } {
    const { streams } = this.#from;
    const order = this.#plan.folder.packed.indexOf(input);
    const number = streams.firstPacked(this.#plan.index) + order;
    return { at: this.#offsetOf(order), bytes: streams.packSizes[number] ?? 0, digest: streams.packDigests[number] ?? -1 };
  }

  #offsetOf(order: number): number {
    return this.#from.start + this.#from.streams.packStart(this.#from.streams.firstPacked(this.#plan.index) + order);
  }
}
