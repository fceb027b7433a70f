import { memorySource } from "@rea/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changedRanges, type RangeOptions } from "./index.js";

const options = (more: Partial<RangeOptions> = {}): RangeOptions => ({ signal: new AbortController().signal, ...more });
const of = (left: Uint8Array, right: Uint8Array, more: Partial<RangeOptions> = {}) =>
  changedRanges(memorySource(left), memorySource(right), options(more));
const range = (leftOffset: number, leftBytes: number, rightOffset = leftOffset, rightBytes = leftBytes) => ({ leftOffset, leftBytes, rightOffset, rightBytes });

describe("changed ranges", () => {
  test("of contents of one size are the bytes that differ, near ones joined", async () => {
    const left = new Uint8Array(4096);
    const right = left.slice();
    for (const at of [10, 12, 100]) right[at] = 1;
    expect(await of(left, right)).toEqual({ ranges: [range(10, 3), range(100, 1)], total: 2, leftBytes: 4, rightBytes: 4 });
    expect((await of(left, right, { joinBytes: 1 })).ranges).toEqual([range(10, 1), range(12, 1), range(100, 1)]);
    expect(await of(left, left)).toEqual({ ranges: [], total: 0, leftBytes: 0, rightBytes: 0 });
  });

  test("reach over the pieces in which contents are read", async () => {
    const left = new Uint8Array((1 << 20) + 100);
    const right = left.slice();
    right.fill(1, (1 << 20) - 5, (1 << 20) + 5);
    expect((await of(left, right)).ranges).toEqual([range((1 << 20) - 5, 10)]);
  });

  test("of contents of different sizes are what lies between the common beginning and the common end", async () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect((await of(bytes("head tail"), bytes("head more tail"))).ranges).toEqual([range(5, 0, 5, 5)]);
    expect((await of(bytes("aaaa"), bytes("aaa"))).ranges).toEqual([range(3, 1, 3, 0)]);
    expect((await of(bytes(""), bytes("x"))).ranges).toEqual([range(0, 0, 0, 1)]);
  });

  test("beyond the maximum are counted and not listed", async () => {
    const left = new Uint8Array(10_000);
    const right = left.map((_, index) => (index % 100 === 0 ? 1 : 0));
    expect(await of(left, right, { maximum: 3 })).toMatchObject({ total: 100, leftBytes: 100, ranges: [range(0, 1), range(100, 1), range(200, 1)] });
  });

  test("stop when the call is cancelled", async () => {
    await expect(of(new Uint8Array(8), new Uint8Array(8), { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "cancelled" });
  });

  test("put over the left side give the right side", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 200 }), async (left, right) => {
        const { ranges, total } = await of(left, right, { maximum: 1000 });
        expect(total).toBe(ranges.length);
        const parts: Uint8Array[] = [];
        let at = 0;
        for (const { leftOffset, leftBytes, rightOffset, rightBytes } of ranges) {
          parts.push(left.subarray(at, leftOffset), right.subarray(rightOffset, rightOffset + rightBytes));
          at = leftOffset + leftBytes;
        }
        expect(Buffer.concat([...parts, left.subarray(at)]).equals(right)).toBe(true);
      }),
    );
  });
});
