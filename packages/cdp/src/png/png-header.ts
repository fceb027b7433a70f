import type { PngRefusal } from "./png-refusal.js";

export const colorTypes = ["greyscale", "truecolour", "indexed", "greyscale_alpha", "truecolour_alpha"] as const;
export type ColorType = (typeof colorTypes)[number];

/** PNG (third edition) §11.2.1, checked. */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: 1 | 2 | 4 | 8 | 16;
  readonly colorType: ColorType;
  readonly interlaced: boolean;
}

/** PNG §7.1: four bytes hold it, and the top bit stays free. */
const maximumSide = 2_147_483_647;
const headerBytes = 13;

// PNG §11.2.1, table 11.1: colour types by their number, and the depths that each allows.
const kinds: { readonly [number: number]: { readonly colorType: ColorType; readonly depths: readonly PngHeader["bitDepth"][] } | undefined } = {
  0: { colorType: "greyscale", depths: [1, 2, 4, 8, 16] },
  2: { colorType: "truecolour", depths: [8, 16] },
  3: { colorType: "indexed", depths: [1, 2, 4, 8] },
  4: { colorType: "greyscale_alpha", depths: [8, 16] },
  6: { colorType: "truecolour_alpha", depths: [8, 16] },
};

/** Samples of one pixel as they are stored. */
export const channelsOf = { greyscale: 1, truecolour: 3, indexed: 1, greyscale_alpha: 2, truecolour_alpha: 4 } as const satisfies { readonly [type in ColorType]: number };

/** The number of a colour type in a header. */
export const colorTypeNumbers = { greyscale: 0, truecolour: 2, indexed: 3, greyscale_alpha: 4, truecolour_alpha: 6 } as const satisfies { readonly [type in ColorType]: number };

export function readHeader(data: Buffer, refuse: PngRefusal): PngHeader {
  if (data.length !== headerBytes) throw refuse(`its header has ${String(data.length)} bytes instead of ${String(headerBytes)}`);
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  if (width < 1 || height < 1 || width > maximumSide || height > maximumSide) throw refuse("its width or height is outside what the format allows");
  const [depth, type, compression, filter, interlace] = [8, 9, 10, 11, 12].map((offset) => data.readUInt8(offset));
  const kind = kinds[type ?? -1];
  if (kind === undefined) throw refuse(`its colour type ${String(type)} does not exist`);
  const bitDepth = kind.depths.find((each) => each === depth);
  if (bitDepth === undefined) throw refuse(`its colour type does not allow ${String(depth)} bits a sample`);
  if (compression !== 0 || filter !== 0) throw refuse("its compression or filter method does not exist");
  if (interlace !== 0 && interlace !== 1) throw refuse(`its interlace method ${String(interlace)} does not exist`);
  return { width, height, bitDepth, colorType: kind.colorType, interlaced: interlace === 1 };
}
