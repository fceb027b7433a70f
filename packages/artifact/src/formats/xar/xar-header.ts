import type { ByteSource } from "@rea/core";
import type { DigestAlgorithm } from "../../format.js";
import { bufferOf } from "../../reading/piece-window.js";

/** The fixed part in front of the table of contents. */
export interface XarHeader {
  readonly headerBytes: number;
  readonly tocBytes: number;
  /** What the table of contents has uncompressed, as declared. */
  readonly tocPlainBytes: number;
  /** Offsets of the table of contents count from here. */
  readonly heapOffset: number;
  /** Algorithm of the checksum over the compressed table; undefined for none or one that is not known. */
  readonly algorithm: DigestAlgorithm | undefined;
  readonly version: number;
}

const fixedBytes = 28;
const algorithms: readonly (DigestAlgorithm | undefined)[] = [undefined, "sha1", "md5", "sha256", "sha512"];

/** Reads the header; undefined when it is cut short or its table lies outside the file. */
export function xarHeader(source: ByteSource): XarHeader | undefined {
  if (source.size < fixedBytes) return undefined;
  const bytes = bufferOf(source.read(0, fixedBytes));
  const headerBytes = bytes.readUInt16BE(4);
  const tocBytes = Number(bytes.readBigUInt64BE(8));
  if (headerBytes < fixedBytes || headerBytes + tocBytes > source.size) return undefined;
  return {
    headerBytes,
    tocBytes,
    tocPlainBytes: Number(bytes.readBigUInt64BE(16)),
    heapOffset: headerBytes + tocBytes,
    algorithm: headerAlgorithm(source, headerBytes, bytes.readUInt32BE(24)),
    version: bytes.readUInt16BE(6),
  };
}

/** Number 3 stands for SHA-256, or in headers with room for it for the name written there. */
function headerAlgorithm(source: ByteSource, headerBytes: number, number: number): DigestAlgorithm | undefined {
  if (number !== 3 || headerBytes === fixedBytes) return algorithms[number];
  const name = bufferOf(source.read(fixedBytes, headerBytes - fixedBytes)).toString("latin1").replace(/\0.*$/s, "");
  return digestAlgorithm(name) ?? algorithms[number];
}

/** An algorithm by the name a table of contents gives it. */
export function digestAlgorithm(style: string): DigestAlgorithm | undefined {
  const name = style.toLowerCase().replace("-", "");
  return name === "md5" || name === "sha1" || name === "sha256" || name === "sha384" || name === "sha512" ? name : undefined;
}
