import fc from "fast-check";
import { crc32, deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { sevenZip } from "../../src/formats/sevenzip/index.js";
import { artifactOfBytes, inventory } from "../../src/index.js";
import { kindsOf, readContainer } from "../read-container.js";
import { buildSevenZip } from "./build-sevenzip.js";
import { codeSample, packedSample, packedSamples, textSample } from "./packed-samples.js";

describe("archives that 7z packed", () => {
  test.each(packedSamples)("%s: contents are those that were packed", async (name) => {
    const found = await readContainer(sevenZip, packedSample(name));
    expect([kindsOf(found), found.omissions, found.members.map(({ state }) => state)]).toEqual([[], [], ["ok", "ok"]]);
    expect(found.members.find((member) => member.name === "text")?.bytes?.equals(textSample)).toBe(true);
    expect(found.members.find((member) => member.name === "code")?.bytes?.equals(codeSample)).toBe(true);
  });

  test.each(packedSamples)("%s: changed archives give no other content that passes for whole", async (name) => {
    const sample = packedSample(name);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: sample.byteLength - 1 }), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const bytes = Buffer.from(sample);
        bytes[at] = (bytes[at] ?? 0) ^ change;
        const found = await readContainer(sevenZip, bytes, { maximum: 1_000_000 });
        for (const { state, bytes: content } of found.members) {
          if (state === "ok" && content !== undefined && content.byteLength > 0) expect(content.equals(textSample) || content.equals(codeSample)).toBe(true);
        }
      }),
      { numRuns: 80 },
    );
  });
});

describe("7z archives in a walk", () => {
  const inner = buildSevenZip({ folders: [{ contents: ["alpha", "beta"] }], files: [{ name: "x/a" }, { name: "x/b" }] });

  test("archives inside a solid folder are opened, and what follows them is read", async () => {
    const pack = Buffer.concat([inner, Buffer.from("after")]);
    const outer = buildSevenZip({
      folders: [{ contents: ["", ""], packs: [pack], sizes: [pack.byteLength], declared: [pack.byteLength - 5, 5], crcs: [...crcsOf(pack)] }],
      files: [{ name: "in.7z" }, { name: "after" }],
    });
    const { graph, anomalies, omissions } = await inventory(artifactOfBytes(outer, "out.7z"));
    expect(graph.occurrences.map(({ logical_path, hash_status }) => [logical_path, hash_status]).sort()).toEqual([
      [".", "verified"],
      ["after", "verified"],
      ["in.7z!/x", "verified"],
      ["in.7z!/x/a", "verified"],
      ["in.7z!/x/b", "verified"],
      ["in.7z", "verified"],
    ]);
    expect([anomalies, omissions]).toEqual([[], []]);
  });

  test("a dictionary that is not allocated is a bound, not damage", async () => {
    const coders = [{ id: "030101", properties: Buffer.from("5dffffffff", "hex") }];
    const archive = buildSevenZip({ folders: [{ contents: ["alpha"], coders, sizes: [2 ** 32 - 1] }, { contents: ["beta"] }], files: [{ name: "a" }, { name: "b" }] });
    const { graph, omissions } = await inventory(artifactOfBytes(archive, "a.7z"));
    expect(graph.occurrences.map(({ logical_path, hash_status }) => [logical_path, hash_status]).sort()).toEqual([
      [".", "verified"],
      ["a", "not-hashed-limit"],
      ["b", "verified"],
    ]);
    expect(omissions.map(({ reason }) => reason)).toEqual(["limit_operations"]);
  });

  test("a solid folder of zeros stays within the bounds", async () => {
    const zeros = deflateRawSync(Buffer.alloc(60_000_000));
    const archive = buildSevenZip({
      folders: [{ contents: ["", ""], coders: [{ id: "040108" }], packs: [zeros], sizes: [60_000_000], declared: [30_000_000, 30_000_000], crcs: [0, 0] }],
      files: [{ name: "a" }, { name: "b" }],
    });
    const { graph, omissions } = await inventory(artifactOfBytes(archive, "a.7z"), { limits: { maxCompressionRatio: 100 } });
    expect(graph.occurrences.filter(({ hash_status }) => hash_status === "not-hashed-limit").map(({ logical_path }) => logical_path)).toEqual(["a", "b"]);
    expect(omissions.map(({ reason }) => reason)).toEqual(["limit_ratio"]);
  });
});

/** CRC-32 of all but the last five bytes, and of those. */
function* crcsOf(pack: Buffer): Generator<number> {
  yield crc32(pack.subarray(0, -5));
  yield crc32(pack.subarray(-5));
}
