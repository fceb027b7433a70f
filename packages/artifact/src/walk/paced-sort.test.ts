import fc from "fast-check";
import { expect, test } from "vitest";
import { pacedSort } from "./paced-sort.js";

test("the order is that of the host's own sort, equal items staying as they were, and turns are taken", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 14_000 }), fc.integer({ min: 1, max: 5000 }), async (length, kinds) => {
      const items = Array.from({ length }, (_, index) => ({ key: (index * 7919) % kinds, index }));
      let turns = 0;
      const pace = { due: () => true, take: () => Promise.resolve(void (turns += 1)) };
      const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
      expect(await pacedSort(items, compare, pace)).toEqual([...items].sort(compare));
      expect(turns).toBeGreaterThanOrEqual(Math.ceil(length / 4096));
    }),
    { numRuns: 25 },
  );
});
