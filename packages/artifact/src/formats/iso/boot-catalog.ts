import type { PieceWindow } from "../../reading/piece-window.js";
import { sectorBytes } from "./volume-descriptors.js";

const entryBytes = 32;
const mostEntries = 64;
const virtualSector = 512;

export interface BootImage {
  readonly start: number;
  readonly length: number;
  /** `BIOS`, `EFI` …; fixed words. */
  readonly platform: string;
}

export interface BootCatalog {
  readonly start: number;
  readonly length: number;
  readonly images: readonly BootImage[];
  /** Whether the validation entry's sum is zero and its key bytes are there. */
  readonly valid: boolean;
}

const platforms: { readonly [platform: number]: string | undefined } = { 0: "BIOS", 1: "PowerPC", 2: "Macintosh", 0xef: "EFI" };

/** Reads an El Torito boot catalog (El Torito 1.0 §2); undefined when it lies outside the image. */
export function readBootCatalog(window: PieceWindow, block: number): BootCatalog | undefined {
  const start = block * sectorBytes;
  if (!window.holds(start, entryBytes * 2)) return undefined;
  const bytes = Buffer.from(window.bytes(start, Math.min(sectorBytes, window.size - start)));
  const images: BootImage[] = [];
  let platform = bytes.readUInt8(1);
  let at = entryBytes;
  for (; at + entryBytes <= bytes.byteLength && at < entryBytes * mostEntries; at += entryBytes) {
    const kind = bytes.readUInt8(at);
    if (kind === 0x90 || kind === 0x91) platform = bytes.readUInt8(at + 1);
    else if (kind === 0x88) images.push(bootImage(bytes, at, platform));
    else if (kind !== 0x44) break;
  }
  return { start, length: at, images, valid: isValid(bytes) };
}

function bootImage(bytes: Buffer, at: number, platform: number): BootImage {
  // A count of 0 or 1 is written for images whose length the count cannot say.
  const sectors = bytes.readUInt16LE(at + 6);
  return { start: bytes.readUInt32LE(at + 8) * sectorBytes, length: Math.max(1, sectors) * virtualSector, platform: platforms[platform] ?? "an unknown system" };
}

function isValid(bytes: Buffer): boolean {
  let sum = 0;
  for (let at = 0; at < entryBytes; at += 2) sum = (sum + bytes.readUInt16LE(at)) & 0xffff;
  return sum === 0 && bytes[0] === 1 && bytes[30] === 0x55 && bytes[31] === 0xaa;
}
