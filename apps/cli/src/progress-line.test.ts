import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ProgressLine } from "./progress-line.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function shown(work: (line: ProgressLine) => void): string {
  let text = "";
  vi.spyOn(process.stderr, "write").mockImplementation((piece) => {
    text += String(piece);
    return true;
  });
  work(new ProgressLine());
  return text;
}

test("work of under a second shows nothing, longer work its phases", () => {
  const text = shown((line) => {
    line.report({ phase: "hashing", completed: 1, message: "Hashing." });
    vi.advanceTimersByTime(1_500);
    line.report({ phase: "code", completed: 2, message: "Reading code." });
  });
  expect(text).toContain("Reading code.");
  expect(text).not.toContain("Hashing.");
});

test("the end of a call is not shown, whichever it is: its result tells", () => {
  const text = shown((line) => {
    vi.advanceTimersByTime(1_500);
    line.report({ phase: "done", completed: 1, message: "The call is complete." });
    line.report({ phase: "failed", completed: 1, message: "The call has failed." });
  });
  expect(text).toBe("");
});
