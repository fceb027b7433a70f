import type { ByteSource } from "@rea/core";
import type { PieceWindow } from "../../reading/piece-window.js";
import { inflateWhole } from "../../codecs/deflate.js";
import type { EntryContent, ReaderInput, Unavailable } from "../../format.js";
import { openedSlice } from "../../reading/file-runs.js";
import { sourceStream } from "../../reading/source-stream.js";
import { deflateMethod, methodCodec, methodName, storedMethod } from "./methods.js";

/** A member's data in the container. */
export interface MemberData {
  readonly source: ByteSource;
  /** Has small members' data at hand when they are read as they come. */
  readonly window: PieceWindow;
  readonly dataOffset: number;
  /** Exact, or with `open` all there may be. */
  readonly compressedBytes: number;
  /** The data ends by itself somewhere in `compressedBytes`. */
  readonly open: boolean;
  readonly bytes: number | null;
  readonly method: number;
  readonly flags: number;
}

/** Told when compressed data ends before its declared size, with the bytes used. */
export type ShortData = (usedBytes: number) => void;

/** Opens data that is not encrypted and lies inside the container. */
export function memberContent(data: MemberData, input: ReaderInput, onShort: ShortData): EntryContent | Unavailable {
  const { source, dataOffset, compressedBytes } = data;
  if (data.method === storedMethod) return plainContent(source, dataOffset, compressedBytes);
  if (methodCodec(data) === undefined) return unsupported(data.method);
  const used = { bytes: 0 };
  return {
    stream: () => decoded(data, { input, onShort, used }),
    whole: () => decodedWhole(data, { input, onShort, used }),
    ...(data.method !== deflateMethod || data.open || data.bytes === null ? {} : { deflated: { source, offset: dataOffset, length: compressedBytes, plainBytes: data.bytes } }),
    ...(data.open ? { inputBytes: () => used.bytes } : {}),
  };
}

function plainContent(source: ByteSource, dataOffset: number, length: number): EntryContent {
  return {
    stream: () => sourceStream(source, dataOffset, length),
    random: () => openedSlice(source, dataOffset, length),
  };
}

function unsupported(method: number): Unavailable {
  const name = methodName(method);
  const what = name === undefined ? `Compression method ${String(method)} means nothing.` : `Compression method ${String(method)} (${name}) is not decoded.`;
  return { reason: "unsupported_method", why: what };
}

const smallInput = 256 * 1024;
const smallOutput = 1024 * 1024;

interface Decoding {
  readonly input: ReaderInput;
  readonly onShort: ShortData;
  readonly used: { bytes: number };
}

async function* decoded(data: MemberData, decoding: Decoding): AsyncGenerator<Uint8Array, void, undefined> {
  const whole = decodedWhole(data, decoding);
  if (whole === undefined) yield* streamed(data, decoding);
  else if (whole.byteLength > 0) yield whole;
}

function decodedWhole(data: MemberData, decoding: Decoding): Uint8Array | undefined {
  const whole = wholeSmall(data);
  if (whole === undefined) return undefined;
  decoding.used.bytes = whole.used;
  if (whole.used < data.compressedBytes && !data.open) decoding.onShort(whole.used);
  return whole.bytes;
}

/** Members of a usual size are inflated at once: setting up a stream would cost more than the work. */
function wholeSmall(data: MemberData): ReturnType<typeof inflateWhole> {
  if (data.method !== deflateMethod || data.compressedBytes > smallInput) return undefined;
  if (data.bytes === null || data.bytes > smallOutput) return undefined;
  const compressed = data.window.atHand(data.dataOffset, data.compressedBytes) ?? data.source.read(data.dataOffset, data.compressedBytes);
  return inflateWhole(compressed, smallOutput, data.bytes);
}

async function* streamed(data: MemberData, { input, onShort, used }: Decoding): AsyncGenerator<Uint8Array, void, undefined> {
  const codec = methodCodec(data);
  if (codec === undefined) return;
  const compressed = counted(sourceStream(data.source, data.dataOffset, data.compressedBytes), used);
  yield* codec.decompress(compressed, {
    signal: input.signal,
    onEnd: (usedBytes) => {
      if (usedBytes < data.compressedBytes && !data.open) onShort(usedBytes);
    },
  });
}

async function* counted(pieces: AsyncIterable<Uint8Array>, used: { bytes: number }): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) {
    used.bytes += piece.byteLength;
    yield piece;
  }
}
