import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateSync, inflateSync } from "node:zlib";
import { compareScreenshots } from "@rea/cdp";
import type { Benchmark } from "../benchmark.js";
import { measure } from "../measure.js";
import { ratioTable } from "../ratio-table.js";

const width = 3840;
const height = 2160;
/** A screenshot-like picture: areas, edges and a little noise, in 8-bit truecolour, rows filtered by their upper neighbours. */
function screenshot(changed: number): Buffer {
  const stride = width * 3 + 1;
  const rows = Buffer.alloc(stride * height);
  for (let y = height - 1; y >= 0; y -= 1) {
    rows[y * stride] = 2;
    for (let x = 0; x < width; x += 1) {
      const at = y * stride + 1 + x * 3;
      const inside = x > 1000 && x < 1400 && y < 900 ? changed : 0;
      rows[at] = (((x >> 5) ^ (y >> 4)) & 7) * 30 + ((x * 7 + y * 13) & 3);
      rows[at + 1] = (x >> 4) & 255;
      rows[at + 2] = (y >> 3) + inside;
    }
  }
  for (let y = height - 1; y > 0; y -= 1) for (let at = 1; at < stride; at += 1) rows[y * stride + at] = (rows[y * stride + at] ?? 0) - (rows[(y - 1) * stride + at] ?? 0);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** The image data of a file of this bench, which has it in one chunk after a header of 25 bytes. */
function imageData(file: Buffer): Buffer {
  return file.subarray(41, 41 + file.readUInt32BE(33));
}

/** Two pictures of 3840 × 2160 against merely decompressing both of them in one thread. */
function screenshotComparison(): Benchmark {
  const directory = mkdtempSync(join(tmpdir(), "rea-bench-web-"));
  const paths = { left: join(directory, "left.png"), right: join(directory, "right.png") };
  writeFileSync(paths.left, screenshot(0));
  writeFileSync(paths.right, screenshot(9));
  const read = () => ({ left: readFileSync(paths.left), right: readFileSync(paths.right) });
  const compare = async (difference: boolean): Promise<void> => {
    const pair = { ...read(), threshold: 0, maximumPixels: 16_000_000, difference, operation: "compare_web_screenshots", signal: new AbortController().signal };
    const { comparison } = await compareScreenshots(pair);
    if (comparison.changed_pixels !== 359_100) throw new Error("The comparison found another number of changed pixels than there are.");
  };
  return {
    name: "compare_web_screenshots, two images of 3840 × 2160",
    reference: {
      label: "decompressing both (node:zlib)",
      run: () => {
        const { left, right } = read();
        inflateSync(imageData(left));
        inflateSync(imageData(right));
      },
    },
    contenders: [
      { label: "comparing them", run: () => compare(false) },
      { label: "with a difference image", run: () => compare(true) },
    ],
    close: () => Promise.resolve(rmSync(directory, { recursive: true, force: true })),
  };
}

/** Prints how long comparing screenshots takes. */
export async function runScreenshotBench(): Promise<void> {
  const benchmark = screenshotComparison();
  console.log(ratioTable(benchmark.name, await measure(benchmark)));
  await benchmark.close?.();
}
