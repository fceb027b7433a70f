import { memorySource } from "@rea/core";
import { expect, test } from "vitest";

import { readMachO } from "../src/macho/index.js";
import { buildSmallMachO, smallMachO } from "./macho-builder.js";

/** Words of the table in the small sample: where the run of language-specific data starts and ends, and the run itself. */
const runStart = smallMachO.unwind + 0x24;
const runEnd = smallMachO.unwind + 0x30;
const run = smallMachO.unwind + 0x50;

function withLandingPads(functionOffset: number): readonly (readonly [bigint, bigint | undefined, bigint | undefined])[] {
  const bytes = buildSmallMachO();
  bytes.writeUInt32LE(0x50, runStart);
  bytes.writeUInt32LE(0x58, runEnd);
  bytes.writeUInt32LE(functionOffset, run);
  bytes.writeUInt32LE(0x900, run + 4);
  const ranges = readMachO(memorySource(bytes)).unwindRanges().items.filter(({ source }) => source === "unwind-info");
  return ranges.map(({ start, end, lsda }) => [start - smallMachO.base, end === undefined ? undefined : end - smallMachO.base, lsda === undefined ? undefined : lsda - smallMachO.base]);
}

test("a function with language-specific data reaches to the next entry of the compact unwind table", () => {
  expect(withLandingPads(0x800)).toEqual([
    [0x800n, 0x820n, 0x900n],
    [0x820n, undefined, undefined],
  ]);
});

test("the last function with language-specific data reaches to the end of the described code", () => {
  expect(withLandingPads(0x820)).toEqual([
    [0x800n, undefined, undefined],
    [0x820n, 0x840n, 0x900n],
  ]);
});

test("an entry without language-specific data has no end, because linkers fold equal neighbours into it", () => {
  expect(withLandingPads(0x810).map(([, end]) => end)).toEqual([undefined, undefined]);
});
