import type { BomBlock } from "./bom-store.js";
import { compressionName, layoutName } from "./catalog-words.js";
import { tagOf, textAt } from "./catalog-header.js";

/** Where a rendition's pixels are when they are part of another one. */
export interface PackedPlace {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** One stored variant of an asset: what its structured image header says, and its data as stored. */
export interface StoredRendition {
  /** From the start of the catalog. */
  readonly offset: number;
  readonly storedBytes: number;
  readonly fileName: string;
  readonly layout: string;
  readonly width: number;
  readonly height: number;
  /** Percent; 0 where it does not apply. */
  readonly scalePercent: number;
  /** Four characters such as `ARGB`; null where it has none. */
  readonly pixelFormat: string | null;
  readonly colorSpaceId: number;
  readonly vector: boolean;
  readonly opaque: boolean;
  readonly tintable: boolean;
  readonly modified: number;
  /** Compression of pixels, `raw` for a file put in as it is, `color`, `none`, or the tag of another kind of data. */
  readonly encoding: string;
  /** Data behind all headers, still encoded. */
  readonly data: Uint8Array;
  readonly uti: string | null;
  readonly packed: PackedPlace | null;
  readonly color: { readonly colorSpaceId: number; readonly components: readonly number[] } | null;
  /** What does not hold; null when everything fits. */
  readonly problem: string | null;
}

const headerBytes = 184;
const mostComponents = 16;

/** Undefined when the block has no structured image header (`CTSI`). */
export function readRendition({ offset, bytes }: BomBlock): StoredRendition | undefined {
  if (bytes.byteLength < headerBytes || tagOf(bytes) !== "CTSI") return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const number = (at: number) => view.getUint32(at, true);
  const flags = number(8);
  const listBytes = number(168);
  const payloadBytes = number(180);
  const start = Math.min(bytes.byteLength, headerBytes + listBytes);
  const payload = bytes.subarray(start, Math.min(bytes.byteLength, start + payloadBytes));
  const cut = headerBytes + listBytes + payloadBytes > bytes.byteLength;
  const { encoding, data, short } = payloadOf(payload);
  const pixelFormat = tagOf(bytes, 24).replace(/\0/g, "").trim();
  return {
    offset,
    storedBytes: bytes.byteLength,
    fileName: textAt(bytes, 40, 128),
    layout: layoutName(view.getUint16(36, true)),
    width: number(12),
    height: number(16),
    scalePercent: number(20),
    pixelFormat: pixelFormat === "" ? null : pixelFormat,
    colorSpaceId: number(28) & 0xf,
    vector: (flags & 4) !== 0,
    opaque: (flags & 8) !== 0,
    tintable: (flags & 0x400) !== 0,
    modified: number(32),
    encoding,
    data,
    ...fromList(bytes.subarray(headerBytes, start)),
    color: encoding === "color" ? colorOf(payload) : null,
    problem: cut || short ? "Its lists or data lead out of its block." : null,
  };
}

function payloadOf(payload: Uint8Array): { readonly encoding: string; readonly data: Uint8Array; readonly short: boolean } {
  if (payload.byteLength < 12) return { encoding: "none", data: payload, short: false };
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const counted = (encoding: string, lengthAt: number) => {
    const start = lengthAt + 4;
    if (payload.byteLength < start) return { encoding, data: payload.subarray(payload.byteLength), short: true };
    const length = view.getUint32(lengthAt, true);
    return { encoding, data: payload.subarray(start, Math.min(payload.byteLength, start + length)), short: start + length > payload.byteLength };
  };
  const tag = tagOf(payload);
  switch (tag) {
    case "CELM":
      return counted(compressionName(view.getUint32(8, true)), 12);
    case "RAWD":
      return counted("raw", 8);
    case "COLR":
      return { encoding: "color", data: payload, short: false };
    default:
      return { encoding: /^[A-Z0-9]{4}$/.test(tag) ? `tag_${tag.toLowerCase()}` : "unknown", data: payload, short: false };
  }
}

/** Version, color space, count, then doubles. */
function colorOf(payload: Uint8Array): StoredRendition["color"] {
  if (payload.byteLength < 16) return null;
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const count = Math.min(view.getUint32(12, true), mostComponents, Math.floor((payload.byteLength - 16) / 8));
  return { colorSpaceId: view.getUint32(8, true) & 0xff, components: Array.from({ length: count }, (_, index) => view.getFloat64(16 + index * 8, true)) };
}

/** Records of type and length between header and data: 1005 names a uniform type, 1010 links into another rendition. */
function fromList(list: Uint8Array): { readonly uti: string | null; readonly packed: PackedPlace | null } {
  const view = new DataView(list.buffer, list.byteOffset, list.byteLength);
  let uti: string | null = null;
  let packed: PackedPlace | null = null;
  for (let at = 0; at + 8 <= list.byteLength; ) {
    const type = view.getUint32(at, true);
    const length = view.getUint32(at + 4, true);
    const end = at + 8 + length;
    if (end > list.byteLength) break;
    if (type === 1005 && length > 8) uti = textAt(list, at + 16, length - 8);
    if (type === 1010 && length >= 24) {
      const number = (index: number) => view.getUint32(at + 16 + index * 4, true);
      packed = { x: number(0), y: number(1), width: number(2), height: number(3) };
    }
    at = end;
  }
  return { uti, packed };
}
