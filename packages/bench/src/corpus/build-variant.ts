import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { callSiteTruth } from "./call-site-truth.js";
import { joined } from "../engine/address-ranges.js";
import { dataInCode, fillRanges } from "./listing-fill.js";
import { builtPrograms } from "./places.js";
import { pointerTruth } from "./pointer-truth.js";
import { isInstalled, output } from "./programs.js";
import { relocationTruth } from "./relocation-truth.js";
import { countSwitchTables } from "./switch-tables.js";
import { textSymbols, type TextSymbols } from "./symbols.js";
import { outputName, type Toolchain } from "./toolchains.js";
import { truthSchema, type Truth } from "./truth.js";
import { compileFlags, type Group, type Variant } from "./variant.js";

/** A stripped program with its truth. */
export interface JudgedProgram {
  readonly name: string;
  readonly group: Group;
  readonly file: string;
  readonly truth: Truth;
  readonly objdump: string;
}

export type BuildResult = JudgedProgram | { readonly name: string; readonly group: Group; readonly skipped: string };

/** Changes when what is kept of a build changes. */
const recipeVersion = 6;

/** Builds once; later calls take what the same recipe, sources and compiler gave. */
export async function buildVariant(variant: Variant): Promise<BuildResult> {
  const { name, group, toolchain } = variant;
  const missing = toolchain.needs.find((program) => !isInstalled(program));
  if (missing !== undefined) return { name, group, skipped: `${missing} is not installed` };
  const place = join(builtPrograms, `${name}-${await keyOf(variant)}`);
  if (!existsSync(place)) {
    await mkdir(builtPrograms, { recursive: true });
    const work = await mkdtemp(join(builtPrograms, ".building-"));
    try {
      await build(variant, work);
      await rename(work, place);
    } catch (error) {
      return { name, group, skipped: error instanceof Error ? error.message.slice(0, 300) : String(error) };
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }
  const truth = truthSchema.parse(JSON.parse(await readFile(join(place, "truth.json"), "utf8")));
  return { name, group, file: join(place, "stripped"), truth, objdump: toolchain.objdump };
}

const versions = new Map<string, Promise<string>>();

async function keyOf(variant: Variant): Promise<string> {
  const { source, toolchain, name } = variant;
  const compiler = toolchain.c[0] ?? "";
  const version = versions.get(compiler) ?? output([compiler, "--version"]);
  versions.set(compiler, version);
  const links = toolchain.link({ objects: [], output: "o", kind: source.kind, cxx: source.language === "c++", relocations: variant.references || variant.fixed, fixed: variant.fixed });
  const hash = createHash("sha256").update(JSON.stringify([recipeVersion, name, await version, toolchain.c, links, compileFlags(variant)]));
  for (const file of source.files) hash.update(await readFile(file));
  return hash.digest("hex").slice(0, 12);
}

async function build(variant: Variant, directory: string): Promise<void> {
  const { source, toolchain, references, fixed } = variant;
  const cxx = source.language === "c++";
  const compiler = (cxx ? toolchain.cxx : toolchain.c) ?? toolchain.c;
  const objects: string[] = [];
  let switchTables = 0;
  for (const [index, file] of source.files.entries()) {
    const base = join(directory, `${String(index)}-${basename(file)}`);
    await output([...compiler, ...compileFlags(variant), "-S", "-o", `${base}.s`, file]);
    await output([...compiler, "-c", "-o", `${base}.o`, `${base}.s`]);
    switchTables += await countSwitchTables(`${base}.s`);
    objects.push(`${base}.o`);
    await rm(`${base}.s`);
  }
  const linked = outputName(directory, toolchain);
  for (const command of toolchain.link({ objects, output: linked, kind: source.kind, cxx, relocations: references || fixed, fixed })) await output(command);
  const symbols = await textSymbols(linked, toolchain.format);
  const truth: Truth = {
    ...judgedFunctions(symbols),
    fill: await notInstructions(toolchain, linked, symbols.text),
    switch_tables: switchTables,
    ...(references ? { relocations: await relocationTruth(linked, symbols.text) } : {}),
    ...(fixed ? { pointers: await pointerTruth(linked) } : {}),
    ...(references && isInstalled("llvm-dwarfdump-19") ? { call_sites: await callSiteTruth(linked) } : {}),
  };
  await writeFile(join(directory, "truth.json"), JSON.stringify(truth));
  await strip(toolchain.strip, linked, join(directory, "stripped"));
  for (const object of objects) await rm(object);
  await rm(linked);
}

/** Fill, and what the file itself declares to be data inside code. */
async function notInstructions({ objdump, format }: Toolchain, linked: string, text: readonly [number, number]): Promise<[number, number][]> {
  const fill = await fillRanges(objdump, linked, text);
  return format === "macho" ? joined([...fill, ...(await dataInCode(linked, text))]) : fill;
}

async function strip(tool: string, linked: string, stripped: string): Promise<void> {
  await copyFile(linked, stripped);
  await output([tool, stripped]);
}

/** Code of the start files has function symbols too, but nobody calls it a function of the program. */
const startUp = /^(?:_start|_init|_fini|deregister_tm_clones|register_tm_clones|__do_global_dtors_aux|frame_dummy|call_weak_fn|_dl_relocate_static_pie)$/;
/** Parts split off from functions by gcc and LLVM, and the pieces that Microsoft's exception handling calls: they end with their function. */
const cold = /\.cold(?:\.\d+)?$|^\?(?:catch|dtor|filt|fin)\$/;

/** Symbols as truth: functions, parts split off from them, and what is neither for nor against. */
export function judgedFunctions({ text, functions, others }: TextSymbols): Pick<Truth, "text" | "functions" | "cold_parts" | "crt"> {
  const starts = new Map<number, { start: number; size: number; names: string[] }>();
  const coldParts: number[] = [];
  const crt = [...others];
  for (const { start, size, name } of functions) {
    if (cold.test(name)) coldParts.push(start);
    else if (startUp.test(name)) crt.push(start);
    else {
      const known = starts.get(start);
      starts.set(start, { start, size: Math.max(size, known?.size ?? 0), names: [...(known?.names ?? []), name] });
    }
  }
  return { text: [...text], functions: [...starts.values()].sort((a, b) => a.start - b.start), cold_parts: coldParts, crt };
}
