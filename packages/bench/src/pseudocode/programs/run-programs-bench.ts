import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openImage, type BinaryImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { analyzeProgram, ProgramDecompiler, pseudocodeHeader } from "@rea/engine";
import { buildReplacement, buildTrap, jumpBytes, loadBase, PatchedProgram } from "./patched-program.js";
import { realPrograms, type RealProgram } from "./real-programs.js";

/** What callers may know of a function that is put in another's place is its calling convention; no function is split or copied. */
const separate = ["-fno-ipa-ra", "-fno-ipa-stack-alignment", "-fno-partial-inlining", "-fno-ipa-cp", "-fno-ipa-sra", "-fno-ipa-icf"];

interface Row {
  readonly program: string;
  readonly level: string;
  functions: number;
  compiles: number;
  /** The tests come to the function. */
  reached: number;
  passed: number;
  /** Reached and passed. */
  shown: number;
  readonly failed: string[];
  readonly refused: string[];
  /** Too short for the jump, or with a name that several have. */
  skipped: number;
}

/**
 * `pseudocode programs [NAME…] [--level -O2] [--every N] [--in-order] [--keep DIRECTORY]`: builds small programs of others,
 * decompiles each function, compiles the text alone, puts it in the function's place in the otherwise unchanged program and
 * runs the program's tests. `--in-order` takes the texts of functions whose values are too many; `--keep` leaves those that fail.
 */
export async function runProgramsBench(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: { level: { type: "string", default: "-O2" }, every: { type: "string", default: "1" }, "in-order": { type: "boolean", default: false }, keep: { type: "string" } } });
  const work = mkdtempSync(join(tmpdir(), "rea-programs-"));
  try {
    writeFileSync(join(work, "rea.h"), pseudocodeHeader());
    const trap = buildTrap(work);
    for (const program of realPrograms) {
      if (positionals.length > 0 && !positionals.includes(program.name)) continue;
      const found = await judged(program, { work, trap, level: values.level, every: Number(values.every), inOrder: values["in-order"], kept: values.keep });
      console.log(typeof found === "string" ? `${program.name}: skipped, ${found}` : rowText(found));
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface Setting {
  readonly work: string;
  readonly trap: string;
  readonly level: string;
  readonly every: number;
  readonly inOrder: boolean;
  readonly kept: string | undefined;
}

async function judged(program: RealProgram, setting: Setting): Promise<Row | string> {
  const sources = await program.sources();
  if ("reason" in sources) return sources.reason;
  const target = join(setting.work, program.name.replaceAll(" ", "-"));
  const built = spawnSync("gcc", ["-w", setting.level, ...separate, "-fwrapv", ...program.flags, ...program.headers.flatMap((folder) => ["-I", join(sources.root, folder)]), ...program.files.map((file) => join(sources.root, file)), "-o", target, "-lm", "-ldl", "-Wl,-E"], { encoding: "utf8" });
  if (built.status !== 0) return `gcc refuses it: ${built.stderr.slice(0, 300)}`;
  const patched = new PatchedProgram(target, program.tests(sources.root), setting.work);
  // What does not do the same twice shows nothing.
  if (patched.differing(undefined).length > 0) return "its tests do not do the same twice";
  return replaceEach(target, patched, { program, setting });
}

async function replaceEach(target: string, patched: PatchedProgram, { program, setting }: { readonly program: RealProgram; readonly setting: Setting }): Promise<Row> {
  const image = openImage(memorySource(readFileSync(target)));
  const decompiler = ProgramDecompiler.for(await analyzeProgram(image));
  const row: Row = { program: program.name, level: setting.level, functions: 0, compiles: 0, reached: 0, passed: 0, shown: 0, failed: [], refused: [], skipped: 0 };
  const addresses = addressesOf(image);
  for (const [index, { name, va, size }] of functionsOf(image).entries()) {
    if (index % setting.every !== 0) continue;
    if (size < jumpBytes) {
      row.skipped += 1;
      continue;
    }
    const text = setting.inOrder ? decompiler?.inOrder(name) : decompiler?.alone(name);
    if (text === undefined) continue;
    row.functions += 1;
    process.stderr.write(`${program.name} ${String(row.functions)} ${name}\n`);
    const library = buildReplacement(setting.work, { text, name: plain(name), va, addresses });
    if (library === undefined) row.refused.push(name);
    else judge(row, { name, isReached: patched.isReached(setting.trap, va), isSame: patched.differing(library).length === 0 });
    if (setting.kept !== undefined && (library === undefined || row.failed.at(-1) === name)) keep(setting.kept, `${program.name.replaceAll(" ", "-")}-${plain(name)}${setting.level}.c`, text);
  }
  return row;
}

function judge(row: Row, { name, isReached, isSame }: { readonly name: string; readonly isReached: boolean; readonly isSame: boolean }): void {
  row.compiles += 1;
  if (isReached) row.reached += 1;
  if (isSame) row.passed += 1;
  else row.failed.push(name);
  if (isSame && isReached) row.shown += 1;
}

function keep(directory: string, name: string, text: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, name), text);
}

interface Named {
  readonly name: string;
  readonly va: bigint;
  readonly size: number;
}

/** Functions with sources of their own and a name that only one has; what the C library adds to every program is not the program's. */
function functionsOf(image: BinaryImage): readonly Named[] {
  const found = new Map<string, Named | undefined>();
  for (const { name, va, size, type, defined } of image.symbols().items) {
    if (type !== "function" || !defined || va === undefined || startUp.has(name)) continue;
    const before = found.get(name);
    found.set(name, found.has(name) && before?.va !== va + loadBase ? undefined : { name, va: va + loadBase, size: Number(size) });
  }
  return [...found.values()].filter((each) => each !== undefined).sort((a, b) => (a.va < b.va ? -1 : 1));
}

const startUp: ReadonlySet<string> = new Set(["_start", "_init", "_fini", "deregister_tm_clones", "register_tm_clones", "__do_global_dtors_aux", "frame_dummy"]);

/** Where things are in the running program: what symbols name, and whole sections. */
function addressesOf(image: BinaryImage): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  for (const { name, va } of image.sections().items) if (va !== undefined) found.set(plain(`section${name}`), va + loadBase);
  for (const { name, va, defined, table } of image.symbols().items) if (defined && va !== undefined && name !== "" && table === "symtab") found.set(plain(name.split("@")[0] ?? name), va + loadBase);
  return found;
}

/** As texts write it. */
function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/g, "_");
}

function rowText({ program, level, functions, compiles, reached, passed, shown, failed, refused, skipped }: Row): string {
  const counts = `${program} ${level}: ${String(functions)} functions, ${String(compiles)} compile, ${String(reached)} of them are reached by the tests, ${String(shown)} of those pass; all in all ${String(passed)} pass, ${String(failed.length)} fail, ${String(skipped)} too short to be replaced`;
  return [counts, ...(failed.length === 0 ? [] : [`  fail: ${failed.join(", ")}`]), ...(refused.length === 0 ? [] : [`  do not compile: ${refused.join(", ")}`])].join("\n");
}
