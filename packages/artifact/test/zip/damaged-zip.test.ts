import fc from "fast-check";
import { expect, test } from "vitest";
import { zipFormats } from "../../src/formats/zip/index.js";
import { readContainer, type ReadContainer } from "../read-container.js";
import { buildZip } from "./build-zip.js";

const sample = buildZip(
  [
    { name: "a.txt", content: "alpha" },
    { name: "b.txt", content: "beta ".repeat(40), method: 8 },
    { name: "c.txt", content: "gamma ".repeat(20), method: 8, descriptor: "signed" },
    { name: "d/", content: "" },
    { name: "h.txt", content: "hidden", hidden: true },
    { name: "e.txt", content: "epsilon", zip64: true },
  ],
  { zip64: "all", comment: "a comment" },
);
const contents: readonly string[] = ["alpha", "beta ".repeat(40), "gamma ".repeat(20), "hidden", "epsilon"];

/** True when nothing was said to be wrong although something is missing or other than it was. */
function isFalselyWhole(found: ReadContainer): boolean {
  if (found.omissions.length > 0 || found.anomalies.some(({ anomaly }) => anomaly !== "orphan_local_entry")) return false;
  if (found.members.some(({ state }) => state !== "ok" && state !== "none")) return false;
  // Names are not compared: nothing proves them, so that of a member with one header only can change unseen. A mode can make a link of a file.
  const read = new Set(found.members.map(({ bytes, entry }) => (bytes ?? Buffer.from(entry.linkTarget ?? "")).toString()));
  return contents.some((text) => !read.has(text));
}

test("an archive cut at any byte is never taken for a whole one", async () => {
  for (let length = 0; length < sample.byteLength; length += 1) {
    const found = await readContainer(zipFormats[0], sample.subarray(0, length));
    expect(found.omissions.length, `cut at ${String(length)}`).toBeGreaterThan(0);
  }
});

test("a flipped byte gives no content that passes for another, and no archive that passes for whole", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: sample.byteLength - 1 }), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const bytes = Buffer.from(sample);
      bytes[at] = (bytes[at] ?? 0) ^ change;
      const found = await readContainer(zipFormats[0], bytes);
      for (const { state, bytes: content } of found.members) {
        if (state === "ok" && content !== undefined && content.byteLength > 0) expect(contents).toContain(content.toString());
      }
      expect(isFalselyWhole(found)).toBe(false);
    }),
    { numRuns: 250 },
  );
});

test("random bytes with the records' signatures among them are read to an end", async () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.constantFrom("PK\u0001\u0002", "PK\u0003\u0004", "PK\u0005\u0006", "PK\u0006\u0006", "PK\u0006\u0007", "PK\u0007\u0008").map((text) => Buffer.from(text, "latin1")),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      await readContainer(zipFormats[0], Buffer.concat(pieces));
    }),
    { numRuns: 200 },
  );
});
