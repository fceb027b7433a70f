import fc from "fast-check";
import { expect, test } from "vitest";
import { AddressSet } from "./address-set.js";

test("the floor is the greatest member at or below an offset, whatever was added and deleted", () => {
  const offset = fc.nat({ max: 4999 });
  fc.assert(
    fc.property(fc.array(offset), fc.array(offset), offset, (added, deleted, asked) => {
      const set = new AddressSet(5000);
      const model = new Set(added);
      for (const one of added) set.add(one);
      for (const one of deleted) {
        set.delete(one);
        model.delete(one);
      }
      const below = [...model].filter((one) => one <= asked);
      expect(set.floor(asked)).toBe(below.length === 0 ? -1 : Math.max(...below));
      expect(set.has(asked)).toBe(model.has(asked));
    }),
  );
});
