import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { Toolchain } from "./toolchain.js";

export type Outcome = "passed" | "fails" | "does not compile";

/** Compiles one C file; false when the compiler refuses it. */
export function compile({ compiler: [command, ...first] }: Toolchain, flags: readonly string[], { source, target }: { readonly source: string; readonly target: string }): boolean {
  return spawnSync(command, [...first, "-w", ...flags, source, "-o", target, "-lm"], { timeout: 60_000 }).status === 0;
}

/** What becomes of a text put in place of the function: compiled with its test and run. */
export function judge(text: string, toolchain: Toolchain, { file, headerFolder }: { readonly file: string; readonly headerFolder: string }): Outcome {
  const source = `${file}.c`;
  writeFileSync(source, text);
  if (!compile(toolchain, ["-std=gnu11", "-O0", "-I", headerFolder], { source, target: file })) return "does not compile";
  const [command = file, ...rest] = [...toolchain.runner, file];
  return spawnSync(command, rest, { timeout: 10_000 }).status === 0 ? "passed" : "fails";
}
