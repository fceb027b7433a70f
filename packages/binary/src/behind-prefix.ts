import { crc32 } from "node:zlib";
import type { ByteSource, SubjectFormat } from "@rea/core";

/** How far into a file an archive is looked for. */
const longestPrefix = 1024 * 1024;

interface Sought {
  readonly format: SubjectFormat;
  readonly mark: Buffer;
  /** Whether the bytes that start with the mark are the archive's first header. */
  readonly fits: (bytes: Buffer) => boolean;
}

const bySuffix: { readonly [suffix: string]: Sought | undefined } = {
  "7z": { format: "7z", mark: Buffer.from("377abcaf271c", "hex"), fits: (bytes) => bytes.byteLength >= 32 && crc32(bytes.subarray(12, 32)) === bytes.readUInt32LE(8) },
  cab: { format: "cab", mark: Buffer.from("4d53434600000000", "hex"), fits: (bytes) => bytes.byteLength >= 36 && bytes.readUInt8(25) === 1 },
};

/** An archive with something in front of it, looked for where the file's name claims one. */
export function formatBehindPrefix(source: ByteSource, suffix: string): SubjectFormat | undefined {
  const sought = bySuffix[suffix];
  if (sought === undefined) return undefined;
  const front = Buffer.from(source.read(0, Math.min(longestPrefix, source.size)));
  for (let at = front.indexOf(sought.mark, 1); at >= 0; at = front.indexOf(sought.mark, at + 1)) {
    if (sought.fits(front.subarray(at))) return sought.format;
  }
  return undefined;
}
