import { kMaxLength } from "node:buffer";
import { inflateSync } from "node:zlib";
import { channelsOf, type PngHeader } from "./png-header.js";
import type { PngRefusal } from "./png-refusal.js";

/** One image of filtered rows: the whole, or one pass of an interlaced one. */
export interface ScanlineImage {
  readonly width: number;
  readonly height: number;
  /** Rows, each after the byte that names its filter. */
  readonly rows: Uint8Array;
  /** Where its pixels lie in the whole. */
  readonly place: AdamPass;
}

export interface AdamPass {
  readonly x: number;
  readonly y: number;
  readonly stepX: number;
  readonly stepY: number;
}

const whole: AdamPass = { x: 0, y: 0, stepX: 1, stepY: 1 };

// PNG §8.1: the seven passes of Adam7; each is a smaller image of its own (§7.2).
const passes: readonly AdamPass[] = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
];

/** Decompresses image data to exactly the size that the header declares. Throws what `refuse` makes. */
export function scanlineImages(header: PngHeader, compressed: Uint8Array, refuse: PngRefusal): readonly ScanlineImage[] {
  const places = (header.interlaced ? passes : [whole]).flatMap((place) => {
    const [width, height] = [sideOf(header.width, place.x, place.stepX), sideOf(header.height, place.y, place.stepY)];
    return width === 0 || height === 0 ? [] : [{ width, height, place, bytes: height * (1 + rowBytes(header, width)) }];
  });
  const total = places.reduce((sum, { bytes }) => sum + bytes, 0);
  const rows = inflated(compressed, total, refuse);
  let offset = 0;
  return places.map(({ width, height, place, bytes }) => {
    const own = rows.subarray(offset, (offset += bytes));
    requireFilters(own, bytes / height, refuse);
    return { width, height, place, rows: own };
  });
}

export function rowBytes({ bitDepth, colorType }: PngHeader, width: number): number {
  return Math.ceil((width * channelsOf[colorType] * bitDepth) / 8);
}

function sideOf(whole: number, start: number, step: number): number {
  return whole <= start ? 0 : Math.ceil((whole - start) / step);
}

function inflated(compressed: Uint8Array, total: number, refuse: PngRefusal): Uint8Array {
  if (total > kMaxLength) throw refuse("its header declares more image data than can be held");
  let rows: Uint8Array;
  try {
    rows = inflateSync(compressed, { maxOutputLength: total });
  } catch (error) {
    const tooLong = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw refuse(tooLong ? "it holds more image data than its header declares" : "its image data is damaged or cut off");
  }
  if (rows.length !== total) throw refuse("it holds less image data than its header declares");
  return rows;
}

function requireFilters(rows: Uint8Array, stride: number, refuse: PngRefusal): void {
  for (let offset = 0; offset < rows.length; offset += stride) {
    if ((rows[offset] ?? 0) > 4) throw refuse("a row names a filter that does not exist");
  }
}
