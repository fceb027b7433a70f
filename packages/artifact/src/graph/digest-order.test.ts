import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256Hex } from "@rea/core";
import { orderOfDigests } from "./digest-order.js";

const pace = { due: () => false, take: () => Promise.resolve() };

async function inOrder(digests: readonly string[]): Promise<readonly number[]> {
  return [...(await orderOfDigests(digests, pace))];
}

/** As the language sorts texts, equal ones in the order in which they came. */
function judged(digests: readonly string[]): readonly number[] {
  const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
  return digests.map((_, index) => index).sort((a, b) => compare(digests[a] ?? "", digests[b] ?? ""));
}

test("digests come in the order of their texts, whatever their beginnings have in common", async () => {
  const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${String(length)}}$`, "u"));
  // Few beginnings, so that many digests share one.
  const digest = fc.oneof(digits(9), fc.tuple(fc.constantFrom("0000000", "0fffffff", "abcdef1"), digits(2)).map((parts) => parts.join("").padEnd(9, "0").slice(0, 9)), fc.constant(""));
  await fc.assert(
    fc.asyncProperty(fc.array(digest, { maxLength: 200 }), async (digests) => {
      expect(await inOrder(digests)).toEqual(judged(digests));
    }),
  );
});

test("more digests than are sorted at once are merged", async () => {
  const digests = Array.from({ length: 150_000 }, (_, index) => sha256Hex(String(index % 149_000)));
  expect(await inOrder(digests)).toEqual(judged(digests));
});
