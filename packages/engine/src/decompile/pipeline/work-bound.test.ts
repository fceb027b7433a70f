import { describe, expect, test } from "vitest";
import { TooMuchWork, WorkBound } from "./work-bound.js";

describe("the bound of work", () => {
  test("ends what takes more units than it may, and nothing that takes as many", () => {
    const bound = new WorkBound();
    expect(bound.within(10, () => { bound.spend(4); bound.spend(6); return "done"; })).toBe("done");
    expect(() => bound.within(10, () => { bound.spend(4); bound.spend(7); })).toThrow(TooMuchWork);
  });

  test("of what runs inside another is its own, and counts nothing there, also when it is passed", () => {
    const bound = new WorkBound();
    const outer = () => {
      bound.spend(5);
      expect(() => bound.within(3, () => { bound.spend(4); })).toThrow(TooMuchWork);
      bound.within(100, () => { bound.spend(100); });
      bound.spend(5);
      return "done";
    };
    expect(bound.within(10, outer)).toBe("done");
  });

  test("outside of any, everything may go on until whoever waits gives up", () => {
    const bound = new WorkBound();
    bound.spend(1e9);
    bound.ask(() => { throw new Error("given up"); });
    expect(() => { bound.spend(); }).toThrow("given up");
  });
});
