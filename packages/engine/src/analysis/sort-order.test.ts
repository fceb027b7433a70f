import fc from "fast-check";
import { expect, test } from "vitest";
import { firstAtLeast, sortedOrder } from "./sort-order.js";

const numbers = fc.array(fc.oneof(fc.nat({ max: 100 }), fc.maxSafeNat()));

test("the order sorts any safe numbers and keeps equal ones as they were", () => {
  fc.assert(
    fc.property(numbers, (values) => {
      const expected = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value || a.index - b.index);
      expect([...sortedOrder(Float64Array.from(values))]).toEqual(expected.map((one) => one.index));
    }),
  );
});

test("the first item at least as large is where the value would be inserted", () => {
  fc.assert(
    fc.property(numbers, fc.maxSafeNat(), (values, asked) => {
      const sorted = Float64Array.from(values).sort();
      expect(firstAtLeast(sorted, asked)).toBe(values.filter((value) => value < asked).length);
    }),
  );
});
