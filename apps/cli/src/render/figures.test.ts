import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { commandLine } from "./figures.js";

test("a suggested command shows no character that a terminal acts on, and the shell reads the same path back", () => {
  for (const path of ["plain", "two words", "it's", "back\\slash\n", "right\u202Eleft", "soft\u00ADhyphen \u{E0041}", "\u001B[31m", "\u0085"]) {
    const line = commandLine(["analyze", "PATH"], path);
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u);
    expect(execFileSync("bash", ["-c", `rea() { printf %s "$2"; }; ${line}`], { encoding: "utf8" })).toBe(path);
  }
});

test("a path that begins with a dash stays an operand", () => {
  expect(commandLine(["function", "PATH", "0x10"], "-dash")).toBe("rea function ./-dash 0x10");
});
