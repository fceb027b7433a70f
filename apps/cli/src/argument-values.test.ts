import { resolve } from "node:path";
import type { CommandArgument } from "@rea/tool";
import { expect, test } from "vitest";
import { choiceOption, fileOption, localPath, operand, optionOf, positionalOf, textOption } from "./argument-values.js";

const argument: CommandArgument = { field: "limit", flag: "limit", type: "integer", array: false, required: false, description: "Items", minimum: 1, maximum: 500, path: false };
const coerced = (options: { coerce?: ((value: string) => unknown) | undefined }, value: unknown): unknown => Reflect.apply(options.coerce ?? String, undefined, [value]);

test("a number outside its bounds is a usage error that names the flag and the bounds", () => {
  for (const text of ["0", "-1", "501", "many", "1e3", "9".repeat(30)]) {
    expect(() => coerced(optionOf(argument), text)).toThrow("--limit takes a whole number from 1 to 500");
  }
  expect(coerced(optionOf(argument), "500")).toBe(500);
  expect(() => coerced(positionalOf(argument), "0")).toThrow("<limit> takes a whole number");
});

test("an option that takes one value is not given twice, a list may be", () => {
  expect(() => coerced(optionOf(argument), ["1", "2"])).toThrow("--limit is given more than once");
  expect(coerced(optionOf({ ...argument, array: true }), ["1", "2"])).toEqual([1, 2]);
  for (const option of [fileOption("output", ""), textOption("provider", ""), choiceOption("format", ["text"], "")]) {
    expect(() => coerced(option, ["text", "text"])).toThrow("given more than once");
  }
});

test("an empty path, file or text is a usage error", () => {
  expect(() => coerced(operand("path", ""), "")).toThrow("<path> is empty");
  expect(() => coerced(fileOption("output", ""), "")).toThrow("--output is empty");
  expect(() => coerced(optionOf({ ...argument, type: "string", path: true }), "")).toThrow("--limit is empty");
});

test("a URL is no local path, with and without slashes; an option that writes refuses it", () => {
  for (const url of ["file:/bin/ls", "file:///bin/ls", "FILE:ls", "https://x/y"]) {
    expect(localPath(url)).toBe(url);
    expect(() => coerced(fileOption("output", ""), url)).toThrow("--output takes a local path");
  }
  expect(localPath("./file:ls")).toBe(resolve("file:ls"));
  expect(localPath("a:b")).toBe(resolve("a:b"));
});
