import { createHash } from "node:crypto";
import type { ByteSource } from "@rea/core";
import { bufferOf } from "../../reading/piece-window.js";
import type { Finding } from "../../reading/finding-report.js";

/** Where the parts of an ASAR archive lie, in bytes from its start. */
export interface AsarHeader {
  readonly jsonOffset: number;
  /** Of the header's JSON as far as it is in the container. */
  readonly jsonBytes: number;
  /** Offsets of files count from here. */
  readonly dataOffset: number;
  /** The header reaches past the end of the container. */
  readonly isCut: boolean;
  readonly findings: readonly Finding[];
}

/** Two pickles: one of a 32-bit number (the size of the next), one of a string (the JSON). */
const fixedBytes = 16;
const sizePickleBytes = 8;
const fieldBytes = 4;

/** Reads the sizes in front of the header; undefined when not even they are there. */
export function asarHeader(source: ByteSource): AsarHeader | undefined {
  if (source.size < fixedBytes) return undefined;
  const fields = bufferOf(source.read(0, fixedBytes));
  const headerBytes = fields.readUInt32LE(4);
  const payloadBytes = fields.readUInt32LE(8);
  const declaredJson = fields.readUInt32LE(12);
  const dataOffset = sizePickleBytes + headerBytes;
  const jsonEnd = Math.min(fixedBytes + declaredJson, Math.max(dataOffset, fixedBytes), source.size);
  return {
    jsonOffset: fixedBytes,
    jsonBytes: jsonEnd - fixedBytes,
    dataOffset,
    isCut: dataOffset > source.size,
    findings: [
      ...sizeFindings({ first: fields.readUInt32LE(0), headerBytes, payloadBytes, jsonBytes: declaredJson }),
      ...paddingFindings(source, jsonEnd, Math.min(dataOffset, source.size)),
    ],
  };
}

interface HeaderSizes {
  readonly first: number;
  readonly headerBytes: number;
  readonly payloadBytes: number;
  readonly jsonBytes: number;
}

function sizeFindings({ first, headerBytes, payloadBytes, jsonBytes }: HeaderSizes): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (offset: number, detail: string): void => {
    findings.push({ anomaly: "header_size_mismatch", offset, detail, effect: "Readers that use the one size and readers that use the other find different headers or contents." });
  };
  if (first !== fieldBytes) add(0, `The first pickle says that its payload has ${String(first)} bytes; it has 4.`);
  if (payloadBytes + fieldBytes !== headerBytes) {
    add(4, `The header has ${String(headerBytes)} bytes by its size field, ${String(payloadBytes + fieldBytes)} by the pickle in it.`);
  }
  const needed = fieldBytes + Math.ceil(jsonBytes / 4) * 4;
  if (needed !== payloadBytes) {
    add(8, `The header's pickle has a payload of ${String(payloadBytes)} bytes; its string of ${String(jsonBytes)} bytes needs ${String(needed)}.`);
  }
  return findings;
}

const shownPadding = 65_536;

/** Pickles fill up to four bytes with zeros; anything else there is hidden from readers. */
function paddingFindings(source: ByteSource, start: number, end: number): readonly Finding[] {
  if (end <= start) return [];
  const filling = source.read(start, Math.min(end - start, shownPadding));
  if (end - start < 4 && filling.every((byte) => byte === 0)) return [];
  const detail = `${String(end - start)} bytes stand between the header's JSON and the end of the header.`;
  return [{ anomaly: "gap", offset: start, detail, effect: "No reader of the archive shows these bytes." }];
}

const pieceBytes = 1024 * 1024;

/**
 * SHA-256 of the header's JSON, which Electron compares with the hash in `ElectronAsarIntegrity` (Info.plist, or the
 * resource of that name in a PE file). Undefined when the header is cut short.
 */
export function asarHeaderSha256(source: ByteSource): string | undefined {
  const header = asarHeader(source);
  if (header === undefined || header.isCut) return undefined;
  const hash = createHash("sha256");
  const end = header.jsonOffset + header.jsonBytes;
  for (let at = header.jsonOffset; at < end; at += pieceBytes) hash.update(source.read(at, Math.min(pieceBytes, end - at)));
  return hash.digest("hex");
}
