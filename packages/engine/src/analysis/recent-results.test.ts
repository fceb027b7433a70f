import { expect, test } from "vitest";
import { RecentResults } from "./recent-results.js";

test("a result is computed once while it is kept, and again after others have taken its room", () => {
  const results = new RecentResults<string>(7);
  const computed: number[] = [];
  const get = (entry: number) =>
    results.get(
      entry,
      () => {
        computed.push(entry);
        return `of ${String(entry)}`;
      },
      () => 2,
    );
  // Each takes three of seven, so two have room; 1 is used again before 3 arrives, and 2 goes.
  expect([1, 2, 1, 3, 1, 2].map(get)).toEqual(["of 1", "of 2", "of 1", "of 3", "of 1", "of 2"]);
  expect(computed).toEqual([1, 2, 3, 2]);
});

test("a result too large to be kept is given all the same, and an attempt that throws leaves nothing behind", () => {
  const results = new RecentResults<number>(3);
  let attempts = 0;
  const get = () =>
    results.get(
      1,
      () => {
        attempts += 1;
        if (attempts === 1) throw new Error("stopped");
        return attempts;
      },
      () => 10,
    );
  expect(get).toThrow("stopped");
  expect([get(), get()]).toEqual([2, 3]);
});
