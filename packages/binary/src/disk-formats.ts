import { ByteReader, type ByteSource, type SubjectFormat } from "@rea/core";

const sectorBytes = 512;

/**
 * An Apple disk image (UDIF): `koly`, with its own size of 512 bytes, in the last 512 bytes or, in images written to a
 * stream, the first; or one of the two encrypted forms, which say so at the start (`encrcdsa`) or the end (`cdsaencr`).
 */
export function isDmg(source: ByteSource): boolean {
  if (source.size < sectorBytes) return false;
  return isTrailer(source, source.size - sectorBytes) || isTrailer(source, 0) || isEncryptedDmg(source);
}

function isTrailer(source: ByteSource, at: number): boolean {
  return saysAt(source, at, "koly") && new ByteReader(source, "big").u32(at + 8) === sectorBytes;
}

/** Compares bytes without making anything of them: this is asked of every file. */
function saysAt(source: ByteSource, at: number, text: string): boolean {
  const bytes = source.read(at, text.length);
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** True for images whose content is encrypted as a whole. */
function isEncryptedDmg(source: ByteSource): boolean {
  if (source.size < 8) return false;
  return saysAt(source, 0, "encrcdsa") || saysAt(source, source.size - 8, "cdsaencr");
}

/** A volume or a partitioned disk without any wrapping; undefined for everything else. */
export function diskFormat(source: ByteSource): SubjectFormat | undefined {
  return volumeFormat(source) ?? (isPartitioned(source) ? "disk-image" : undefined);
}

/** File systems of Apple: HFS and HFS+ by the header in the third sector, APFS by that of its first block. */
function volumeFormat(source: ByteSource): SubjectFormat | undefined {
  if (source.size < 2048) return undefined;
  if (saysAt(source, 32, "NXSB")) return "apfs";
  const [mark] = source.read(1024, 1);
  if (mark !== 0x48 && mark !== 0x42) return undefined;
  const reader = new ByteReader(source, "big");
  const signature = reader.u16(1024);
  const version = reader.u16(1026);
  if ((signature === 0x482b && version === 4) || (signature === 0x4858 && version === 5)) return "hfsplus";
  if (signature !== 0x4244) return undefined;
  // An HFS volume may be no more than the wrapping of an HFS+ one (TN1150, "HFS Wrapper").
  if (reader.u16(1024 + 0x7c) === 0x482b) return "hfsplus";
  const blockBytes = reader.u32(1024 + 0x14);
  return blockBytes > 0 && blockBytes % sectorBytes === 0 ? "hfs" : undefined;
}

/** A partition map: GUID, Apple or that of the PC. */
function isPartitioned(source: ByteSource): boolean {
  if (source.size < 2 * sectorBytes) return false;
  return mapPlaces.some((at) => at + 8 <= source.size && isMap(source, at)) || isBootRecord(source);
}

const mapPlaces = [512, 2048, 4096];

function isMap(source: ByteSource, at: number): boolean {
  return saysAt(source, at, "EFI PART") || (saysAt(source, at, "PM") && saysAt(source, 0, "ER"));
}

/** Four partition entries of which each is empty or plausible, one at least not empty; boot sectors of volumes have none such. */
function isBootRecord(source: ByteSource): boolean {
  if (!saysAt(source, 510, "U\u00aa")) return false;
  const little = new ByteReader(source);
  const totalSectors = Math.floor(source.size / sectorBytes);
  let used = 0;
  for (let at = 446; at < 510; at += 16) {
    const active = little.u8(at);
    const type = little.u8(at + 4);
    const start = little.u32(at + 8);
    const sectors = little.u32(at + 12);
    if (active !== 0 && active !== 0x80) return false;
    if (type === 0) continue;
    if (start === 0 || sectors === 0 || start >= totalSectors) return false;
    used += 1;
  }
  return used > 0;
}
