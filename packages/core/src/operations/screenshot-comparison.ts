import { citedRecordSchema } from "../cited-record.js";
import { z } from "../z.js";

/** Input and answer of `compare_web_screenshots`. */

const count = z.number().int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** A `capture_web_screenshot` record, a local file, or bytes with their digest; which one it is, is checked in code. */
const imageInput = z.record(z.string(), z.unknown());

export const compareWebScreenshotsInput = z.strictObject({
  left: imageInput.describe("Older image: screenshot record, {path} or {data_base64, sha256}"),
  right: imageInput.describe("Newer image, given in the same ways"),
  channel_threshold: z.int().min(0).max(255).default(0).describe("Largest difference of a channel that counts as none"),
  maximum_pixels: z.int().min(1).max(32_000_000).default(16_000_000).describe("Largest image that is decoded"),
});
export type CompareWebScreenshotsInput = z.output<typeof compareWebScreenshotsInput>;

/** What an image says of its colours; null for what it does not say. */
const colorDescription = z.strictObject({
  icc_profile_sha256: sha256.nullable(),
  /** Gamma times 100,000. */
  gamma: count.nullable(),
  srgb_intent: count.nullable(),
  chromaticities_sha256: sha256.nullable(),
  /** Of a cICP chunk, as hex. */
  coding_points: z.string().nullable(),
});

const image = z.strictObject({
  sha256,
  bytes: count,
  width: count,
  height: count,
  color_type: z.enum(["greyscale", "truecolour", "indexed", "greyscale_alpha", "truecolour_alpha"]),
  bit_depth: count,
  interlaced: z.boolean(),
  animated: z.boolean(),
  color: colorDescription,
});

export const colorAspects = ["icc_profile_sha256", "gamma", "srgb_intent", "chromaticities_sha256", "coding_points"] as const;

export const screenshotComparisonSchema = z.strictObject({
  /** The records among the sides, left first: whether this session produced them. */
  cited_records: z.array(citedRecordSchema),
  /** `unknown`: the samples were compared, but the images do not mean the same by them. */
  status: z.enum(["identical", "different", "dimension_mismatch", "unknown"]),
  reason: z.enum(["color_management_differs"]).nullable(),
  left: image,
  right: image,
  /** Bits of the compared samples, in whose steps deltas count; null when nothing was compared. */
  sample_depth: z.union([z.literal(8), z.literal(16)]).nullable(),
  channel_threshold: count,
  /** Null when nothing was compared. */
  changed_pixels: count.nullable(),
  total_pixels: count.nullable(),
  max_channel_delta: count.nullable(),
  /** Over all channels of all pixels, also of those that count as unchanged. */
  channel_delta_sum: count.nullable(),
  /** Bounding boxes of all changed pixels, from top to bottom. */
  regions: z.array(z.strictObject({ x: count, y: count, width: count, height: count, changed_pixels: count })).max(64),
  /** Changes closer to each other than about this many pixels share a region; null when nothing was compared. */
  region_distance: count.nullable(),
  color_management: z.strictObject({ state: z.enum(["equal", "different"]), differing: z.array(z.enum(colorAspects)) }),
  limitations: z.array(z.string()),
});
export type ScreenshotComparison = z.output<typeof screenshotComparisonSchema>;
/** What two images say by themselves. */
export type ScreenshotDifferences = Omit<ScreenshotComparison, "cited_records">;
