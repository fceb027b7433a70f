import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import { compareScreenshots, type ScreenshotPair } from "../../src/compare/compare-screenshots.js";
import { comparePixels } from "../../src/png/compare-pixels.js";
import type { PixelImage } from "../../src/png/pixel-image.js";
import { chunk, headerChunk, makePng, type PngPlan } from "./png-suite.js";

const plan: PngPlan = { width: 60, height: 50, colorType: "truecolour", bitDepth: 8, interlaced: false, sample: (x, y, channel) => (x * 3 + y * 5 + channel * 40) & 255 };

function compare(left: Uint8Array, right: Uint8Array, more: Partial<ScreenshotPair> = {}): ReturnType<typeof compareScreenshots> {
  return compareScreenshots({ left, right, threshold: 0, maximumPixels: 16_000_000, difference: false, operation: "compare_web_screenshots", signal: new AbortController().signal, ...more });
}

/** The plan with other samples inside rectangles. */
function changed(boxes: readonly { readonly x: number; readonly y: number; readonly width: number; readonly height: number }[], by = 1): Buffer {
  return makePng({
    ...plan,
    sample: (x, y, channel) => (plan.sample(x, y, channel) + (boxes.some((box) => x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height) ? by : 0)) & 255,
  });
}

describe("the comparison of two screenshots", () => {
  const left = makePng(plan);

  it("finds the same image the same, however it is stored", async () => {
    const twin = makePng({ ...plan, interlaced: true, splitEvery: 50 });
    const { comparison } = await compare(left, twin);
    expect(comparison).toMatchObject({ status: "identical", changed_pixels: 0, total_pixels: 3000, max_channel_delta: 0, channel_delta_sum: 0, regions: [], sample_depth: 8 });
    expect(comparison.left.sha256).not.toBe(comparison.right.sha256);
  });

  it("tells where, how many and how much, within the boxes that changed", async () => {
    const boxes = [{ x: 2, y: 3, width: 4, height: 5 }, { x: 50, y: 40, width: 6, height: 2 }];
    const { comparison } = await compare(left, changed(boxes, 7));
    expect(comparison).toMatchObject({ status: "different", changed_pixels: 32, channel_delta_sum: expect.any(Number) });
    expect(comparison.regions).toEqual([{ ...boxes[0], changed_pixels: 20 }, { ...boxes[1], changed_pixels: 12 }]);
  });

  it("calls differences up to the threshold none, and says how great they are", async () => {
    const slightly = changed([{ x: 0, y: 0, width: 1, height: 1 }], 3);
    expect((await compare(left, slightly, { threshold: 3 })).comparison).toMatchObject({ status: "identical", changed_pixels: 0, max_channel_delta: 3, channel_delta_sum: 9 });
    expect((await compare(left, slightly, { threshold: 2 })).comparison).toMatchObject({ status: "different", changed_pixels: 1 });
  });

  it("compares 16 bits at full depth, also against 8", async () => {
    const deep: PngPlan = { ...plan, bitDepth: 16, sample: (x, y, channel) => plan.sample(x, y, channel) * 257 };
    expect((await compare(left, makePng(deep))).comparison).toMatchObject({ status: "identical", sample_depth: 16 });
    const nudged = makePng({ ...deep, sample: (x, y, channel) => (x === 9 && y === 9 && channel === 1 ? deep.sample(x, y, channel) ^ 1 : deep.sample(x, y, channel)) });
    expect((await compare(makePng(deep), nudged)).comparison).toMatchObject({ status: "different", changed_pixels: 1, max_channel_delta: 1, channel_delta_sum: 1 });
    expect((await compare(makePng(deep), nudged, { threshold: 1 })).comparison.status).toBe("identical");
  });

  it("does not compare images of different size", async () => {
    const { comparison, picture } = await compare(left, makePng({ ...plan, width: 61 }), { difference: true });
    expect(comparison).toMatchObject({ status: "dimension_mismatch", changed_pixels: null, total_pixels: null, sample_depth: null, regions: [] });
    expect(picture).toBeNull();
  });

  it.each([
    ["gamma", chunk("gAMA", Buffer.from([0, 0, 0xb1, 0x8f]))],
    ["srgb_intent", chunk("sRGB", Buffer.from([0]))],
    ["icc_profile_sha256", chunk("iCCP", Buffer.concat([Buffer.from("name\0\0"), deflateSync(Buffer.from("a profile"))]))],
    ["chromaticities_sha256", chunk("cHRM", Buffer.alloc(32, 1))],
    ["coding_points", chunk("cICP", Buffer.from([1, 13, 0, 1]))],
  ] as const)("knows no verdict where %s differs", async (aspect, extra) => {
    const { comparison } = await compare(left, makePng({ ...plan, before: [extra] }));
    expect(comparison).toMatchObject({ status: "unknown", reason: "color_management_differs", changed_pixels: 0, color_management: { state: "different", differing: [aspect] } });
    expect((await compare(makePng({ ...plan, before: [extra] }), makePng({ ...plan, before: [extra] }))).comparison.status).toBe("identical");
  });

  it("takes a profile for the same under another name and compression", async () => {
    const profile = (name: string, level: number): Buffer => chunk("iCCP", Buffer.concat([Buffer.from(`${name}\0\0`), deflateSync(Buffer.alloc(5000, "icc"), { level })]));
    expect((await compare(makePng({ ...plan, before: [profile("a", 9)] }), makePng({ ...plan, before: [profile("other", 0)] }))).comparison.status).toBe("identical");
  });

  it("uses the default image of an animation, and leaves out what follows the end, and says so", async () => {
    const animated = makePng({ ...plan, before: [chunk("acTL", Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]))] });
    const { comparison } = await compare(animated, Buffer.concat([left, Buffer.from("more")]));
    expect(comparison).toMatchObject({ status: "identical", left: { animated: true }, right: { animated: false } });
    expect(comparison.limitations.join(" ")).toMatch(/default image only.*after the end/);
  });

  it("draws what changed on the faded left image", async () => {
    const { picture } = await compare(left, changed([{ x: 10, y: 20, width: 3, height: 2 }]), { difference: true });
    const drawn = PNG.sync.read(Buffer.from(picture ?? []));
    const pink: string[] = [];
    for (let at = 0; at < drawn.data.length; at += 4) {
      const [r = 0, g = 0, b = 0] = drawn.data.subarray(at, at + 3);
      if (r !== g || g !== b) pink.push(`${String((at / 4) % drawn.width)},${String(Math.floor(at / 4 / drawn.width))}`);
      else expect(r).toBeGreaterThanOrEqual(160);
    }
    expect(pink).toEqual(["10,20", "11,20", "12,20", "10,21", "11,21", "12,21"]);
  });

  it("refuses an image beyond the bound before it allocates for it, and one that claims two milliards of pixels", async () => {
    const huge = Buffer.concat([left.subarray(0, 8), headerChunk({ ...plan, width: 2_147_483_647, height: 2_147_483_647 }), chunk("IDAT", Buffer.from([1])), chunk("IEND", Buffer.alloc(0))]);
    await expect(compare(left, huge)).rejects.toMatchObject({ code: "invalid_request", details: { issues: [{ path: "right", reason: "out_of_range", maximum: 16_000_000 }] } });
    await expect(compare(left, left, { maximumPixels: 2999 })).rejects.toMatchObject({ code: "invalid_request", details: { issues: [{ path: "left", maximum: 2999 }] } });
  });

  it("names the image that is damaged, also when its thread finds that out", async () => {
    const damaged = Buffer.concat([left.subarray(0, 8), headerChunk(plan), chunk("IDAT", deflateSync(Buffer.alloc(10))), chunk("IEND", Buffer.alloc(0))]);
    await expect(compare(left, damaged)).rejects.toMatchObject({ code: "artifact_operation_failed", message: expect.stringContaining("right image") });
    await expect(compare(damaged, left)).rejects.toMatchObject({ code: "artifact_operation_failed", message: expect.stringContaining("left image") });
    await expect(compare(left, left.subarray(0, 60))).rejects.toMatchObject({ code: "artifact_operation_failed", message: expect.stringContaining("right image") });
  });

  it("can be cancelled", async () => {
    const controller = new AbortController();
    const comparing = compare(left, left, { signal: controller.signal });
    controller.abort();
    await expect(comparing).rejects.toMatchObject({ code: "cancelled" });
  });
});

