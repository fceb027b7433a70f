import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { judgedFunctions, type BuildResult } from "./build-variant.js";
import { fillRanges } from "./listing-fill.js";
import { builtPrograms, ownSources } from "./places.js";
import { isInstalled, linesOf, output } from "./programs.js";
import { textSymbols, type TextSymbols } from "./symbols.js";
import type { Format } from "./toolchains.js";
import { truthSchema, type Truth } from "./truth.js";
import type { Group } from "./variant.js";

interface Recipe {
  readonly name: string;
  readonly group: Group;
  readonly format: Format;
  readonly compiler: "go" | "rustc";
  readonly source: string;
  readonly objdump: string;
  /** Builds the program with symbols, or without. */
  readonly command: (output: string, stripped: boolean) => readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

const rust: readonly Recipe[] = ["0", "2", "3"].map((level) => ({
  name: `rust.O${level}`,
  group: "unwind",
  format: "elf",
  compiler: "rustc",
  source: "features.rs",
  objdump: "objdump",
  command: (file, stripped) => [
    ...["rustc", "--edition", "2021", "-C", `opt-level=${level}`, "-C", `strip=${stripped ? "symbols" : "none"}`, "-A", "warnings"],
    ...["-o", file, join(ownSources, "features.rs")],
  ],
  environment: {},
}));

/** A command of Go's own distribution beside our source, for the host's system; the others for all. */
const go: readonly Recipe[] = [
  ...(["linux", "windows", "darwin"] as const).flatMap((system) => (["amd64", "arm64"] as const).map((machine) => goRecipe("features.go", system, machine))),
  goRecipe("cmd/gofmt", "linux", "amd64"),
];

function goRecipe(source: string, system: "linux" | "windows" | "darwin", machine: "amd64" | "arm64"): Recipe {
  const format = { linux: "elf", windows: "pe", darwin: "macho" } as const;
  return {
    name: `go.${source.replace(/^.*\/|\.go$/g, "")}.${system}-${machine}`,
    group: system === "linux" ? "Go" : system === "windows" ? "PE" : "Mach-O",
    format: format[system],
    compiler: "go",
    source,
    objdump: system === "linux" && machine === "amd64" ? "objdump" : "llvm-objdump-19",
    command: (file, stripped) => [
      ...["go", "build", "-trimpath", "-o", file, "-ldflags", stripped ? "-s -w" : ""],
      source.endsWith(".go") ? join(ownSources, source) : source,
    ],
    environment: { GOOS: system, GOARCH: machine, CGO_ENABLED: "0", GO111MODULE: "off", GOFLAGS: "" },
  };
}

export const otherRecipes: readonly Recipe[] = [...rust, ...go];

/** A Go or Rust program, built twice: symbols are judged in one, the other is what the engine sees. */
export async function buildOther(recipe: Recipe): Promise<BuildResult> {
  const { name, group, compiler, objdump } = recipe;
  const missing = [compiler, objdump, ...(recipe.format === "elf" ? ["readelf"] : ["llvm-objdump-19"])].find((one) => !isInstalled(one));
  if (missing !== undefined) return { name, group, skipped: `${missing} is not installed` };
  try {
    const version = await output([compiler, compiler === "go" ? "version" : "--version"]);
    const text = recipe.source.includes("/") ? recipe.source : await readFile(join(ownSources, recipe.source), "utf8");
    const key = createHash("sha256").update(JSON.stringify([6, version, text, recipe.command("o", true)])).digest("hex").slice(0, 12);
    const place = join(builtPrograms, `${name}-${key}`);
    if (!existsSync(place)) await build(recipe, place);
    const truth = truthSchema.parse(JSON.parse(await readFile(join(place, "truth.json"), "utf8")));
    return { name, group, file: join(place, "stripped"), truth, objdump };
  } catch (error) {
    return { name, group, skipped: error instanceof Error ? error.message.slice(0, 300) : String(error) };
  }
}

async function build(recipe: Recipe, place: string): Promise<void> {
  await mkdir(builtPrograms, { recursive: true });
  const work = await mkdtemp(join(builtPrograms, ".building-"));
  try {
    const environment = { env: { ...process.env, HOME: process.env["HOME"] ?? work, ...recipe.environment } };
    const [linked, stripped] = [join(work, "linked"), join(work, "stripped")];
    await output(recipe.command(linked, false), environment);
    await output(recipe.command(stripped, true), environment);
    const symbols = recipe.compiler === "go" ? await goSymbols(linked, recipe.format) : await textSymbols(linked, recipe.format);
    const truth: Truth = { ...judgedFunctions(symbols), fill: await fillRanges(recipe.objdump, linked, symbols.text) };
    await writeFile(join(work, "truth.json"), JSON.stringify(truth));
    await rm(linked);
    await rename(work, place);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Go's linker marks the ends of the code with symbols that are no functions, and types none in other formats. */
async function goSymbols(linked: string, format: Format): Promise<TextSymbols> {
  const plain = await textSymbols(linked, format);
  const functions: { start: number; size: number; name: string }[] = [];
  const others: number[] = [];
  for await (const line of linesOf(["go", "tool", "nm", "-size", linked])) {
    const row = /^\s*([0-9a-f]+)\s+(\d+) ([tT]) (.*)$/.exec(line);
    if (row === null) continue;
    const at = Number.parseInt(row[1] ?? "", 16);
    if (at < plain.text[0] || at >= plain.text[1]) continue;
    const name = row[4] ?? "";
    if (/^(?:_?runtime\.e?text|_?go\.?:?buildid|_?go:.*)$/.test(name)) others.push(at);
    else functions.push({ start: at, size: Number(row[2]), name });
  }
  return { text: plain.text, functions, others };
}
