import { channelsOf, type PngHeader } from "./png-header.js";
import type { PngRefusal } from "./png-refusal.js";
import type { AdamPass } from "./scanlines.js";

/** Pixels as red, green, blue, alpha, row by row; colours are not multiplied by alpha. */
export interface PixelImage {
  readonly width: number;
  readonly height: number;
  /** 16 where the stored samples have 16 bits; smaller ones are widened to 8, which loses nothing. */
  readonly depth: 8 | 16;
  readonly samples: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;
}

/** Unfiltered rows of one image or pass. */
export interface StoredSamples {
  readonly header: PngHeader;
  readonly palette: Uint8Array;
  readonly transparency: Uint8Array | null;
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint16Array;
}

export function createPixels({ width, height, bitDepth }: PngHeader): PixelImage {
  const length = width * height * 4;
  return bitDepth === 16 ? { width, height, depth: 16, samples: new Uint16Array(length) } : { width, height, depth: 8, samples: new Uint8Array(length) };
}

/** Writes the pixels of stored rows to their places. Throws what `refuse` makes for a palette index without an entry. */
export function placeSamples(image: PixelImage, stored: StoredSamples, place: AdamPass, refuse: PngRefusal): void {
  switch (stored.header.colorType) {
    case "indexed":
      return placeIndexed(image, stored, place, refuse);
    case "greyscale":
    case "greyscale_alpha":
      return placeGrey(image, stored, place);
    case "truecolour":
    case "truecolour_alpha":
      return placeColour(image, stored, place);
  }
}

function placeIndexed(image: PixelImage, stored: StoredSamples, place: AdamPass, refuse: PngRefusal): void {
  const { palette, transparency } = stored;
  const entries = palette.length / 3;
  forEachPixel(image, stored, place, (target, source) => {
    const index = sampleAt(stored, source, 0);
    if (index >= entries) throw refuse("a pixel names a palette entry that does not exist");
    const { samples } = image;
    samples[target] = palette[index * 3] ?? 0;
    samples[target + 1] = palette[index * 3 + 1] ?? 0;
    samples[target + 2] = palette[index * 3 + 2] ?? 0;
    samples[target + 3] = transparency?.[index] ?? 255;
  });
}

function placeGrey(image: PixelImage, stored: StoredSamples, place: AdamPass): void {
  const { header, transparency } = stored;
  const opaque = image.depth === 16 ? 65_535 : 255;
  // PNG §13.12: a sample of fewer bits is widened by a factor that is whole for 1, 2 and 4 bits.
  const factor = header.bitDepth < 8 ? 255 / (2 ** header.bitDepth - 1) : 1;
  const hidden = transparency === null ? -1 : wordAt(transparency, 0) & (2 ** header.bitDepth - 1);
  const withAlpha = header.colorType === "greyscale_alpha";
  forEachPixel(image, stored, place, (target, source) => {
    const value = sampleAt(stored, source, 0);
    const { samples } = image;
    samples[target] = value * factor;
    samples[target + 1] = value * factor;
    samples[target + 2] = value * factor;
    samples[target + 3] = withAlpha ? sampleAt(stored, source, 1) : value === hidden ? 0 : opaque;
  });
}

function placeColour(image: PixelImage, stored: StoredSamples, place: AdamPass): void {
  const { header, transparency, data } = stored;
  const { samples } = image;
  if (header.colorType === "truecolour_alpha" && place.stepX === 1 && place.stepY === 1) return samples.set(data);
  const opaque = image.depth === 16 ? 65_535 : 255;
  const [red, green, blue] = [0, 2, 4].map((offset) => (transparency === null ? -1 : wordAt(transparency, offset) & (2 ** header.bitDepth - 1)));
  const channels = channelsOf[header.colorType];
  forEachPixel(image, stored, place, (target, pixel) => {
    const source = pixel * channels;
    const [r = 0, g = 0, b = 0] = [data[source], data[source + 1], data[source + 2]];
    samples[target] = r;
    samples[target + 1] = g;
    samples[target + 2] = b;
    samples[target + 3] = channels === 4 ? (data[source + 3] ?? 0) : r === red && g === green && b === blue ? 0 : opaque;
  });
}

/** `target`: place of the pixel's first sample in the image; `source`: number of the pixel in the stored rows. */
function forEachPixel({ width: imageWidth }: PixelImage, { width, height }: StoredSamples, { x, y, stepX, stepY }: AdamPass, work: (target: number, source: number) => void): void {
  for (let row = 0, source = 0; row < height; row += 1) {
    let target = ((y + row * stepY) * imageWidth + x) * 4;
    for (let column = 0; column < width; column += 1, source += 1, target += stepX * 4) work(target, source);
  }
}

/** Channel of a pixel of an image with one or two channels; below 8 bits the first sample is in the high bits (PNG §7.2). */
function sampleAt({ header, data, width }: StoredSamples, pixel: number, channel: number): number {
  const { bitDepth, colorType } = header;
  if (bitDepth >= 8) return data[pixel * channelsOf[colorType] + channel] ?? 0;
  const row = Math.floor(pixel / width);
  const column = pixel - row * width;
  const perByte = 8 / bitDepth;
  const byte = data[row * Math.ceil(width / perByte) + Math.floor(column / perByte)] ?? 0;
  return (byte >> (8 - bitDepth * ((column % perByte) + 1))) & (2 ** bitDepth - 1);
}

/** PNG §11.3.1.1: below 16 bits a sample, only the low bits of each word count. */
function wordAt(bytes: Uint8Array, offset: number): number {
  return ((bytes[offset] ?? 0) << 8) | (bytes[offset + 1] ?? 0);
}
