import fc from "fast-check";
import { expect, test } from "vitest";
import { asar } from "../../src/formats/asar/index.js";
import { readContainer } from "../read-container.js";
import { buildAsar, fileNode } from "./build-asar.js";

const contents = ["alpha", "beta beta", "gamma"];
const sample = buildAsar(
  { files: { a: fileNode("alpha", 0), d: { files: { b: fileNode("beta beta", 5), l: { link: "a" } } }, c: fileNode("gamma", 14) } },
  contents.join(""),
);

test("an archive cut at any byte is never taken for a whole one", async () => {
  for (let length = 0; length < sample.byteLength; length += 1) {
    const found = await readContainer(asar, sample.subarray(0, length));
    const said = found.omissions.length > 0 || found.members.some(({ state }) => state !== "ok" && state !== "none");
    expect(said, `cut at ${String(length)}`).toBe(true);
  }
});

test("a flipped byte of data breaks the file that has it", async () => {
  const start = sample.byteLength - contents.join("").length;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: start, max: sample.byteLength - 1 }), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const bytes = Buffer.from(sample);
      bytes[at] = (bytes[at] ?? 0) ^ change;
      const found = await readContainer(asar, bytes);
      expect(found.members.filter(({ state }) => state === "digest").length).toBe(1);
    }),
    { numRuns: 60 },
  );
});

test("a flipped byte of the header is read to an end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: sample.byteLength - 1 }), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const bytes = Buffer.from(sample);
      bytes[at] = (bytes[at] ?? 0) ^ change;
      const found = await readContainer(asar, bytes);
      for (const { state, bytes: content, entry } of found.members) {
        const declared = entry.checks.some(({ kind }) => kind === "digest");
        if (state === "ok" && declared && content !== undefined) expect(contents).toContain(content.toString());
      }
    }),
    { numRuns: 400 },
  );
});

test("random text behind a header's sizes is read to an end", async () => {
  const token = fc.constantFrom("{", "}", "[", "]", ",", ":", '"files"', '"a"', '"size"', "1", "-", "null", '"', "\\", " ", '"offset"', '"0"', '"integrity"');
  await fc.assert(
    fc.asyncProperty(fc.array(token, { maxLength: 60 }), async (tokens) => {
      await readContainer(asar, buildAsar(tokens.join(""), "data"));
    }),
    { numRuns: 300 },
  );
});
