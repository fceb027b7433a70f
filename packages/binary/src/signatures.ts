import type { ByteSource, SubjectFormat } from "@rea/core";

interface Signature {
  readonly format: SubjectFormat;
  readonly offset: number;
  /** Bytes as hexadecimal text; `.` stands for any digit. */
  readonly bytes: string;
}

/** Signatures by the documents of each format; the first that fits wins. */
const signatures: readonly Signature[] = [
  { format: "elf", offset: 0, bytes: "7f454c46" },
  { format: "mach-o", offset: 0, bytes: "feedface" },
  { format: "mach-o", offset: 0, bytes: "feedfacf" },
  { format: "mach-o", offset: 0, bytes: "cefaedfe" },
  { format: "mach-o", offset: 0, bytes: "cffaedfe" },
  { format: "zip", offset: 0, bytes: "504b0304" },
  { format: "zip", offset: 0, bytes: "504b0506" },
  { format: "zip", offset: 0, bytes: "504b0708" },
  // A Chrome extension: an archive behind a header of its own.
  { format: "zip", offset: 0, bytes: "43723234" },
  { format: "pkg", offset: 0, bytes: "78617221" },
  { format: "pbzx", offset: 0, bytes: "70627a78" },
  { format: "gzip", offset: 0, bytes: "1f8b08" },
  { format: "bzip2", offset: 0, bytes: "425a683.314159265359" },
  { format: "bzip2", offset: 0, bytes: "425a683.177245385090" },
  { format: "xz", offset: 0, bytes: "fd377a585a00" },
  { format: "zstd", offset: 0, bytes: "28b52ffd" },
  { format: "zstd", offset: 0, bytes: "5.2a4d18" },
  { format: "lz4", offset: 0, bytes: "04224d18" },
  { format: "lz4", offset: 0, bytes: "02214c18" },
  { format: "7z", offset: 0, bytes: "377abcaf271c" },
  { format: "deb", offset: 0, bytes: "213c617263683e0a64656269616e2d62696e617279" },
  { format: "ar", offset: 0, bytes: "213c617263683e0a" },
  { format: "ar", offset: 0, bytes: "213c7468696e3e0a" },
  { format: "cpio", offset: 0, bytes: "303730373031" },
  { format: "cpio", offset: 0, bytes: "303730373032" },
  { format: "cpio", offset: 0, bytes: "303730373037" },
  { format: "rpm", offset: 0, bytes: "edabeedb" },
  { format: "cab", offset: 0, bytes: "4d53434600000000" },
  { format: "squashfs", offset: 0, bytes: "68737173" },
  { format: "squashfs", offset: 0, bytes: "73717368" },
  { format: "ole", offset: 0, bytes: "d0cf11e0a1b11ae1" },
  { format: "wasm", offset: 0, bytes: "0061736d" },
  { format: "dex", offset: 0, bytes: "6465780a......00" },
  { format: "plist", offset: 0, bytes: "62706c6973743030" },
  { format: "tar", offset: 257, bytes: "7573746172" },
  { format: "iso9660", offset: 32769, bytes: "4344303031" },
];

interface Pattern {
  readonly format: SubjectFormat;
  readonly offset: number;
  readonly values: readonly number[];
  /** Bits of each byte that count. */
  readonly masks: readonly number[];
}

const patterns = signatures.map(patternOf);
/** For each first byte the patterns it does not rule out, in their order. */
const byFirst = Array.from({ length: 256 }, (_, first) => patterns.filter((pattern) => pattern.offset > 0 || matches(pattern, 0, first)));

/** The format whose signature stands at the start of the data. */
export function signatureFormat(source: ByteSource): SubjectFormat | undefined {
  const head = source.read(0, Math.min(source.size, 64));
  const first = head[0];
  return first === undefined ? undefined : byFirst[first]?.find((pattern) => fits(source, head, pattern))?.format;
}

function patternOf({ format, offset, bytes }: Signature): Pattern {
  const digits = bytes.match(/../gu) ?? [];
  return {
    format,
    offset,
    values: digits.map((two) => Number.parseInt(two.replaceAll(".", "0"), 16)),
    masks: digits.map((two) => Number.parseInt(two.replaceAll(/[^.]/gu, "f").replaceAll(".", "0"), 16)),
  };
}

function fits(source: ByteSource, head: Uint8Array, pattern: Pattern): boolean {
  const { offset, values } = pattern;
  if (offset + values.length > source.size) return false;
  const bytes = offset === 0 ? head : source.read(offset, values.length);
  return values.every((_, at) => matches(pattern, at, bytes[at] ?? 0));
}

function matches({ values, masks }: Pattern, at: number, byte: number): boolean {
  return (byte & (masks[at] ?? 0)) === values[at];
}
