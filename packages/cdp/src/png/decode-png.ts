import { deflateSync } from "node:zlib";
import { decode } from "fast-png";
import type { PngFile } from "./png-file.js";
import { colorTypeNumbers, type PngHeader } from "./png-header.js";
import type { PngRefusal } from "./png-refusal.js";
import { rowBytes, scanlineImages, type ScanlineImage } from "./scanlines.js";
import { createPixels, placeSamples, type PixelImage, type StoredSamples } from "./pixel-image.js";

/**
 * Decodes the default image of a PNG to red, green, blue and alpha of 8 bits, or of 16 where it has 16. The image data is
 * decompressed here, to its declared size and no further; the library gets the rows without compression, and undoes their
 * filters. Each pass of an interlaced image goes to it as the image of its own that it is. Throws what `refuse` makes.
 */
export function decodePng({ header, palette, transparency, compressed }: Omit<PngFile, "color" | "animated" | "trailingBytes">, refuse: PngRefusal): PixelImage {
  // First the data, which proves that the declared size is meant.
  const parts = scanlineImages(header, compressed, refuse);
  const image = createPixels(header);
  for (const part of parts) {
    const samples: StoredSamples = { header, palette, transparency, width: part.width, height: part.height, data: unfiltered(header, part, refuse) };
    placeSamples(image, samples, part.place, refuse);
  }
  return image;
}

/** Stored rows: packed below 8 bits a sample, 16-bit numbers of this host at 16. */
function unfiltered(header: PngHeader, { width, height, rows }: ScanlineImage, refuse: PngRefusal): Uint8Array | Uint16Array {
  const { data } = decode(plainPng({ ...header, width, height }, rows));
  const expected = (height * rowBytes(header, width)) / (header.bitDepth === 16 ? 2 : 1);
  if (data.length !== expected || data instanceof Uint8ClampedArray) throw refuse("its image data is damaged or cut off");
  return data;
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const;
const endChunk = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82] as const;

/** A PNG with nothing but header and rows; the rows are stored, not compressed. What is in it was checked before, so it has no checksums. */
function plainPng({ width, height, bitDepth, colorType }: PngHeader, rows: Uint8Array): Uint8Array {
  const data = deflateSync(rows, { level: 0 });
  const head = Buffer.alloc(signature.length + 12 + 13 + 8);
  head.set(signature);
  head.writeUInt32BE(13, 8);
  head.write("IHDR", 12, "latin1");
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  head.set([bitDepth, colorTypeNumbers[colorType], 0, 0, 0], 24);
  head.writeUInt32BE(data.length, 33);
  head.write("IDAT", 37, "latin1");
  return Buffer.concat([head, data, Buffer.alloc(4), Buffer.from(endChunk)]);
}
