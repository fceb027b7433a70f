import { colorAspects, ReaError, sha256Hex, type ScreenshotDifferences } from "@rea/core";
import { compareInThreads } from "../compare-in-threads.js";
import { readPng, type PngFile } from "../png/png-file.js";
import { pngFormatError } from "../png/png-format-error.js";

export interface ScreenshotPair {
  /** PNG files. */
  readonly left: Uint8Array;
  readonly right: Uint8Array;
  /** In steps of 8 bits. */
  readonly threshold: number;
  readonly maximumPixels: number;
  /** Whether a difference image is wanted too. */
  readonly difference: boolean;
  readonly operation: string;
  readonly signal: AbortSignal;
}

export interface ComparedScreenshots {
  readonly comparison: ScreenshotDifferences;
  /** A PNG file with what changed marked on the faded left image; null when it was not asked for or the sizes differ. */
  readonly picture: Uint8Array | null;
}

/**
 * Compares two PNG files pixel by pixel. Throws `artifact_operation_failed` (`format`) that names the image which is not an
 * intact PNG, `invalid_request` for one with more pixels than allowed, and `cancelled`. Mirrored sides give the mirrored answer.
 */
export async function compareScreenshots(pair: ScreenshotPair): Promise<ComparedScreenshots> {
  const { operation, threshold, difference, signal } = pair;
  const left = readPng(pair.left, pngFormatError("left", operation));
  const right = readPng(pair.right, pngFormatError("right", operation));
  requireSize("left", left, pair);
  requireSize("right", right, pair);
  const differing = colorAspects.filter((aspect) => left.color[aspect] !== right.color[aspect]);
  const said = {
    left: describe(pair.left, left),
    right: describe(pair.right, right),
    channel_threshold: threshold,
    color_management: { state: differing.length === 0 ? "equal" : "different", differing },
  } as const;
  const limitations = limitationsOf(left, right);
  if (left.header.width !== right.header.width || left.header.height !== right.header.height) {
    const comparison: ScreenshotDifferences = {
      ...said,
      ...nothingCompared,
      status: "dimension_mismatch",
      reason: null,
      limitations: [...limitations, "Images of different size are not compared pixel by pixel, so their image data was not decoded."],
    };
    return { comparison, picture: null };
  }
  const { comparison: pixels, picture } = await compareInThreads({ left, right, threshold, difference, operation, signal });
  const unknown = differing.length > 0;
  const comparison: ScreenshotDifferences = {
    ...said,
    ...pixels,
    regions: [...pixels.regions],
    status: unknown ? "unknown" : pixels.changed_pixels === 0 ? "identical" : "different",
    reason: unknown ? "color_management_differs" : null,
    limitations: unknown ? [...limitations, "The images describe their colours differently, so equal samples need not look equal, nor different ones different."] : limitations,
  };
  return { comparison, picture };
}

const nothingCompared = {
  sample_depth: null,
  changed_pixels: null,
  total_pixels: null,
  max_channel_delta: null,
  channel_delta_sum: null,
  regions: [],
  region_distance: null,
};

function requireSize(side: "left" | "right", { header: { width, height } }: PngFile, { maximumPixels, operation }: ScreenshotPair): void {
  if (width * height <= maximumPixels) return;
  throw new ReaError("invalid_request", {
    message: `The ${side} image declares ${String(width)} × ${String(height)} pixels, more than maximum_pixels (${String(maximumPixels)}) allows. Allow more, or compare smaller images.`,
    details: { operation, issues: [{ path: side, reason: "out_of_range", expected: "an image of at most maximum_pixels", maximum: maximumPixels }] },
  });
}

function describe(bytes: Uint8Array, { header, color, animated }: PngFile): ScreenshotDifferences["left"] {
  const { width, height, colorType, bitDepth, interlaced } = header;
  return { sha256: sha256Hex(bytes), bytes: bytes.byteLength, width, height, color_type: colorType, bit_depth: bitDepth, interlaced, animated, color };
}

function limitationsOf(left: PngFile, right: PngFile): string[] {
  const limitations = ["Samples are compared as they are stored, the colours of transparent pixels included."];
  if (left.animated || right.animated) limitations.push("An animated image is compared by its default image only.");
  if (left.trailingBytes > 0 || right.trailingBytes > 0) limitations.push("Bytes after the end of an image were left out.");
  return limitations;
}
