import { describe, expect, test } from "vitest";

import { createProgress, silentProgress, type ProgressUpdate } from "./progress.js";

function recorded(): { sent: ProgressUpdate[]; at: (time: number) => void; progress: ReturnType<typeof createProgress> } {
  const sent: ProgressUpdate[] = [];
  let time = 0;
  const progress = createProgress((update) => sent.push(update), { now: () => time });
  return { sent, at: (next) => (time = next), progress };
}

const step = (completed: number, total?: number): ProgressUpdate => ({
  phase: "hash",
  completed,
  ...(total === undefined ? {} : { total }),
  message: "Hashing.",
});

describe("createProgress", () => {
  test("sends one intermediate update per 100 ms and drops the others", () => {
    const { sent, at, progress } = recorded();
    for (const [time, completed] of [[0, 1], [99, 2], [100, 3], [150, 4], [199, 5], [200, 6]] as const) {
      at(time);
      progress.report(step(completed));
    }
    expect(sent.map(({ completed }) => completed)).toEqual([1, 3, 6]);
  });

  test("always sends the terminal update and takes over what it does not say", () => {
    const { sent, progress } = recorded();
    progress.report(step(1, 10));
    progress.report(step(7, 10));
    progress.finish({ phase: "done", message: "Done." });
    expect(sent.at(-1)).toEqual({ phase: "done", completed: 7, total: 10, message: "Done." });
  });

  test("a call that never reported still ends with a terminal update without a total", () => {
    const { sent, progress } = recorded();
    progress.finish({ phase: "done", message: "Done." });
    expect(sent).toEqual([{ phase: "done", completed: 0, message: "Done." }]);
  });

  test("drops a total that the end has passed instead of inventing one", () => {
    const { sent, progress } = recorded();
    progress.report(step(1, 2));
    progress.finish({ phase: "done", message: "Done.", completed: 5 });
    expect(sent.at(-1)).toEqual({ phase: "done", completed: 5, message: "Done." });
  });

  test("nothing can follow the end", () => {
    const { sent, progress } = recorded();
    progress.finish({ phase: "done", message: "Done." });
    expect(() => progress.report(step(1))).toThrow("after the end");
    expect(() => progress.finish({ phase: "done", message: "Done." })).toThrow("after the end");
    expect(sent).toHaveLength(1);
  });

  test("completed never decreases, not even across phases or dropped updates", () => {
    const { progress } = recorded();
    progress.report(step(1));
    progress.report(step(5));
    expect(() => progress.report({ ...step(4), phase: "walk" })).toThrow("never decrease");
  });

  test("refuses infinite and negative numbers and a total below completed", () => {
    const { progress } = recorded();
    for (const update of [step(Number.NaN), step(Infinity), step(-1), step(2, 1), step(1, Number.NaN)]) {
      expect(() => progress.report(update)).toThrow();
    }
  });

  test("the silent reporter accepts everything", () => {
    expect(() => silentProgress.report(step(1))).not.toThrow();
  });
});
