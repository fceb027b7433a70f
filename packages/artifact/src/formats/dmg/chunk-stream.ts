import { crc32 } from "node:zlib";
import { sourceSlice, type ByteSource } from "@rea/core";
import { adc } from "../../codecs/adc.js";
import { brokenData } from "../../codecs/broken-data.js";
import { bzip2 } from "../../codecs/bzip2.js";
import type { Codec } from "../../codecs/codec.js";
import { lzfse } from "../../codecs/lzfse.js";
import { turn } from "../../codecs/turn.js";
import { xz } from "../../codecs/xz.js";
import { inflateZlib, zlib } from "../../codecs/zlib.js";
import { sourceStream } from "../../reading/source-stream.js";
import type { Chunk, ChunkKind } from "./block-table.js";
import { sectorBytes } from "./trailer.js";

const zeros = new Uint8Array(256 * 1024);
/** Chunks of a usual size are inflated at once. */
const smallBytes = 4 * 1024 * 1024;

/** Says whether a kind of chunk can be read. */
export function isReadable(kind: ChunkKind): boolean {
  return typeof kind !== "number";
}

/** A partition's sectors as a stream, with the checksum that its table declares. */
export class ChunkStream {
  readonly #dataFork: ByteSource;
  readonly #chunks: readonly Chunk[];
  readonly #signal: AbortSignal;
  #crc = 0;
  #input = 0;

  /** `chunks` by sector; their ranges count from the start of `dataFork`. */
  constructor(dataFork: ByteSource, chunks: readonly Chunk[], signal: AbortSignal) {
    this.#dataFork = dataFork;
    this.#chunks = chunks;
    this.#signal = signal;
  }

  /** CRC-32 of what came out so far; sectors that are to be ignored do not count. */
  get crc(): number {
    return this.#crc;
  }

  /** Stored bytes used so far. Holes cost what they give, so that an empty disk is no bomb. */
  get inputBytes(): number {
    return this.#input;
  }

  async *pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    let sector = 0;
    for (const chunk of this.#chunks) {
      if (chunk.sector < sector) throw brokenData("Two chunks of a partition hold the same sectors.");
      if (chunk.sector > sector) yield* this.#hole((chunk.sector - sector) * sectorBytes, true);
      yield* this.#chunk(chunk);
      sector = chunk.sector + chunk.sectors;
    }
  }

  async *#chunk(chunk: Chunk): AsyncGenerator<Uint8Array, void, undefined> {
    const length = chunk.sectors * sectorBytes;
    if (chunk.kind === "zero" || chunk.kind === "ignore") return yield* this.#hole(length, chunk.kind === "zero");
    let left = length;
    const from = this.#input;
    for await (const piece of this.#data(chunk)) {
      // A chunk that gives more than its sectors would push what follows it to another place.
      if (piece.byteLength > left) throw brokenData("A chunk gives more bytes than its sectors hold.", chunk.offset);
      left -= piece.byteLength;
      this.#crc = crc32(piece, this.#crc);
      yield piece;
    }
    if (left > 0) throw brokenData("A chunk gives fewer bytes than its sectors hold.", chunk.offset);
    this.#input = from + chunk.length;
  }

  async *#hole(length: number, counts: boolean): AsyncGenerator<Uint8Array, void, undefined> {
    for (let left = length; left > 0; left -= zeros.byteLength) {
      const piece = left >= zeros.byteLength ? zeros : zeros.subarray(0, left);
      if (counts) this.#crc = crc32(piece, this.#crc);
      this.#input += piece.byteLength;
      yield piece;
      await turn(this.#signal);
    }
  }

  async *#data({ kind, sectors, offset, length }: Chunk): AsyncGenerator<Uint8Array, void, undefined> {
    if (offset + length > this.#dataFork.size) throw brokenData("The data of a chunk reaches past the end of the image.", offset);
    const stored = sourceSlice(this.#dataFork, offset, length);
    if (kind === "raw") return yield* this.#counted(stored);
    const plainBytes = sectors * sectorBytes;
    if (kind === "zlib" && plainBytes <= smallBytes && length <= smallBytes) {
      const inflated = inflateZlib(stored.read(0, length), plainBytes);
      if (inflated === undefined) throw brokenData("The zlib data of a chunk is damaged.", offset);
      await turn(this.#signal);
      this.#input += length;
      return yield inflated.bytes;
    }
    yield* codecOf(kind).decompress(this.#counted(stored), { signal: this.#signal });
  }

  async *#counted(stored: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of sourceStream(stored)) {
      this.#input += piece.byteLength;
      yield piece;
      await turn(this.#signal);
    }
  }
}

function codecOf(kind: ChunkKind): Codec {
  switch (kind) {
    case "adc":
      return adc;
    case "zlib":
      return zlib;
    case "bzip2":
      return bzip2;
    case "lzfse":
      return lzfse;
    case "lzma":
      return xz;
    default:
      throw brokenData("A chunk is compressed in a way that is not known.");
  }
}
