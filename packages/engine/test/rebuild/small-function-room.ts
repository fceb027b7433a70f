import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { analyzeProgram } from "../../src/analysis/analyze-program.js";
import { ProgramDecompiler } from "../../src/decompile/decompile-program.js";
import { pseudocodeHeader } from "../../src/decompile/header/header-text.js";

/** A function `func0` with what it calls, and a `main` that asserts what it does. */
export interface SmallFunction {
  readonly name: string;
  readonly source: string;
  readonly test: string;
}

export interface SmallFunctionTools {
  /** Compiler of the original, with its first arguments, and of the text. */
  readonly compiler: readonly [string, ...string[]];
  readonly again: string;
  /** What runs a program of the machine; empty where this machine does. */
  readonly runner: readonly string[];
}

const headers = ["assert", "ctype", "math", "stdbool", "stdint", "stdio", "stdlib", "string"].map((name) => `#include <${name}.h>\n`).join("");

/** The functions of a file: `// == name`, the source, `// -- test`, the test. */
export function readSmallFunctions(path: string): readonly SmallFunction[] {
  return readFileSync(path, "utf8").split(/^\/\/ == /m).slice(1).map((part) => {
    const end = part.indexOf("\n");
    const [source = "", test = ""] = part.slice(end + 1).split("// -- test\n");
    return { name: part.slice(0, end), source, test };
  });
}

/** A folder where a function is compiled in a file of its own, and its text in its place: they agree on registers alone. */
export class SmallFunctionRoom {
  readonly #folder = mkdtempSync(join(tmpdir(), "rea-small-functions-"));
  readonly #tools: SmallFunctionTools;

  constructor(tools: SmallFunctionTools) {
    this.#tools = tools;
    writeFileSync(join(this.#folder, "rea.h"), pseudocodeHeader());
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** "same" where the text passes the test that the original passes, else what became of it. */
  async judge({ source, test }: SmallFunction, level: string): Promise<string> {
    const [types = "", main = ""] = test.split("int main(void)");
    const head = /^(?!static)([A-Za-z][^;{}()=]*\bfunc0\(.*?\)) \{ /m.exec(source)?.[1] ?? "";
    writeFileSync(join(this.#folder, "original.c"), headers + source);
    writeFileSync(join(this.#folder, "test.c"), `${headers}${types}${types.includes("func0") ? "" : `${head};`}\nint main(void)${main}`);
    const { compiler, again } = this.#tools;
    const refused = this.#compile(compiler, [level, "original.c", "test.c", "-o", "original"]);
    if (refused !== undefined) return `the original is refused: ${refused}`;
    if (!this.#passes("original")) return "the original fails its test";
    const program = await analyzeProgram(openImage(memorySource(readFileSync(join(this.#folder, "original")))));
    writeFileSync(join(this.#folder, "again.c"), `${ProgramDecompiler.for(program)?.withCallees("func0")?.text ?? ""}\n`);
    const unclear = this.#compile([again], ["-std=gnu11", "-O1", "-I", ".", "again.c", "test.c", "-o", "again"]);
    if (unclear !== undefined) return `the text is refused: ${unclear}`;
    return this.#passes("again") ? "same" : "the text fails the test";
  }

  #compile([command, ...first]: readonly [string, ...string[]], args: readonly string[]): string | undefined {
    const { status, stderr } = spawnSync(command, [...first, "-w", ...args, "-lm"], { cwd: this.#folder, timeout: 60_000, encoding: "utf8" });
    return status === 0 ? undefined : (stderr ?? "").slice(0, 500);
  }

  #passes(name: string): boolean {
    const [command = "", ...rest] = [...this.#tools.runner, join(this.#folder, name)];
    return spawnSync(command, rest, { timeout: 10_000 }).status === 0;
  }
}
