import { toCommandLine } from "@rea/tool";
import { tools } from "@rea/tools";
import { expect, test } from "vitest";
import { argumentNames, requireUsableInput } from "./input-problems.js";

function problem(name: string, input: Record<string, unknown>): string {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(name);
  try {
    requireUsableInput(tool, input, argumentNames(toCommandLine(tool)));
    return "";
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : "";
  }
}

test("an address that is none is a usage error that names the argument and what it takes", () => {
  expect(problem("xrefs", { address: "zzz" })).toBe("UsageError: <address> must be an address such as 0x401000");
  expect(problem("xrefs", { address: `0x1${"0".repeat(16)}` })).toBe("UsageError: <address> must be an address below 2^64");
  expect(problem("xrefs", { address: "0x10" })).toBe("");
});

test("a number out of range and an empty text name their option", () => {
  expect(problem("list_procedures", { limit: 0 })).toBe("UsageError: --limit must be at least 1");
  expect(problem("search_procedures", { pattern: "" })).toMatch(/(--pattern|<pattern>) must not be empty/);
});