const image = (pixels: readonly number[], width: number): PixelImage => ({ width, height: pixels.length / width, depth: 8, samples: Uint8Array.from(pixels.flatMap((value) => [value, value, value, 255])) });
const pair = fc.integer({ min: 1, max: 70 }).chain((width) =>
  fc.integer({ min: 1, max: 40 }).chain((height) => {
    const pixels = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: width * height, maxLength: width * height });
    return fc.record({ width: fc.constant(width), left: pixels, right: pixels });
  }),
);

describe("the laws of comparing pixels", () => {
  it("sides can be exchanged, an image equals itself, and the regions hold exactly what changed", () => {
    fc.assert(
      fc.property(pair, fc.integer({ min: 0, max: 3 }), ({ width, left, right }, threshold) => {
        const [a, b] = [image(left, width), image(right, width)];
        const found = comparePixels(a, b, { threshold });
        expect(comparePixels(b, a, { threshold })).toEqual(found);
        expect(comparePixels(a, a, { threshold })).toMatchObject({ changed_pixels: 0, channel_delta_sum: 0, regions: [] });
        const differing = left.flatMap((value, index) => (Math.abs(value - (right[index] ?? 0)) > threshold ? [index] : []));
        expect(found.changed_pixels).toBe(differing.length);
        expect(found.regions.length).toBeLessThanOrEqual(64);
        expect(found.regions.reduce((sum, region) => sum + region.changed_pixels, 0)).toBe(differing.length);
        for (const index of differing) {
          const [x, y] = [index % width, Math.floor(index / width)];
          expect(found.regions.some((box) => x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height)).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("more than 64 scattered changes are joined to fewer regions", () => {
    const width = 1000;
    const left = new Array<number>(width * 600).fill(0);
    const right = left.map((value, index) => ((index % width) % 48 === 0 && Math.floor(index / width) % 48 === 0 ? 9 : value));
    const found = comparePixels(image(left, width), image(right, width), { threshold: 0 });
    expect(found.regions.length).toBeLessThanOrEqual(64);
    expect(found.regions.length).toBeGreaterThan(1);
    expect(found.region_distance).toBeGreaterThan(16);
  });
});
