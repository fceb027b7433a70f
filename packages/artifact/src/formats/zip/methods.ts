import { bzip2 } from "../../codecs/bzip2.js";
import type { Codec } from "../../codecs/codec.js";
import { deflate } from "../../codecs/deflate.js";
import { deflate64 } from "../../codecs/deflate64.js";
import { xz } from "../../codecs/xz.js";
import { zstd } from "../../codecs/zstd.js";
import { zipLzma } from "./zip-lzma.js";

/** Compression methods of APPNOTE 4.4.5 by number; what is not here means nothing. */
const methodNames: { readonly [method: number]: string | undefined } = {
  0: "stored",
  1: "shrink",
  2: "reduce (factor 1)",
  3: "reduce (factor 2)",
  4: "reduce (factor 3)",
  5: "reduce (factor 4)",
  6: "implode",
  8: "deflate",
  9: "deflate64",
  10: "PKWARE DCL implode",
  12: "bzip2",
  14: "LZMA",
  16: "IBM z/OS CMPSC",
  18: "IBM TERSE",
  19: "IBM LZ77",
  20: "zstd (former number)",
  93: "zstd",
  94: "MP3",
  95: "xz",
  96: "JPEG variant",
  97: "WavPack",
  98: "PPMd",
  99: "AES",
};

export const storedMethod = 0;
export const deflateMethod = 8;
export const aesMethod = 99;

/** Codecs by method number. Stored data needs none. */
const codecs: { readonly [method: number]: Codec | undefined } = {
  [deflateMethod]: deflate,
  9: deflate64,
  12: bzip2,
  20: zstd,
  93: zstd,
  95: xz,
};

export function methodName(method: number): string | undefined {
  return methodNames[method];
}

/** What decodes a member's data; `bytes` is its size where that is known. */
export function methodCodec(member: { readonly method: number; readonly bytes: number | null; readonly flags: number }): Codec | undefined {
  return member.method === 14 ? zipLzma(member) : codecs[member.method];
}
