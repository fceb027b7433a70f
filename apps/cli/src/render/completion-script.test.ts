import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { bashCompletion, fishCompletion, zshCompletion } from "./completion-script.js";

const entries = [
  { command: "analyze", options: ["json", "output"] },
  { command: "xrefs", options: ["limit"] },
];

test("bash offers commands first and a command's options after a dash", (context) => {
  if (spawnSync("bash", ["--version"]).status !== 0) return context.skip("bash is not installed");
  const ask = (words: readonly string[]) => {
    const list = words.map((word) => `'${word}'`).join(" ");
    const script = `${bashCompletion(entries)}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _rea; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync("bash", ["-c", script], { encoding: "utf8" }).stdout.trim().split("\n");
  };
  expect(ask(["rea", "an"])).toEqual(["analyze"]);
  expect(ask(["rea", "xrefs", "--"])).toEqual(["--limit", "--help"]);
  expect(ask(["rea", "analyze", "--o"])).toEqual(["--output"]);
});

test("zsh and fish scripts name every command and option", (context) => {
  for (const script of [zshCompletion(entries), fishCompletion(entries)]) {
    for (const word of ["analyze", "xrefs", "json", "limit"]) expect(script).toContain(word);
  }
  if (spawnSync("zsh", ["--version"]).status !== 0) context.skip("zsh is not installed: its script was not parsed");
  expect(spawnSync("zsh", ["-n"], { input: zshCompletion(entries) }).status).toBe(0);
});
