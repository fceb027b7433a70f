import { ByteReader, type ByteSource } from "@rea/core";
import { isFormatError } from "./findings.js";
import type { BuildId } from "./image.js";
import { decodeName } from "./name-text.js";

/** `\xff Go buildinf:`, which the Go linker places 16-byte aligned at the start of a data section. */
const magic = [0xff, 0x20, 0x47, 0x6f, 0x20, 0x62, 0x75, 0x69, 0x6c, 0x64, 0x69, 0x6e, 0x66, 0x3a];
const textBytes = 256 * 1024;
const searchedBytes = 1024 * 1024;

/**
 * Go version and module information at `offset`, when the header stands there (Go package `debug/buildinfo`: inline
 * strings since Go 1.18, before that pointers to string headers, which `fileOffset` translates).
 */
export function goBuildInfoAt(
  source: ByteSource,
  offset: number,
  fileOffset: (va: bigint) => number | undefined,
): readonly BuildId[] {
  try {
    return infoAt(source, offset, fileOffset);
  } catch (error) {
    if (!isFormatError(error)) throw error;
    return [];
  }
}

/** Offset of the header in the first MiB of a range, undefined when it is not there. */
export function findGoBuildInfo(source: ByteSource, offset: number, size: number): number | undefined {
  const start = Math.min(offset, source.size);
  const bytes = source.read(start, Math.max(0, Math.min(size, searchedBytes, source.size - start)));
  for (let at = 0; at + 32 <= bytes.length; at += 16) if (magic.every((byte, index) => bytes[at + index] === byte)) return start + at;
  return undefined;
}

function infoAt(source: ByteSource, offset: number, fileOffset: (va: bigint) => number | undefined): readonly BuildId[] {
  const bytes = new ByteReader(source);
  const flags = bytes.u8(offset + 15);
  const texts = (flags & 2) === 0 ? pointedTexts(source, offset, flags, fileOffset) : inlineTexts(bytes, offset + 32);
  const [version, modules] = texts;
  if (version === undefined) return [];
  const file = { offset, size: 32 };
  const found: BuildId[] = [{ kind: "go-version", value: decodeName(version), detail: undefined, file }];
  const text = modules === undefined ? "" : moduleText(modules);
  for (const line of text.split("\n")) {
    const [key, value, more] = line.split("\t");
    if (key === "path" && value !== undefined) found.push({ kind: "go-path", value, detail: undefined, file });
    if (key === "mod" && value !== undefined) found.push({ kind: "go-module", value, detail: more, file });
  }
  return found;
}

/** The module text stands between two 16-byte markers. */
function moduleText(bytes: Uint8Array): string {
  return bytes.length >= 33 ? decodeName(bytes.subarray(16, bytes.length - 16)) : "";
}

function inlineTexts(reader: ByteReader, start: number): readonly Uint8Array[] {
  const texts: Uint8Array[] = [];
  let at = start;
  for (let index = 0; index < 2; index += 1) {
    let length = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = reader.u8(at);
      at += 1;
      length |= (byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) break;
    }
    texts.push(reader.bytes(at, Math.min(length, textBytes)));
    at += length;
  }
  return texts;
}

function pointedTexts(
  source: ByteSource,
  offset: number,
  flags: number,
  fileOffset: (va: bigint) => number | undefined,
): readonly Uint8Array[] {
  const reader = new ByteReader(source, (flags & 1) === 0 ? "little" : "big");
  const width = reader.u8(offset + 14);
  if (width !== 4 && width !== 8) return [];
  const word = (at: number): bigint => (width === 8 ? reader.u64(at) : BigInt(reader.u32(at)));
  return [offset + 16, offset + 16 + width].flatMap((at) => {
    const header = fileOffset(word(at));
    if (header === undefined) return [];
    const data = fileOffset(word(header));
    const length = Number(word(header + width));
    return data === undefined ? [] : [reader.bytes(data, Math.min(length, textBytes))];
  });
}
