import { checkRange, type ByteSource } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import type { Codec } from "../../codecs/codec.js";
import { lzfse, lzvn } from "../../codecs/lzfse.js";
import { turn } from "../../codecs/turn.js";
import { inflateZlib } from "../../codecs/zlib.js";
import type { EntryContent, Unavailable } from "../../format.js";
import { bufferOf } from "../../reading/piece-window.js";
import { blockRanges, type BlockLayout, type BlockRange } from "./block-ranges.js";

/** The attribute by which a file says that its content is compressed. */
export const decmpfsName = "com.apple.decmpfs";
const decmpfsHeaderBytes = 16;

/** A file's compressed content, as its attribute describes it. */
export interface Decmpfs {
  readonly type: number;
  /** Of the content that comes out. */
  readonly size: number;
  /** Compressed data in the attribute itself. */
  readonly inline: Uint8Array;
}

type Method = "stored" | "zlib" | "lzvn" | "lzfse";

const methods: ReadonlyMap<number, { readonly method: Method; readonly layout: BlockLayout | "inline" }> = new Map([
  [1, { method: "stored", layout: "inline" }],
  [3, { method: "zlib", layout: "inline" }],
  [4, { method: "zlib", layout: "resources" }],
  [7, { method: "lzvn", layout: "inline" }],
  [8, { method: "lzvn", layout: "offsets" }],
  [11, { method: "lzfse", layout: "inline" }],
  [12, { method: "lzfse", layout: "offsets" }],
] as const);

/** Plain bytes of each block but the last. */
const blockBytes = 65_536;
/** What compressed data in an attribute may give: attributes are small. */
const inlineBytes = 1 << 24;

/** Reads the attribute; undefined when it is not what it says. */
export function decmpfsOf(attribute: Uint8Array): Decmpfs | undefined {
  const bytes = bufferOf(attribute);
  if (bytes.byteLength < decmpfsHeaderBytes || bytes.toString("latin1", 0, 4) !== "fpmc") return undefined;
  const size = bytes.readBigUInt64LE(8);
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return { type: bytes.readUInt32LE(4), size: Number(size), inline: bytes.subarray(decmpfsHeaderBytes) };
}

/** True for kinds whose data stands in the file's resource fork. */
export function usesResourceFork({ type }: Decmpfs): boolean {
  const layout = methods.get(type)?.layout;
  return layout === "resources" || layout === "offsets";
}

/** The content that comes out; `fork` is the file's resource fork, where it has one. */
export function decmpfsContent(file: Decmpfs, fork: ByteSource | undefined, signal: AbortSignal): EntryContent | Unavailable {
  const known = methods.get(file.type);
  if (known === undefined) return { reason: "unsupported_method", why: `The file is compressed in a way (type ${String(file.type)}) that is not decoded.` };
  const { method, layout } = known;
  if (layout === "inline") return { stream: () => inlineContent(file, method, signal), inputBytes: () => file.inline.byteLength };
  if (fork === undefined) return { reason: "malformed", why: "The file's compressed data should stand in its resource fork, and it has none." };
  return { stream: () => forkContent(fork, { ...file, method, layout, signal }), inputBytes: () => fork.size };
}

async function* inlineContent({ inline, size }: Decmpfs, method: Method, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  if (size === 0 && inline.byteLength === 0) return;
  yield* block(inline, { method, maximum: Math.min(size, inlineBytes), signal });
}

interface ForkReading extends Decmpfs {
  readonly method: Method;
  readonly layout: BlockLayout;
  readonly signal: AbortSignal;
}

async function* forkContent(fork: ByteSource, { size, method, layout, signal }: ForkReading): AsyncGenerator<Uint8Array, void, undefined> {
  let left = size;
  for (const range of blockRanges(fork, layout, Math.ceil(size / blockBytes))) {
    const maximum = Math.min(blockBytes, left);
    const bytes = storedBytes(fork, range);
    let given = 0;
    for await (const piece of block(bytes, { method, maximum, signal })) {
      given += piece.byteLength;
      yield piece;
    }
    if (given !== maximum) throw brokenData("A block of a compressed file has not the size it should have.", range.offset);
    left -= given;
    await turn(signal);
  }
  if (left > 0) throw brokenData("The blocks of a compressed file are fewer than its size needs.");
}

/** Blocks that do not get smaller are stored, with one byte in front. */
const longestBlock = 2 * blockBytes;

function storedBytes(fork: ByteSource, { offset, length }: BlockRange): Uint8Array {
  checkRange(offset, length, fork.size);
  if (length > longestBlock) throw brokenData("A block of a compressed file is larger than any can be.", offset);
  return fork.read(offset, length);
}

interface BlockReading {
  readonly method: Method;
  readonly maximum: number;
  readonly signal: AbortSignal;
}

async function* block(bytes: Uint8Array, { method, maximum, signal }: BlockReading): AsyncGenerator<Uint8Array, void, undefined> {
  if (method === "stored" || isStored(bytes, method)) return yield bytes.subarray(method === "stored" ? 0 : 1);
  if (method === "zlib") {
    const inflated = inflateZlib(bytes, maximum);
    if (inflated === undefined) throw brokenData("The zlib data of a compressed file is damaged.");
    return yield inflated.bytes;
  }
  yield* bounded(method === "lzvn" ? lzvn : lzfse, bytes, { maximum, signal });
}

/** LZVN data starts with its end marker only when nothing follows; zlib and LZFSE data never starts with 15 in the low bits. */
function isStored([first = 0]: Uint8Array, method: Method): boolean {
  return method === "lzvn" ? first === 0x06 : (first & 0x0f) === 0x0f;
}

async function* bounded(codec: Codec, bytes: Uint8Array, { maximum, signal }: Omit<BlockReading, "method">): AsyncGenerator<Uint8Array, void, undefined> {
  let given = 0;
  for await (const piece of codec.decompress(once(bytes), { signal })) {
    given += piece.byteLength;
    if (given > maximum) throw brokenData("A compressed file gives more bytes than it should have.");
    yield piece;
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(bytes);
}
