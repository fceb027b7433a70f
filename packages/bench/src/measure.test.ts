import { expect, test } from "vitest";
import { measure, median } from "./measure.js";
import { ratioTable } from "./ratio-table.js";

test("a contender that cannot run is named with its reason, and the others are measured", async () => {
  let runs = 0;
  const measurements = await measure({
    name: "nothing",
    rounds: 3,
    reference: { label: "reference", run: () => undefined },
    contenders: [
      { label: "works", run: () => void (runs += 1) },
      { label: "absent", unavailable: "no such program", run: () => undefined },
    ],
  });
  expect(runs).toBe(4);
  expect(measurements.map(({ label, note }) => [label, note])).toEqual([
    ["reference", ""],
    ["works", ""],
    ["absent", "skipped: no such program"],
  ]);
  expect(measurements[0]?.ratio).toBe(1);
  expect(measurements[2]?.medianMs).toBeNull();
});

test("the median of an even number of values lies between the two in the middle", () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([3, 1, 2])).toBe(2);
  expect(median([])).toBeNull();
});

test("the table aligns its columns", () => {
  const table = ratioTable("start", [
    { label: "node", medianMs: 40, ratio: 1, cpu: null, note: "" },
    { label: "rea --version", medianMs: 123.45, ratio: 3.1, cpu: null, note: "" },
  ]);
  expect(table.split("\n")).toEqual([
    "start",
    "                 median ms  ratio",
    "  node                40.0   1.00",
    "  rea --version      123.5   3.10",
  ]);
});

test("CPU time has columns of its own where it is known", () => {
  const table = ratioTable("start", [
    { label: "node", medianMs: 40, ratio: 1, cpu: { medianMs: 30, ratio: 1 }, note: "" },
    { label: "rea", medianMs: 120, ratio: 3, cpu: { medianMs: 150, ratio: 5 }, note: "" },
    { label: "absent", medianMs: null, ratio: null, cpu: null, note: "skipped: no such program" },
  ]);
  expect(table.split("\n")).toEqual([
    "start",
    "          median ms  ratio  CPU ms  ratio",
    "  node         40.0   1.00      30   1.00",
    "  rea         120.0   3.00     150   5.00",
    "  absent          –      –       –      –  skipped: no such program",
  ]);
});
