import { spawn } from "node:child_process";
import { performance } from "node:perf_hooks";
import { isInstalled } from "../corpus/programs.js";

/** Wall time of one run of a disassembler over a file, its output thrown away; null when it is not installed. */
export async function disassemblyMs(objdump: string, file: string): Promise<number | null> {
  if (!isInstalled(objdump)) return null;
  const start = performance.now();
  const child = spawn(objdump, ["-d", file], { stdio: "ignore" });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return code === 0 ? performance.now() - start : null;
}
