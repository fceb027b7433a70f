import { memorySource } from "@rea/core";
import { expect, test } from "vitest";

import { entropyMillibits } from "./entropy.js";

function entropy(bytes: readonly number[]): number {
  return entropyMillibits(memorySource(Uint8Array.from(bytes)), { offset: 0, size: bytes.length });
}

test("entropy is 0 for one value, 1000 for two, 8000 for all values alike", () => {
  expect(entropy([])).toBe(0);
  expect(entropy([7, 7, 7, 7, 7])).toBe(0);
  expect(entropy([1, 2, 1, 2])).toBe(1000);
  expect(entropy(Array.from({ length: 1024 }, (_, index) => index % 256))).toBe(8000);
});

test("entropy of uneven shares is rounded to a thousandth of a bit", () => {
  // -(3/4)·log2(3/4) - (1/4)·log2(1/4) = 0.8113
  expect(entropy([1, 1, 1, 2])).toBe(811);
});
