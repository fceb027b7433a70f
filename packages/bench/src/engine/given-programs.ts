import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { BuildResult } from "../corpus/build-variant.js";
import { fillRanges } from "../corpus/listing-fill.js";
import { isInstalled } from "../corpus/programs.js";
import { truthSchema } from "../corpus/truth.js";

/** The programs of a folder: `stripped/<name>` with `truth/<name>.json` each. Fill that the truth does not tell is taken from a listing. */
export async function givenPrograms(folder: string, wanted: (one: { readonly name: string }) => boolean): Promise<readonly BuildResult[]> {
  const names = (await readdir(join(folder, "stripped"))).sort().filter((file) => wanted({ name: nameOf(file) }));
  return Promise.all(names.map((file) => givenProgram(folder, file)));
}

/** The corpus may hold programs of the same name. */
const nameOf = (file: string): string => `given.${file}`;

async function givenProgram(folder: string, base: string): Promise<BuildResult> {
  const name = nameOf(base);
  const group = name.includes("nofde") ? "given, no unwind" : "given";
  const objdump = ["llvm-objdump-19", "llvm-objdump", "objdump"].find(isInstalled);
  try {
    const truth = truthSchema.safeParse(JSON.parse(await readFile(join(folder, "truth", `${base}.json`), "utf8")));
    if (!truth.success) return { name, group, skipped: "its truth does not have the form that is asked for" };
    const file = join(folder, "stripped", base);
    const fill = truth.data.fill ?? (objdump === undefined ? [] : await fillRanges(objdump, file, truth.data.text));
    return { name, group, file, truth: { ...truth.data, fill }, objdump: objdump ?? "objdump" };
  } catch (error) {
    return { name, group, skipped: error instanceof Error ? error.message : String(error) };
  }
}
