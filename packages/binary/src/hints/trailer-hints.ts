import type { BinaryImage, FileRange } from "../image.js";
import type { ContainerHint } from "./container-hint.js";
import { zipFromEnd } from "./zip-place.js";

const tailBytes = 64 * 1024;
const pyinstallerCookie = Buffer.from("MEI\u000c\u000b\u000a\u000b\u000e", "latin1");
/** Cookie lengths with and without the name of Python's library. */
const cookieLengths = [88, 24];

/** Formats that are found from the end of a file. */
export function trailerHints(image: BinaryImage): readonly ContainerHint[] {
  const { size } = image.source;
  const start = Math.max(0, size - tailBytes);
  const tail = Buffer.from(image.source.read(start, size - start));
  return [...pyinstaller(tail, start), ...bunTail(tail, start, size), ...zip(image)];
}

function zip({ source }: BinaryImage): readonly ContainerHint[] {
  const file = zipFromEnd(source);
  return file === undefined ? [] : [{ kind: "zip", basis: "zip end record at the end of the file", file }];
}

/** The cookie ends the archive and says how long it is. */
function pyinstaller(tail: Buffer, start: number): readonly ContainerHint[] {
  const at = tail.lastIndexOf(pyinstallerCookie);
  if (at < 0 || at + 24 > tail.byteLength) return [];
  const length = tail.readUInt32BE(at + 8);
  const cookie = start + at;
  const end = cookieLengths.map((bytes) => cookie + bytes).find((candidate) => candidate <= start + tail.byteLength && length >= candidate - cookie && candidate >= length);
  const file = end === undefined ? { offset: cookie, size: start + tail.byteLength - cookie } : { offset: end - length, size: length };
  return [{ kind: "pyinstaller", basis: "archive cookie at the end of the file", file }];
}

export const bunTrailer = Buffer.from("\n---- Bun! ----\n");
/** Bytes of the record in front of the trailer, in the releases that had it. */
const bunRecords = [32, 24, 40, 48];

/** The modules that a Bun program carries end with a record of offsets and a line of text. */
function bunTail(tail: Buffer, start: number, size: number): readonly ContainerHint[] {
  const at = tail.lastIndexOf(bunTrailer);
  // A length of the whole file follows.
  if (at < 0 || size - (start + at) > bunTrailer.byteLength + 16) return [];
  const file = bunModules(tail, at, start) ?? { offset: start + at, size: bunTrailer.byteLength };
  return [{ kind: "bun-single-file", basis: "Bun trailer at the end of the file", file }];
}

/** The record starts with the count of bytes in front of it, which its own offset of the modules must fit into. */
function bunModules(tail: Buffer, trailer: number, start: number): FileRange | undefined {
  for (const bytes of bunRecords) {
    const record = trailer - bytes;
    if (record < 0) continue;
    const count = Number(tail.readBigUInt64LE(record));
    const modules = tail.readUInt32LE(record + 8) + tail.readUInt32LE(record + 12);
    if (count === 0 || modules > count || modules === 0 || count > start + record) continue;
    return { offset: start + record - count, size: count + bytes + bunTrailer.byteLength };
  }
  return undefined;
}
