import type { PixelImage } from "./pixel-image.js";

/** A rectangle that holds changed pixels. */
export interface ChangedRegion {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly changed_pixels: number;
}

export interface PixelComparison {
  /** Bits of the samples that were compared; deltas count in steps of this depth. */
  readonly sample_depth: 8 | 16;
  readonly changed_pixels: number;
  readonly total_pixels: number;
  readonly max_channel_delta: number;
  /** Over all channels of all pixels, also of those that count as unchanged. */
  readonly channel_delta_sum: number;
  readonly regions: readonly ChangedRegion[];
  /** Side of the squares by which neighbouring changes were joined, in pixels. */
  readonly region_distance: number;
}

export interface PixelComparisonOptions {
  /** In steps of 8 bits: a pixel has changed when a channel of it differs by more. */
  readonly threshold: number;
  /** Called for each changed pixel with its number. */
  readonly onChange?: (pixel: number) => void;
}

const maximumRegions = 64;
const smallestTile = 16;

/** Compares two images of equal size channel by channel; an image of 8 bits is widened when the other has 16. Mirrored sides give the same result. */
export function comparePixels(left: PixelImage, right: PixelImage, { threshold, onChange }: PixelComparisonOptions): PixelComparison {
  const depth = left.depth === 16 || right.depth === 16 ? 16 : 8;
  const [a, b] = [samplesOf(left, depth), samplesOf(right, depth)];
  const limit = depth === 16 ? threshold * 257 : threshold;
  const tiles = new TileGrid(left.width, left.height);
  const words = depth === 8 ? { a: wordsOf(a), b: wordsOf(b) } : null;
  let [changed, greatest, sum] = [0, 0, 0];
  for (let pixel = 0, pixels = left.width * left.height; pixel < pixels; pixel += 1) {
    if (words !== null && words.a[pixel] === words.b[pixel]) continue;
    let most = 0;
    for (let at = pixel * 4, end = at + 4; at < end; at += 1) {
      const delta = Math.abs((a[at] ?? 0) - (b[at] ?? 0));
      sum += delta;
      if (delta > most) most = delta;
    }
    if (most > greatest) greatest = most;
    if (most <= limit) continue;
    changed += 1;
    tiles.add(pixel);
    onChange?.(pixel);
  }
  const { regions, tile } = tiles.regions();
  return {
    sample_depth: depth,
    changed_pixels: changed,
    total_pixels: left.width * left.height,
    max_channel_delta: greatest,
    channel_delta_sum: sum,
    regions,
    region_distance: tile,
  };
}

function samplesOf({ depth, samples }: PixelImage, wanted: 8 | 16): Uint8Array | Uint16Array {
  if (depth === wanted) return samples;
  const wide = new Uint16Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) wide[index] = (samples[index] ?? 0) * 257;
  return wide;
}

/** Whole pixels at once, to pass over equal ones; null where the samples do not lie so. */
function wordsOf({ buffer, byteOffset, byteLength }: Uint8Array | Uint16Array): Uint32Array {
  return byteOffset % 4 === 0 ? new Uint32Array(buffer, byteOffset, byteLength / 4) : new Uint32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
  changed: number;
}

/** Bounding boxes of changes by squares; neighbouring squares grow together. */
class TileGrid {
  readonly #width: number;
  readonly #columns: number;
  readonly #boxes = new Map<number, Box>();

  constructor(width: number, height: number) {
    this.#width = width;
    this.#columns = Math.ceil(Math.max(width, height) / smallestTile) + 1;
  }

  add(pixel: number): void {
    const y = Math.floor(pixel / this.#width);
    const x = pixel - y * this.#width;
    const key = Math.floor(y / smallestTile) * this.#columns + Math.floor(x / smallestTile);
    const box = this.#boxes.get(key);
    if (box === undefined) this.#boxes.set(key, { left: x, top: y, right: x, bottom: y, changed: 1 });
    else widen(box, { left: x, top: y, right: x, bottom: y, changed: 1 });
  }

  /** At most 64, from top to bottom; where there are more, those that begin in the same larger square become one. */
  regions(): { readonly regions: readonly ChangedRegion[]; readonly tile: number } {
    const boxes = joinNeighbours([...this.#boxes.values()], smallestTile, this.#columns);
    let [joined, tile] = [boxes, smallestTile];
    while (joined.length > maximumRegions) {
      tile *= 2;
      joined = joinWithin(boxes, tile, this.#columns);
    }
    return { regions: joined.map(regionOf).sort(byPlace), tile };
  }
}

function joinWithin(boxes: readonly Box[], tile: number, columns: number): Box[] {
  const joined = new Map<number, Box>();
  for (const box of boxes) {
    const key = Math.floor(box.top / tile) * columns + Math.floor(box.left / tile);
    const before = joined.get(key);
    if (before === undefined) joined.set(key, { ...box });
    else widen(before, box);
  }
  return [...joined.values()];
}

function joinNeighbours(boxes: readonly Box[], tile: number, columns: number): Box[] {
  const cells = new Map<number, Box[]>();
  const keyOf = (row: number, column: number): number => row * columns + column;
  for (const box of boxes) {
    for (let row = Math.floor(box.top / tile); row <= Math.floor(box.bottom / tile); row += 1) {
      for (let column = Math.floor(box.left / tile); column <= Math.floor(box.right / tile); column += 1) {
        const cell = cells.get(keyOf(row, column));
        if (cell === undefined) cells.set(keyOf(row, column), [box]);
        else cell.push(box);
      }
    }
  }
  const seenCells = new Set<number>();
  const seenBoxes = new Set<Box>();
  const joined: Box[] = [];
  for (const start of cells.keys()) {
    if (seenCells.has(start)) continue;
    const group: Box[] = [];
    const open = [start];
    seenCells.add(start);
    for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
      for (const box of cells.get(cell) ?? []) {
        if (!seenBoxes.has(box)) group.push(box);
        seenBoxes.add(box);
      }
      for (const next of neighbours(cell, columns)) {
        if (!cells.has(next) || seenCells.has(next)) continue;
        seenCells.add(next);
        open.push(next);
      }
    }
    const [first, ...rest] = group;
    if (first === undefined) continue;
    const box = { ...first };
    for (const other of rest) widen(box, other);
    joined.push(box);
  }
  return joined;
}

function neighbours(cell: number, columns: number): number[] {
  const column = cell % columns;
  const sideways = [column > 0 ? -1 : 0, 0, column < columns - 1 ? 1 : 0];
  return [-columns, 0, columns].flatMap((down) => sideways.map((side) => cell + down + side));
}

function widen(box: Box, other: Box): void {
  box.left = Math.min(box.left, other.left);
  box.top = Math.min(box.top, other.top);
  box.right = Math.max(box.right, other.right);
  box.bottom = Math.max(box.bottom, other.bottom);
  box.changed += other.changed;
}

function regionOf({ left, top, right, bottom, changed }: Box): ChangedRegion {
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1, changed_pixels: changed };
}

function byPlace(a: ChangedRegion, b: ChangedRegion): number {
  return a.y - b.y || a.x - b.x || a.height - b.height || a.width - b.width;
}
