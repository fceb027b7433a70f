import { crc32, deflateSync } from "node:zlib";
import type { PixelImage } from "./pixel-image.js";

const changedColour = 255;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * A picture of a comparison: the left image faded to light greys, what has changed in magenta. An indexed PNG, because one byte
 * a pixel is quickly written and small.
 */
export class DifferenceImage {
  readonly #width: number;
  readonly #height: number;
  readonly #rows: Buffer;

  constructor(left: PixelImage) {
    this.#width = left.width;
    this.#height = left.height;
    this.#rows = fadedRows(left);
  }

  readonly mark = (pixel: number): void => {
    const row = Math.floor(pixel / this.#width);
    this.#rows[pixel + row + 1] = changedColour;
  };

  /** The PNG file. */
  encode(): Buffer {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(this.#width, 0);
    header.writeUInt32BE(this.#height, 4);
    header.set([8, 3, 0, 0, 0], 8);
    return Buffer.concat([
      signature,
      chunk("IHDR", header),
      chunk("PLTE", palette()),
      chunk("IDAT", deflateSync(this.#rows, { level: 3 })),
      chunk("IEND", Buffer.alloc(0)),
    ]);
  }
}

/** Rows without a filter (PNG §9.2, type 0), one palette entry a pixel. */
function fadedRows({ width, height, depth, samples }: PixelImage): Buffer {
  const rows = Buffer.alloc(height * (width + 1));
  const scale = depth === 16 ? 257 : 1;
  for (let row = 0, source = 0, target = 0; row < height; row += 1) {
    target += 1;
    for (let column = 0; column < width; column += 1, source += 4, target += 1) {
      // ITU-R BT.601 luma in whole numbers, then the lighter third of the greys.
      const grey = ((samples[source] ?? 0) * 77 + (samples[source + 1] ?? 0) * 151 + (samples[source + 2] ?? 0) * 28) / (256 * scale);
      rows[target] = 160 + Math.floor((grey * 94) / 255);
    }
  }
  return rows;
}

function palette(): Buffer {
  const colours = Buffer.alloc(256 * 3);
  for (let index = 0; index < 255; index += 1) colours.fill(index, index * 3, index * 3 + 3);
  colours.set([0xd8, 0x00, 0x8c], changedColour * 3);
  return colours;
}

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(12 + data.length);
  whole.writeUInt32BE(data.length, 0);
  whole.write(type, 4, "latin1");
  data.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length);
  return whole;
}
