import { expect, test } from "vitest";
import { isMarked, markOperands, operandText } from "./operands.js";

test("what follows -- is an operand that no parser takes for an option, and reads back as it was written", () => {
  const operands = ["-dash", "plain", "--", "--x", "true"];
  const marked = markOperands(["search", "--limit", "3", "--", ...operands]);
  expect(marked.slice(0, 3)).toEqual(["search", "--limit", "3"]);
  expect(marked.slice(3).every((word) => isMarked(word) && !word.startsWith("-"))).toBe(true);
  expect(marked.slice(3).map(operandText)).toEqual(operands);
});

test("without -- nothing changes, and a line that begins with it still names a command", () => {
  expect(markOperands(["analyze", "-x"])).toEqual(["analyze", "-x"]);
  expect(markOperands(["--", "analyze", "-x"]).map(operandText)).toEqual(["analyze", "-x"]);
  expect(markOperands(["--", "analyze"])).toEqual(["analyze"]);
});
