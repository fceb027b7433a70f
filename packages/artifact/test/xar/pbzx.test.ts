import fc from "fast-check";
import { expect, test } from "vitest";
import { pbzxFormat } from "../../src/formats/xar/pbzx-format.js";
import { collect, sha256 } from "../sequential/collect-entries.js";
import { compressedSample, plainSample } from "../codecs/compressed-samples.js";
import { hasProgram } from "../zip/programs.js";
import { buildPbzx, u64, xzOf } from "./build-pbzx.js";

const stored = buildPbzx(plainSample);
const sample = Buffer.concat([Buffer.from("pbzx"), u64(1 << 24), u64(plainSample.byteLength), u64(compressedSample("xz").byteLength), compressedSample("xz")]);

test.each([
  ["stored", stored],
  ["compressed", sample],
])("a %s chunk gives its bytes", async (_title, bytes) => {
  const seen = await collect(pbzxFormat, bytes, { containerName: "Payload" });
  expect(seen.entries.map(({ name, sha256: digest }) => [name, digest])).toEqual([["Payload", sha256(plainSample)]]);
  expect([seen.anomalies, seen.omissions]).toEqual([[], []]);
});

test("data cut anywhere breaks", async () => {
  for (const bytes of [stored.subarray(0, 400), sample]) {
    for (let length = 1; length < bytes.byteLength; length += 1) {
      if (length === 12) continue;
      const seen = await collect(pbzxFormat, bytes.subarray(0, length));
      expect(seen.entries[0]?.problem, String(length)).toBeDefined();
    }
  }
});

test("data behind the last chunk is told", async () => {
  const seen = await collect(pbzxFormat, Buffer.concat([sample, Buffer.from("hidden")]));
  expect(seen.anomalies.map(({ anomaly }) => anomaly)).toEqual(["trailing_data"]);
});

test("a chunk that declares another size breaks", async () => {
  const bytes = Buffer.from(sample);
  bytes.writeBigUInt64BE(7n, 12);
  expect((await collect(pbzxFormat, bytes)).entries[0]?.problem).toMatch(/size it declares/);
});

test("damaged bytes never crash the reader", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(sample.byteLength - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }), async (changes) => {
      const damaged = Buffer.from(sample);
      for (const [at, value] of changes) damaged[at] = value;
      const [entry] = (await collect(pbzxFormat, damaged)).entries;
      if (entry?.problem === undefined) expect(entry?.sha256).toBe(sha256(plainSample));
    }),
    { numRuns: 150 },
  );
});

test.skipIf(!hasProgram("xz"))("chunks of 16 MiB that the xz program compressed are joined", async () => {
  const plain = Buffer.alloc((1 << 24) + 5000, "all of it the same, or nearly so; ");
  const seen = await collect(pbzxFormat, buildPbzx(plain, { compress: xzOf }), { pieceBytes: 1 << 16 });
  expect(seen.entries[0]?.sha256).toBe(sha256(plain));
  expect([seen.anomalies, seen.omissions]).toEqual([[], []]);
});
