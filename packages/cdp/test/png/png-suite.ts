import { crc32, deflateSync } from "node:zlib";
import { channelsOf, colorTypeNumbers, type PngHeader } from "../../src/png/png-header.js";

/** PNG files made from known samples, so that their pixels are known without any decoder. */

/** A channel's value at a place, in stored steps. */
export type SampleAt = (x: number, y: number, channel: number) => number;

export interface PngPlan extends PngHeader {
  readonly sample: SampleAt;
  /** Filter of each row by its number in the stream. */
  readonly filterOf?: (row: number) => number;
  readonly palette?: readonly (readonly [number, number, number])[];
  readonly transparency?: Buffer;
  /** Chunks between header and image data. */
  readonly before?: readonly Buffer[];
  /** Bytes of each IDAT chunk; default all in one. */
  readonly splitEvery?: number;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

export function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

export function headerChunk({ width, height, bitDepth, colorType, interlaced }: PngHeader): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([bitDepth, colorTypeNumbers[colorType], 0, 0, interlaced ? 1 : 0], 8);
  return chunk("IHDR", data);
}

export function makePng(plan: PngPlan): Buffer {
  const compressed = deflateSync(streamOf(plan));
  const step = plan.splitEvery ?? Math.max(1, compressed.length);
  const data: Buffer[] = [];
  for (let at = 0; at < compressed.length; at += step) data.push(chunk("IDAT", compressed.subarray(at, at + step)));
  return Buffer.concat([
    signature,
    headerChunk(plan),
    ...(plan.before ?? []),
    ...(plan.palette === undefined ? [] : [chunk("PLTE", Buffer.from(plan.palette.flat()))]),
    ...(plan.transparency === undefined ? [] : [chunk("tRNS", plan.transparency)]),
    ...data,
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function streamOf({ width, height, interlaced, ...plan }: PngPlan): Buffer {
  if (!interlaced) return filteredRows({ ...plan, width, height }, (x, y, channel) => plan.sample(x, y, channel));
  return Buffer.concat(
    passes.map(([x0, y0, stepX, stepY]) => {
      const passWidth = Math.max(0, Math.ceil((width - x0) / stepX));
      const passHeight = Math.max(0, Math.ceil((height - y0) / stepY));
      if (passWidth === 0 || passHeight === 0) return Buffer.alloc(0);
      return filteredRows({ ...plan, width: passWidth, height: passHeight }, (x, y, channel) => plan.sample(x0 + x * stepX, y0 + y * stepY, channel));
    }),
  );
}

type Rows = Pick<PngPlan, "width" | "height" | "bitDepth" | "colorType" | "filterOf">;

function filteredRows({ width, height, bitDepth, colorType, filterOf = (row) => row % 5 }: Rows, sample: SampleAt): Buffer {
  const channels = channelsOf[colorType];
  const unit = Math.max(1, (channels * bitDepth) / 8);
  let previous: Buffer = Buffer.alloc(Math.ceil((width * channels * bitDepth) / 8));
  const rows: Buffer[] = [];
  for (let y = 0; y < height; y += 1) {
    const row = Buffer.alloc(previous.length);
    for (let x = 0; x < width; x += 1) for (let channel = 0; channel < channels; channel += 1) put(row, (x * channels + channel) * bitDepth, bitDepth, sample(x, y, channel));
    const filter = filterOf(y);
    rows.push(Buffer.from([filter]), filtered(row, previous, filter, unit));
    previous = row;
  }
  return Buffer.concat(rows);
}

function put(row: Buffer, bit: number, depth: number, value: number): void {
  if (depth === 16) return void row.writeUInt16BE(value, bit / 8);
  const at = Math.floor(bit / 8);
  row[at] = (row[at] ?? 0) | (value << (8 - depth - (bit % 8)));
}

function filtered(row: Buffer, up: Buffer, filter: number, unit: number): Buffer {
  return Buffer.from(
    row.map((value, index) => {
      const [a, b, c] = [index < unit ? 0 : (row[index - unit] ?? 0), up[index] ?? 0, index < unit ? 0 : (up[index - unit] ?? 0)];
      const predicted = [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter] ?? 0;
      return (value - predicted) & 0xff;
    }),
  );
}

function paeth(a: number, b: number, c: number): number {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}
