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

/** The format whose signature stands at the start of the data. */
export function signatureFormat(source: ByteSource): SubjectFormat | undefined {
  const head = Buffer.from(source.read(0, Math.min(source.size, 64))).toString("hex");
  return signatures.find((signature) => fits(source, head, signature))?.format;
}

function fits(source: ByteSource, head: string, signature: Signature): boolean {
  const length = signature.bytes.length / 2;
  if (signature.offset + length > source.size) return false;
  const text = signature.offset === 0 ? head : Buffer.from(source.read(signature.offset, length)).toString("hex");
  for (let at = 0; at < signature.bytes.length; at += 1) {
    const wanted = signature.bytes[at];
    if (wanted !== "." && wanted !== text[at]) return false;
  }
  return true;
}
