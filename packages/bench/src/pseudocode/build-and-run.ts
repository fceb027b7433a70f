import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

export type Outcome = "passed" | "fails" | "does not compile";

/** Compiles one C file; false when the compiler refuses it. */
export function compile(compiler: string, flags: readonly string[], { source, target }: { readonly source: string; readonly target: string }): boolean {
  return spawnSync(compiler, ["-w", ...flags, source, "-o", target, "-lm"], { timeout: 60_000 }).status === 0;
}

/** What becomes of a text put in place of the function: compiled with its test and run. */
export function judge(text: string, { file, headerFolder }: { readonly file: string; readonly headerFolder: string }): Outcome {
  const source = `${file}.c`;
  writeFileSync(source, text);
  if (!compile("gcc", ["-std=gnu11", "-O0", "-I", headerFolder], { source, target: file })) return "does not compile";
  return spawnSync(file, [], { timeout: 10_000 }).status === 0 ? "passed" : "fails";
}
