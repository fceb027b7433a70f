import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { memorySource } from "@rea/core";
import { describe, expect, test, vi } from "vitest";
import { isUnavailable } from "../../src/format.js";
import { sevenZip } from "../../src/formats/sevenzip/index.js";
import { limitsWith } from "../../src/limits.js";
import { readContainer, type ReadContainer } from "../read-container.js";
import { buildSevenZip, type BuiltCoder } from "./build-sevenzip.js";

const contents = ["alpha", "beta ".repeat(40), "gamma"];
const sample = buildSevenZip({
  folders: [{ contents: contents.slice(0, 2), coders: [{ id: "040108" }], packs: [deflateRawSync(contents.slice(0, 2).join(""))] }, { contents: contents.slice(2) }],
  files: [{ name: "d", empty: "directory" }, { name: "a.txt" }, { name: "b.txt" }, { name: "c.txt" }],
  layers: 1,
});

/** True when nothing was said to be wrong although a content is missing. */
function isFalselyWhole(found: ReadContainer): boolean {
  if (found.omissions.length > 0 || found.anomalies.length > 0) return false;
  if (found.members.some(({ state }) => state !== "ok" && state !== "none")) return false;
  const read = new Set(found.members.map(({ bytes }) => bytes?.toString()));
  return contents.some((text) => !read.has(text));
}

test("an archive cut at any byte is never taken for a whole one", async () => {
  for (let length = 0; length < sample.byteLength; length += 1) {
    const found = await readContainer(sevenZip, sample.subarray(0, length));
    expect(found.omissions.length, `cut at ${String(length)}`).toBeGreaterThan(0);
  }
});

test("a flipped byte gives no content that passes for another, and no archive that passes for whole", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: sample.byteLength - 1 }), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const bytes = Buffer.from(sample);
      bytes[at] = (bytes[at] ?? 0) ^ change;
      const found = await readContainer(sevenZip, bytes);
      for (const { state, bytes: content } of found.members) if (state === "ok" && content !== undefined) expect(contents).toContain(content.toString());
      expect(isFalselyWhole(found)).toBe(false);
    }),
    { numRuns: 300 },
  );
});

describe("lists of members", () => {
  test("random bytes and flipped lists behind right checksums are read to an end", async () => {
    const list = buildSevenZip({
      folders: [{ contents: ["alpha", "beta"] }, { contents: ["gamma"] }],
      files: [{ name: "a", attributes: 0x20 }, { name: "b" }, { name: "c" }, { name: "e", empty: "file" }],
    }).subarray(32 + 14);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat({ max: list.byteLength - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 }), async (changes) => {
        const changed = Buffer.from(list);
        for (const [at, value] of changes) changed[at] = value;
        const found = await readContainer(sevenZip, buildSevenZip({ folders: [{ contents: ["alphabetagamma"] }], files: [], list: changed }));
        expect(found.members.length).toBeLessThan(1000);
      }),
      { numRuns: 400 },
    );
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        await readContainer(sevenZip, buildSevenZip({ files: [], list: Buffer.from([1, 4, ...bytes]) }));
      }),
      { numRuns: 200 },
    );
  });
});

const coders: readonly BuiltCoder[] = [
  { id: "030101", properties: Buffer.from("5d00001000", "hex") },
  { id: "21", properties: Buffer.from([16]) },
  { id: "030401", properties: Buffer.from("0600000100", "hex") },
  { id: "030401", properties: Buffer.from("2000080000", "hex") },
  { id: "040108" },
  { id: "040109" },
  { id: "040202" },
  { id: "04f71101" },
  { id: "04f71104" },
];

describe("packed data", () => {
  test.each(coders)("random bytes for method $id end in bytes or in damage", async (coder) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 5, maxLength: 400 }), fc.nat({ max: 5000 }), async (bytes, size) => {
        // PPMd and LZMA start with a zero byte.
        const pack = Buffer.from([0, ...bytes]);
        const archive = buildSevenZip({ folders: [{ contents: ["x"], crcs: [0], coders: [coder], packs: [pack], sizes: [size] }], files: [{ name: "a" }] });
        const found = await readContainer(sevenZip, archive);
        expect(["broken", "crc32", "ok"]).toContain(found.members[0]?.state);
      }),
      { numRuns: 60 },
    );
  });

  test("random streams for BCJ2 end in bytes or in damage", async () => {
    const stream = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    const code = fc.array(fc.constantFrom(0xe8, 0xe9, 0x0f, 0x84, 0, 1), { maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(code, stream, stream, stream, async (main, calls, jumps, choices) => {
        const coder = { id: "0303011b", inputs: 4, outputs: 1 };
        const packs = [main, calls, jumps, Buffer.concat([Buffer.alloc(1), choices])];
        const archive = buildSevenZip({ folders: [{ contents: ["x"], crcs: [0], coders: [coder], packed: [0, 1, 2, 3], packs, sizes: [150] }], files: [{ name: "a" }] });
        const found = await readContainer(sevenZip, archive);
        expect(["broken", "crc32"]).toContain(found.members[0]?.state);
      }),
      { numRuns: 150 },
    );
  });
});

describe("bounds", () => {
  const zeros = buildSevenZip({
    folders: [{ contents: ["", "end"], coders: [{ id: "040108" }], packs: [deflateRawSync(Buffer.concat([Buffer.alloc(40_000_000), Buffer.from("end")]))], sizes: [40_000_003], declared: [40_000_000, 3] }],
    files: [{ name: "zeros" }, { name: "end" }],
  });

  test("a content is not decoded when nobody reads it, and those behind it are reached", async () => {
    const found = await readContainer(sevenZip, zeros, { maximum: 1_000_000 });
    expect(found.members.map(({ state }) => state)).toEqual(["maximum", "ok"]);
  });

  test("a content behind more bytes than the walk may read is named and not reached", async () => {
    const found = await readContainer(sevenZip, zeros, { maximum: 1_000_000, limits: { maxTotalBytes: 20_000_000 } });
    expect(found.members.map(({ state }) => state)).toEqual(["maximum", "limit"]);
  });

  test("a content can be read again, from the folder's start", async () => {
    const archive = buildSevenZip({ folders: [{ contents: ["alpha", "beta"] }], files: [{ name: "a" }, { name: "b" }] });
    const input = { report: { anomaly: vi.fn(), omission: vi.fn(), part: vi.fn() }, signal: new AbortController().signal, limits: limitsWith(), containerName: "", openBeside: () => undefined };
    const texts: string[] = [];
    for await (const { content } of sevenZip.entries(memorySource(archive), input)) {
      if (content === null || isUnavailable(content)) continue;
      for (let time = 0; time < 2; time += 1) for await (const piece of content.stream()) texts.push(Buffer.from(piece).toString());
    }
    expect(texts).toEqual(["alpha", "alpha", "beta", "beta"]);
  });

  test("reading ends when it is cancelled", async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(readContainer(sevenZip, zeros, { signal: controller.signal })).rejects.toMatchObject({ code: "cancelled" });
  });
});
