import { decodeBcj2 } from "../../codecs/bcj2.js";
import { decodeBzip2 } from "../../codecs/bzip2.js";
import { deflate } from "../../codecs/deflate.js";
import { deflate64 } from "../../codecs/deflate64.js";
import type { Codec } from "../../codecs/codec.js";
import { decodeLz4 } from "../../codecs/lz4.js";
import { decodeRawLzma } from "../../codecs/lzma.js";
import { decodeLzma2, lzma2DictionaryBytes } from "../../codecs/lzma/lzma2.js";
import { decodePpmd, greatestPpmdOrder, leastPpmdMemory, leastPpmdOrder } from "../../codecs/ppmd.js";
import type { DecoderOptions } from "../../codecs/reader-codec.js";
import {
  arm64Branches,
  armBranches,
  branchFilter,
  ia64Branches,
  powerpcBranches,
  sparcBranches,
  thumbBranches,
  type BranchDecoder,
} from "../../codecs/xz/branch-filter.js";
import { deltaFilter, type PieceFilter } from "../../codecs/xz/piece-filter.js";
import { x86Branches } from "../../codecs/xz/x86-branches.js";
import { decodeZstd } from "../../codecs/zstd.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";

/** What a coder is given to work with. */
export interface CoderSetting {
  readonly inputs: readonly SequentialReader[];
  readonly properties: Buffer;
  readonly plainBytes: number;
  readonly options: DecoderOptions;
  /** Told how many packed bytes a coder used that reads ahead. */
  readonly onUsed: (bytes: number) => void;
}

export interface Method {
  /** Fixed words. */
  readonly name: string;
  /** Packed streams it reads; one unless said. */
  readonly inputs?: number;
  /** Memory its properties ask for; undefined when they are out of range. Few kilobytes unless said. */
  readonly memoryBytes?: (properties: Buffer, plainBytes: number) => number | undefined;
  /** True when it leaves its reader exactly behind its data. */
  readonly exact?: boolean;
  readonly decode: (setting: CoderSetting) => AsyncIterable<Uint8Array>;
}

function first({ inputs }: CoderSetting): SequentialReader {
  const [reader] = inputs;
  if (reader === undefined) throw new Error("A coder was given no packed stream.");
  return reader;
}

const copy: Method = { name: "Copy", decode: (setting) => first(setting).rest() };

const lzma: Method = {
  name: "LZMA",
  exact: true,
  memoryBytes: (properties, plainBytes) => (properties.byteLength === 5 ? Math.min(properties.readUInt32LE(1), plainBytes) : undefined),
  decode: (setting) => {
    const { properties, plainBytes, options } = setting;
    return decodeRawLzma(first(setting), { properties: properties.readUInt8(0), dictionaryBytes: properties.readUInt32LE(1), plainBytes }, options);
  },
};

function lzma2Window(properties: Buffer, plainBytes: number): number | undefined {
  const dictionary = properties.byteLength === 1 ? lzma2DictionaryBytes(properties.readUInt8(0)) : undefined;
  return dictionary === undefined ? undefined : Math.min(dictionary, plainBytes);
}

const lzma2: Method = {
  name: "LZMA2",
  exact: true,
  memoryBytes: lzma2Window,
  decode: (setting) => decodeLzma2(first(setting), lzma2Window(setting.properties, setting.plainBytes) ?? 0, setting.options),
};

function ppmdMemory(properties: Buffer): number | undefined {
  if (properties.byteLength !== 5) return undefined;
  const order = properties.readUInt8(0);
  const memory = properties.readUInt32LE(1);
  return order < leastPpmdOrder || order > greatestPpmdOrder || memory < leastPpmdMemory ? undefined : memory;
}

const ppmd: Method = {
  name: "PPMd",
  exact: true,
  memoryBytes: ppmdMemory,
  decode: (setting) => {
    const { properties, plainBytes, options } = setting;
    return decodePpmd(first(setting), { order: properties.readUInt8(0), memoryBytes: properties.readUInt32LE(1), plainBytes }, options);
  },
};

