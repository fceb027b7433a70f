import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownSources } from "../corpus/places.js";
import { isInstalled, output } from "../corpus/programs.js";
import { findingsOf } from "./analyse-file.js";
import { figure, skipped, type Figure } from "./figure.js";

const doublings = [6, 8, 10];
/** Time for a byte of the largest program beside that of the smallest; one is linear, what grows squarely would be sixteen. */
const mostGrowth = 1.5;

/** The same code once, four times and sixteen times as often in one program: time must grow as the code does. */
export async function growth(): Promise<readonly Figure[]> {
  const name = "time for a byte of code, 16 times as much code";
  const missing = ["gcc", "ld", "objcopy", "strip"].find((program) => !isInstalled(program));
  if (missing !== undefined) return [skipped(name, `${missing} is not installed`)];
  const directory = await mkdtemp(join(tmpdir(), "rea-bench-"));
  try {
    const perByte: number[] = [];
    for (const file of await copies(directory)) {
      const { analysisMs, codeBytes } = await findingsOf({ file, runs: 4, references: false });
      perByte.push((Math.min(...analysisMs) * 1e6) / codeBytes);
    }
    const [smallest = NaN, largest = NaN] = [perByte[0], perByte.at(-1)];
    return [...perByte.map((ns, index) => figure(`time for a byte of code, ${String(2 ** (doublings[index] ?? 0))} copies`, ns, "ns", null)), figure(name, largest / smallest, "times", mostGrowth)];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Doubles an object again and again, with other names in each half. */
async function copies(directory: string): Promise<readonly string[]> {
  const files: string[] = [];
  let object = join(directory, "0.o");
  await output(["gcc", "-O2", "-fPIC", "-w", "-c", "-o", object, join(ownSources, "features.c")]);
  for (let step = 1; step <= Math.max(...doublings); step += 1) {
    const halves = ["a", "b"].map((half) => join(directory, `${String(step)}${half}.o`));
    for (const [index, half] of halves.entries()) await output(["objcopy", `--prefix-symbols=${index === 0 ? "a" : "b"}`, object, half]);
    object = join(directory, `${String(step)}.o`);
    await output(["ld", "-r", "-o", object, ...halves]);
    if (doublings.includes(step)) {
      const file = join(directory, `${String(step)}.so`);
      await output(["gcc", "-shared", "-nostdlib", "-Wl,-Bsymbolic", "-s", "-o", file, object]);
      files.push(file);
    }
  }
  return files;
}
