import { bufferOf, size64, type PieceWindow } from "../../reading/piece-window.js";
import { signatures } from "./signatures.js";

/** Bytes of a container, half-open. */
export interface PartRange {
  readonly start: number;
  readonly end: number;
}

const signingMagic = Buffer.from("APK Sig Block 42", "latin1");
const footerBytes = 24;

/**
 * The APK signing block directly before the central directory (APK Signature Scheme v2): its size, pairs of id and value,
 * the size again, and a magic text. Undefined when there is none or its two sizes contradict each other.
 */
export function apkSigningBlock(window: PieceWindow, directoryStart: number): PartRange | undefined {
  const footerAt = directoryStart - footerBytes;
  if (!window.holds(footerAt, footerBytes)) return undefined;
  const footer = window.bytes(footerAt, footerBytes);
  if (!footer.subarray(8).equals(signingMagic)) return undefined;
  const size = size64(footer, 0);
  const start = directoryStart - size - 8;
  if (size < footerBytes || !window.holds(start, 8) || size64(window.bytes(start, 8), 0) !== size) return undefined;
  return { start, end: directoryStart };
}

/** The header of a Chrome extension: version 2 with key and signature, version 3 with one block (crx3.proto). */
export function crxHeader(window: PieceWindow): PartRange | undefined {
  if (!window.holds(0, 16)) return undefined;
  const head = window.bytes(0, 16);
  if (head.toString("latin1", 0, 4) !== "Cr24") return undefined;
  const version = head.readUInt32LE(4);
  const lengths = head.readUInt32LE(8);
  const end = version === 2 ? 16 + lengths + head.readUInt32LE(12) : version === 3 ? 12 + lengths : undefined;
  return end !== undefined && window.holds(0, end) ? { start: 0, end } : undefined;
}

const singlePart = 0x30304b50;

/** The marker at the start of an archive that was, or could have been, split (APPNOTE 8.5.4). */
export function splitMarker(window: PieceWindow): PartRange | undefined {
  const head = window.u32(0);
  const follows = window.u32(4);
  return (head === signatures.descriptor || head === singlePart) && follows === signatures.local ? { start: 0, end: 4 } : undefined;
}

const digitalSignature = 0x05054b50;

/** The directory's digital signature behind its records (APPNOTE 4.3.13). */
export function directorySignature(window: PieceWindow, at: number, limit: number): PartRange | undefined {
  if (at + 6 > limit || window.u32(at) !== digitalSignature) return undefined;
  const end = at + 6 + bufferOf(window.bytes(at + 4, 2)).readUInt16LE(0);
  return end <= limit ? { start: at, end } : undefined;
}
