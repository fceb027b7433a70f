import { expect, test } from "vitest";
import { wordsToReadAhead } from "./read-ahead.js";

test("a file is read ahead unless no engine, another engine, or a snapshot is to answer", () => {
  const words = ["/bin/ls", "--json"];
  expect(wordsToReadAhead(["analyze", ...words])).toEqual(words);
  expect(wordsToReadAhead(["analyze", ...words, "--provider", "auto"])).toContain("/bin/ls");
  expect(wordsToReadAhead(["analyze", ...words, "--snapshot", "/there/is/no/such.json"])).toContain("/bin/ls");
  for (const command of [
    ["analyze", ...words, "--provider", "ghidra"],
    ["analyze", ...words, "--provider=ghidra"],
    ["analyze", ...words, `--snapshot=${import.meta.filename}`],
    ["cross-check", ...words],
    ["capture-process", ...words],
    [],
  ]) expect(wordsToReadAhead(command)).toEqual([]);
});
