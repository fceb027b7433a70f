import type { FileRange, SignatureLocation } from "../image.js";
import type { PeFile } from "./pe-file.js";

const recordSize = 18;

/** File range of the attribute certificate table; its directory holds a file offset, not an RVA. */
export function authenticode(file: PeFile): SignatureLocation | undefined {
  const directory = file.directory("certificates");
  if (directory === undefined || directory.size === 0) return undefined;
  const size = Math.min(directory.size, Math.max(0, file.reader.size - directory.rva));
  return size === 0 ? undefined : { kind: "authenticode", file: { offset: directory.rva, size } };
}

/**
 * Bytes that no header accounts for: after the last section or the COFF symbols, up to the certificate table where one
 * follows, else to the end. Fewer than 8 zero bytes before the certificates are its alignment.
 */
export function readOverlay(file: PeFile): FileRange | undefined {
  const end = file.reader.size;
  const mapped = Math.min(end, mappedEnd(file));
  const signature = authenticode(file)?.file;
  if (signature === undefined || signature.offset < mapped) {
    const start = Math.max(mapped, signature === undefined ? 0 : signature.offset + signature.size);
    return rangeBetween(start, end);
  }
  const padding = signature.offset - mapped < 8 && isZero(file, mapped, signature.offset);
  const before = padding ? undefined : rangeBetween(mapped, signature.offset);
  return before ?? rangeBetween(signature.offset + signature.size, end);
}

function rangeBetween(start: number, end: number): FileRange | undefined {
  return start < end ? { offset: start, size: end - start } : undefined;
}

function isZero(file: PeFile, start: number, end: number): boolean {
  return file.reader.bytes(start, end - start).every((byte) => byte === 0);
}

function mappedEnd(file: PeFile): number {
  const { headers, coffNames } = file;
  const symbols = headers.symbolTableOffset === 0 ? 0 : headers.symbolTableOffset + headers.symbolCount * recordSize;
  const strings = coffNames.stringTableOffset === undefined ? 0 : coffNames.stringTableOffset + coffNames.stringTableSize;
  return file.sections.reduce(
    (end, section) => Math.max(end, section.stored ? section.fileOffset + section.rawSize : 0),
    Math.max(headers.sizeOfHeaders, symbols, strings),
  );
}
