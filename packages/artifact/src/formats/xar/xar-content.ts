import { createHash } from "node:crypto";
import { sourceSlice, type ByteSource } from "@rea/core";
import { bzip2 } from "../../codecs/bzip2.js";
import type { Codec } from "../../codecs/codec.js";
import { gzip } from "../../codecs/gzip.js";
import { lzma } from "../../codecs/lzma.js";
import { startsXzStream, xz } from "../../codecs/xz.js";
import { inflateZlib, zlib } from "../../codecs/zlib.js";
import type { DeclaredCheck, EntryContent, ReaderInput, Unavailable } from "../../format.js";
import { sourceStream } from "../../reading/source-stream.js";
import { digestAlgorithm } from "./xar-header.js";
import type { XarChecksum } from "./xar-toc.js";

/** Bytes of the heap with what is said of them. */
export interface HeapData {
  readonly source: ByteSource;
  readonly start: number;
  readonly length: number;
  /** Of the content, as declared. */
  readonly size: number | undefined;
  readonly encoding: string | undefined;
  readonly archived: XarChecksum | undefined;
  readonly extracted: XarChecksum | undefined;
}

export interface OpenedData {
  readonly content: EntryContent | Unavailable;
  readonly checks: readonly DeclaredCheck[];
  readonly limitations: readonly string[];
}

const tocName = "the table of contents";

/** Opens data that lies inside the file. `onShort` hears when its compressed form ends before its length does. */
export function openHeapData(data: HeapData, input: ReaderInput, onShort: (usedBytes: number) => void): OpenedData {
  const { codec, isKnown } = codecOf(data);
  if (!isKnown) return { content: { reason: "unsupported_method", why: "The encoding of the data is none that is known." }, checks: [], limitations: [] };
  const extracted = declared(data.extracted);
  const archived = declared(data.archived);
  const limitations = [extracted, archived].includes("unknown") ? ["A checksum of this member is of a kind that is not known and was not compared."] : [];
  const checks: DeclaredCheck[] = data.size === undefined ? [] : [{ kind: "size", bytes: data.size }];
  if (typeof extracted === "object") checks.push({ kind: "digest", ...extracted, declaredBy: tocName });
  if (codec === undefined) {
    if (typeof archived === "object") checks.push({ kind: "digest", ...archived, declaredBy: tocName });
    return { content: plainContent(data), checks, limitations };
  }
  const measured = typeof archived === "object" ? new Measured(archived.algorithm) : undefined;
  if (typeof archived === "object") {
    checks.push({ kind: "measured", measure: archived.algorithm, hex: archived.hex, declaredBy: tocName, observed: () => measured?.digest() ?? "" });
  }
  const decoding = { codec, measured, input, onShort };
  const isSmall = codec === zlib && data.length <= smallInput && data.size !== undefined && data.size <= smallOutput;
  const stream = { stream: () => decoded(data, decoding) };
  return { content: isSmall ? { ...stream, whole: () => decodedWhole(data, decoding) } : stream, checks, limitations };
}

const smallInput = 256 * 1024;
const smallOutput = 1024 * 1024;

/** Members of a usual size are inflated at once: setting up a stream would cost more than the work. */
function decodedWhole({ source, start, length }: HeapData, { measured, onShort }: Decoding): Uint8Array | undefined {
  const inflated = inflateZlib(source.read(start, length), smallOutput);
  if (inflated === undefined) return undefined;
  measured?.rest(source, start, length);
  if (inflated.used < length) onShort(inflated.used);
  return inflated.bytes;
}

function codecOf({ encoding, source, start, length }: HeapData): { readonly codec: Codec | undefined; readonly isKnown: boolean } {
  const head = source.read(start, Math.min(length, 6));
  switch (encoding) {
    case undefined:
    case "":
    case "application/octet-stream":
      return { codec: undefined, isKnown: true };
    case "application/x-gzip":
      // The name notwithstanding it is zlib data; other writers may take it at its word.
      return { codec: head[0] === 0x1f && head[1] === 0x8b ? gzip : zlib, isKnown: true };
    case "application/zlib":
      return { codec: zlib, isKnown: true };
    case "application/x-bzip2":
      return { codec: bzip2, isKnown: true };
    case "application/x-lzma":
    case "application/x-xz":
      return { codec: startsXzStream(head) ? xz : lzma, isKnown: true };
    default:
      return { codec: undefined, isKnown: false };
  }
}

type Declared = { readonly algorithm: NonNullable<ReturnType<typeof digestAlgorithm>>; readonly hex: string };

function declared(checksum: XarChecksum | undefined): Declared | "unknown" | undefined {
  if (checksum === undefined || checksum.style.toLowerCase() === "none") return undefined;
  const algorithm = digestAlgorithm(checksum.style);
  return algorithm === undefined || !/^[0-9a-f]{32,128}$/i.test(checksum.text) ? "unknown" : { algorithm, hex: checksum.text.toLowerCase() };
}

function plainContent({ source, start, length }: HeapData): EntryContent {
  return {
    stream: () => sourceStream(source, start, length),
    random: () => ({ ...sourceSlice(source, start, length), close: () => undefined }),
  };
}

interface Decoding {
  readonly codec: Codec;
  readonly measured: Measured | undefined;
  readonly input: ReaderInput;
  readonly onShort: (usedBytes: number) => void;
}

async function* decoded({ source, start, length }: HeapData, { codec, measured, input, onShort }: Decoding): AsyncGenerator<Uint8Array, void, undefined> {
  const stored = sourceStream(source, start, length);
  const compressed = measured?.through(stored) ?? stored;
  yield* codec.decompress(compressed, {
    signal: input.signal,
    onEnd: (usedBytes) => {
      measured?.rest(source, start, length);
      if (usedBytes < length) onShort(usedBytes);
    },
  });
}

/** Digest of compressed bytes, taken while they are decoded. */
class Measured {
  readonly #hash;
  #seen = 0;
  #digest: string | undefined;

  constructor(algorithm: Declared["algorithm"]) {
    this.#hash = createHash(algorithm);
  }

  async *through(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of pieces) {
      this.#hash.update(piece);
      this.#seen += piece.byteLength;
      yield piece;
    }
  }

  /** What the decoder did not ask for. */
  rest(source: ByteSource, start: number, length: number): void {
    for (; this.#seen < length; ) {
      const piece = source.read(start + this.#seen, Math.min(length - this.#seen, 1 << 20));
      this.#hash.update(piece);
      this.#seen += piece.byteLength;
    }
  }

  digest(): string {
    this.#digest ??= this.#hash.digest("hex");
    return this.#digest;
  }
}
