import fc from "fast-check";
import { expect, test } from "vitest";
import { ole } from "../../src/formats/ole/index.js";
import { readContainer } from "../read-container.js";
import { mixedText } from "../zip/programs.js";
import { buildOle } from "./build-ole.js";

const large = mixedText(6000);
const sample = buildOle({ members: [{ name: "a", content: Buffer.from("alpha") }, { name: "b", content: large }, { name: "s", members: [{ name: "c", content: Buffer.from("gamma") }] }] });

test("a file cut at any byte is never taken for a whole one", async () => {
  for (let length = 0; length < sample.byteLength; length += 7) {
    const found = await readContainer(ole, sample.subarray(0, length));
    const isNamed = found.omissions.length > 0 || found.anomalies.length > 0 || found.members.some(({ state }) => state === "broken");
    expect(isNamed, `cut at ${String(length)}`).toBe(true);
  }
});

test("changed structures are read to an end", async () => {
  // Header, directory and tables; contents have no checksum.
  const structures = [...Array.from({ length: 512 }, (_, at) => at), ...Array.from({ length: sample.byteLength - 512 - 12 * 512 }, (_, at) => 512 + 12 * 512 + at)];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat({ max: structures.length - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 }), async (changes) => {
      const bytes = Buffer.from(sample);
      for (const [index, value] of changes) bytes[structures[index] ?? 0] = value;
      const found = await readContainer(ole, bytes);
      expect(found.members.length).toBeLessThan(200);
    }),
    { numRuns: 400 },
  );
});

test("random sectors behind a header are read to an end", async () => {
  const words = fc.oneof(fc.nat({ max: 12 }), fc.constantFrom(0xfffffffe, 0xffffffff, 0xfffffffd, 0xfffffffc), fc.nat());
  await fc.assert(
    fc.asyncProperty(fc.array(words, { minLength: 128, maxLength: 1280 }), async (numbers) => {
      const body = Buffer.alloc(numbers.length * 4);
      numbers.forEach((value, index) => body.writeUInt32LE(value >>> 0, index * 4));
      const header = Buffer.from(sample.subarray(0, 512));
      for (const [offset, index] of [[48, 0], [60, 1], [68, 2], [76, 3], [80, 4]] as const) header.writeUInt32LE((numbers[index] ?? 0) % 12, offset);
      await readContainer(ole, Buffer.concat([header, body]), { maximum: 100_000 });
    }),
    { numRuns: 200 },
  );
});