const bcj2: Method = {
  name: "BCJ2",
  inputs: 4,
  decode: ({ inputs: [main, calls, jumps, choices], plainBytes, options }) => {
    if (main === undefined || calls === undefined || jumps === undefined || choices === undefined) throw new Error("BCJ2 was given too few packed streams.");
    return decodeBcj2({ main, calls, jumps, choices }, plainBytes, options);
  },
};

/** A codec that reads ahead of what it uses. */
function readingAhead(name: string, codec: Codec): Method {
  return { name, decode: (setting) => codec.decompress(first(setting).rest(), { ...setting.options, onEnd: setting.onUsed }) };
}

type FrameDecoder = (reader: SequentialReader, options: DecoderOptions) => AsyncIterable<Uint8Array>;

/** Frames up to the end of the packed stream. */
function frames(name: string, decode: FrameDecoder): Method {
  return {
    name,
    exact: true,
    decode: async function* (setting) {
      const reader = first(setting);
      do yield* decode(reader, setting.options);
      while (!(await reader.atEnd()));
    },
  };
}

async function* filtered(pieces: AsyncIterable<Uint8Array>, filter: PieceFilter): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) {
    const out = filter.push(piece);
    if (out.byteLength > 0) yield out;
  }
  const rest = filter.finish();
  if (rest.byteLength > 0) yield rest;
}

function branches(name: string, decoder: () => BranchDecoder): Method {
  return {
    name,
    memoryBytes: (properties) => (properties.byteLength === 0 || properties.byteLength === 4 ? 0 : undefined),
    decode: (setting) => {
      const start = setting.properties.byteLength === 4 ? setting.properties.readUInt32LE(0) : 0;
      return filtered(first(setting).rest(), branchFilter(decoder(), start));
    },
  };
}

const delta: Method = {
  name: "Delta",
  memoryBytes: (properties) => (properties.byteLength === 1 ? 0 : undefined),
  decode: (setting) => filtered(first(setting).rest(), deltaFilter(setting.properties.readUInt8(0) + 1)),
};

const x86 = branches("BCJ (x86)", x86Branches);
const powerpc = branches("PPC", () => powerpcBranches);
const ia64 = branches("IA64", () => ia64Branches);
const arm = branches("ARM", () => armBranches);
const thumb = branches("ARM Thumb", () => thumbBranches);
const sparc = branches("SPARC", () => sparcBranches);

/** Methods by identifier (7-Zip's list of methods, and that of 7-Zip-zstd). */
const methods: ReadonlyMap<string, Method> = new Map([
  ["00", copy],
  ["03", delta],
  ["04", x86],
  ["05", powerpc],
  ["06", ia64],
  ["07", arm],
  ["08", thumb],
  ["09", sparc],
  ["0a", branches("ARM64", () => arm64Branches)],
  ["21", lzma2],
  ["030101", lzma],
  ["03030103", x86],
  ["0303011b", bcj2],
  ["03030205", powerpc],
  ["03030401", ia64],
  ["03030501", arm],
  ["03030701", thumb],
  ["03030805", sparc],
  ["030401", ppmd],
  ["040108", readingAhead("Deflate", deflate)],
  ["040109", readingAhead("Deflate64", deflate64)],
  ["040202", { name: "BZip2", exact: true, decode: (setting) => decodeBzip2(first(setting), setting.options) }],
  ["04f71101", frames("zstd", decodeZstd)],
  ["04f71104", frames("LZ4", decodeLz4)],
]);

/** Names of methods that are not decoded. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["0b", "RISC-V"],
  ["020302", "Swap2"],
  ["020304", "Swap4"],
  ["04f71102", "Brotli"],
  ["04f71105", "LZ5"],
  ["04f71106", "Lizard"],
  ["06f10701", "AES-256"],
]);

const encryptions: ReadonlySet<string> = new Set(["06f10701"]);

export function methodOf(id: string): Method | undefined {
  return methods.get(id);
}

export function isEncryption(id: string): boolean {
  return encryptions.has(id);
}

/** The name of a method that is not decoded; undefined for an identifier no document gives. */
export function otherMethodName(id: string): string | undefined {
  return otherNames.get(id);
}
