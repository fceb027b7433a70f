import { describe, expect, it } from "vitest";
import { fittingPageOf } from "./fitting-page.js";

describe("a page that fits a reply", () => {
  it("ends before it is too large, goes on where it ended, and holds at least one item", () => {
    const all = Array.from({ length: 9 }, (_, at) => ({ at, text: "x".repeat(100 * 1024) }));
    const seen: number[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: ReturnType<typeof fittingPageOf<(typeof all)[number], number>> = fittingPageOf(all, { offset, limit: 500 }, ({ at }) => at);
      seen.push(...page.items);
      offset = page.next_offset;
    }
    expect(seen).toEqual(all.map(({ at }) => at));
    const first = fittingPageOf(all, { offset: 0, limit: 500 }, (item) => item);
    expect([first.items.length, first.next_offset, first.has_more, first.total]).toEqual([3, 3, true, 9]);
    expect(fittingPageOf([{ text: "x".repeat(1024 * 1024) }, {}], { offset: 0, limit: 2 }, (item) => item)).toMatchObject({ next_offset: 1, items: [{}] });
    expect(fittingPageOf([1, 2], { offset: 0, limit: 2 }, (item) => item)).toMatchObject({ next_offset: null, has_more: false });
  });
});
