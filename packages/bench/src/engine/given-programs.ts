import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildResult } from "../corpus/build-variant.js";
import { isInstalled } from "../corpus/programs.js";
import { truthSchema } from "../corpus/truth.js";

/** The programs of a folder: `stripped/<name>` with `truth/<name>.json` each. */
export function givenPrograms(folder: string): readonly BuildResult[] {
  const objdump = isInstalled("llvm-objdump-19") ? "llvm-objdump-19" : "objdump";
  return readdirSync(join(folder, "stripped"))
    .sort()
    .map((name): BuildResult => {
      const group = name.includes("nofde") ? "given, no unwind" : "given";
      const truth = truthSchema.safeParse(JSON.parse(readFileSync(join(folder, "truth", `${name}.json`), "utf8")));
      if (!truth.success) return { name, group, skipped: "its truth does not have the form that is asked for" };
      return { name, group, file: join(folder, "stripped", name), truth: truth.data, objdump };
    });
}
