import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openImage, type Section } from "@rea/binary";
import { memorySource } from "@rea/core";
import { analyzeProgram } from "../../src/analysis/analyze-program.js";
import { ProgramDecompiler } from "../../src/decompile/decompile-program.js";
import { pseudocodeHeader } from "../../src/decompile/header/header-text.js";

export interface RebuiltProgram {
  /** C files by name; the functions are those of the first. */
  readonly source: string;
  readonly driver: string;
  readonly functions: readonly string[];
}

/** Programs that build for a machine and run what was built. */
export interface RebuildTools {
  /** Compiles the texts and links. */
  readonly gcc: string;
  readonly objcopy: string;
  /** What runs a program of the machine; empty where this machine does. */
  readonly runner: readonly string[];
}

const hostTools: RebuildTools = { gcc: "gcc", objcopy: "objcopy", runner: [] };

export interface RebuildSetting {
  readonly compiler: string;
  readonly flags: readonly string[];
  /** Texts in the order of the instructions, as of functions whose values are too many. */
  readonly inOrder?: boolean;
}

export type Rebuilt =
  | { readonly kind: "same" }
  /** The original cannot be built here, or does not end. */
  | { readonly kind: "skipped"; readonly why: string }
  | { readonly kind: "differs"; readonly functions: readonly string[]; readonly detail: string };

/** What callers may know of a function that is put in another's place is its calling convention; no function is split or copied. */
const separate = ["-fno-ipa-ra", "-fno-ipa-stack-alignment", "-fno-partial-inlining", "-fno-ipa-cp", "-fno-ipa-sra", "-fno-ipa-icf"];

/** A folder where programs are built, taken apart function by function, and built again from the text. */
export class RebuildRoom {
  readonly folder = mkdtempSync(join(tmpdir(), "rea-rebuild-"));

  readonly #tools: RebuildTools;

  constructor(tools: RebuildTools = hostTools) {
    this.#tools = tools;
    writeFileSync(join(this.folder, "rea.h"), pseudocodeHeader());
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Compiles the program, decompiles each function, compiles the texts in their place and compares what the programs print. */
  async judge({ source, driver, functions }: RebuiltProgram, { compiler, flags, inOrder = false }: RebuildSetting): Promise<Rebuilt> {
    const known = /gcc(-\d+)?$/.test(compiler) ? separate : [];
    this.#write("program.c", source);
    this.#write("driver.c", driver);
    for (const file of ["program", "driver"]) if (this.#run(compiler, ["-w", "-fwrapv", ...known, ...flags, "-c", `${file}.c`, "-o", `${file}.o`]) !== undefined) return { kind: "skipped", why: `${compiler} refuses the program` };
    if (this.#run(this.#tools.gcc, ["program.o", "driver.o", "-o", "original", "-lm"]) !== undefined) return { kind: "skipped", why: "the program does not link" };
    const expected = this.#output("original");
    if (expected === undefined) return { kind: "skipped", why: "the program does not end" };
    const texts = await this.#texts(functions, inOrder);
    if (typeof texts === "string") return { kind: "differs", functions, detail: texts };
    const refused = texts.filter(({ name }) => this.#run(this.#tools.gcc, ["-w", "-std=gnu11", "-O1", "-I", ".", "-c", `${name}.again.c`, "-o", `${name}.again.o`]) !== undefined);
    if (refused.length > 0) return { kind: "differs", functions: refused.map(({ name }) => name), detail: "the text does not compile" };
    const names = texts.map(({ name }) => name);
    if (this.#together(names) === expected) return { kind: "same" };
    const wrong = names.filter((name) => this.#together([name]) !== expected);
    return { kind: "differs", functions: wrong.length === 0 ? names : wrong, detail: "the program prints something else" };
  }

  /** The text of a function that was judged last. */
  textOf(name: string): string {
    return readFileSync(join(this.folder, `${name}.again.c`), "utf8");
  }

  async #texts(functions: readonly string[], inOrder: boolean): Promise<{ readonly name: string }[] | string> {
    const bytes = readFileSync(join(this.folder, "original"));
    const image = openImage(memorySource(bytes));
    this.#writeConstants(image.sections().items, bytes);
    const program = await analyzeProgram(image);
    const decompiler = ProgramDecompiler.for(program);
    const found: { readonly name: string }[] = [];
    for (const name of functions) {
      // What the compiler left out has nothing to show.
      const text = inOrder ? decompiler?.inOrder(name) : decompiler?.alone(name);
      // Data that holds addresses and has no name cannot be linked to from another file.
      if (text === undefined || /\bsection_(?!rodata)\w/.test(text)) continue;
      this.#write(`${name}.again.c`, text);
      found.push({ name });
    }
    return found;
  }

  /** Constants without a name of their own, which texts name by their section. */
  #writeConstants(sections: readonly Section[], bytes: Uint8Array): void {
    const constants = sections.filter(({ name }) => name.startsWith(".rodata")).map(({ name, file }) => {
      const content = bytes.subarray(file?.offset ?? 0, (file?.offset ?? 0) + (file?.size ?? 0));
      return `_Alignas(64) const unsigned char section${name.replaceAll(/[^A-Za-z0-9_]/g, "_")}[] = {${[...content].join(", ")}};`;
    });
    this.#write("constants.c", constants.join("\n"));
    this.#run(this.#tools.gcc, ["-w", "-c", "constants.c", "-o", "constants.o"]);
  }

  /** What the program prints with these functions in place of its own. */
  #together(names: readonly string[]): string | undefined {
    const weak = names.flatMap((name) => ["--weaken-symbol", name]);
    if (this.#run(this.#tools.objcopy, [...weak, "program.o", "rest.o"]) !== undefined) return undefined;
    if (this.#run(this.#tools.gcc, [...names.map((name) => `${name}.again.o`), "rest.o", "driver.o", "constants.o", "-o", "again", "-lm"]) !== undefined) return undefined;
    return this.#output("again");
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  #output(name: string): string | undefined {
    const [command = "", ...rest] = [...this.#tools.runner, join(this.folder, name)];
    const { status, stdout } = spawnSync(command, rest, { timeout: 10_000, encoding: "utf8", maxBuffer: 1 << 26 });
    return status === 0 ? stdout : undefined;
  }

  /** Undefined when the program succeeds, else what it complained of. */
  #run(program: string, args: readonly string[]): string | undefined {
    const { status, stderr } = spawnSync(program, [...args], { cwd: this.folder, timeout: 120_000, encoding: "utf8" });
    return status === 0 ? undefined : (stderr ?? "") || "failed";
  }
}
