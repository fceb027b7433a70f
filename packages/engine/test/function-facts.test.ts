import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { callFacts, controlFlow, type CallFacts } from "../src/facts/function-facts.js";
import { factSourceOf } from "../src/facts/fact-source.js";
import { functionFacts } from "../src/facts/known-facts.js";
import type { FunctionRecord, Program } from "../src/program.js";
import { compile, type Compiler, type Truth } from "./compiled-facts.js";
import { analyzeFile } from "./judged-listing.js";
import { isInstalled } from "./listing.js";

const directory = mkdtempSync(join(tmpdir(), "rea-facts-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const x86Name = (column: string) => (["ra", "rip", "eip", ""].includes(column) ? undefined : column);
const arm64Name = (column: string) => (column === "ra" ? "x30" : column.replace(/^r(?=\d)/, "x"));

/** Why the number of parameters may differ from the source's, by function: none of it is in the code. */
const hiddenPointer = ["make_big"];
const structureByValue = ["take_big"];
const passedOnUntouched = ["forwarded"];
const onStack32 = ["real", "reals", "mixed", "address_of"];

interface Build extends Compiler {
  readonly differing: readonly string[];
}

const builds: readonly Build[] = [
  { title: "gcc x86-64", command: "gcc", objdump: "objdump", flags: ["-fPIC"], returnAddressBytes: 8, registerName: x86Name, differing: [...hiddenPointer, ...structureByValue, ...passedOnUntouched] },
  { title: "clang x86-64", command: "clang-19", objdump: "objdump", flags: ["-fPIC"], returnAddressBytes: 0, registerName: x86Name, differing: [...hiddenPointer, ...structureByValue, ...passedOnUntouched] },
  { title: "gcc arm64", command: "aarch64-linux-gnu-gcc", objdump: "aarch64-linux-gnu-objdump", flags: ["-fPIC"], returnAddressBytes: 0, registerName: arm64Name, differing: passedOnUntouched },
  { title: "mingw x86-64", command: "x86_64-w64-mingw32-gcc", objdump: "x86_64-w64-mingw32-objdump", flags: [], returnAddressBytes: 8, registerName: x86Name, differing: [...hiddenPointer, "prints"] },
  { title: "mingw x86", command: "i686-w64-mingw32-gcc", objdump: "i686-w64-mingw32-objdump", flags: [], returnAddressBytes: 4, registerName: x86Name, differing: [...hiddenPointer, ...structureByValue, ...onStack32] },
];

const cases = builds.flatMap((build) => ["-O0", "-O2"].map((level) => [build.title, level, build] as const));

interface Compared {
  readonly name: string;
  readonly fn: FunctionRecord;
  readonly truth: Truth;
  readonly facts: CallFacts;
}

function compare(program: Program, truth: ReadonlyMap<string, Truth>): readonly Compared[] {
  const source = factSourceOf(program);
  return [...truth].flatMap(([name, one]) => {
    const fn = program.functions.find((candidate) => candidate.name === name || candidate.name === `_${name}`);
    const facts = fn === undefined || source === undefined ? undefined : callFacts(fn, source, () => undefined);
    return fn === undefined || facts === undefined ? [] : [{ name, fn, truth: one, facts }];
  });
}

function casesOf(program: Program, name: string): readonly string[] {
  const source = factSourceOf(program);
  const fn = program.functions.find((candidate) => candidate.name === name || candidate.name === `_${name}`);
  if (source === undefined || fn === undefined) return [];
  return controlFlow(fn, source).switches.map(({ numbering, cases: byTarget }) => `${numbering} ${[...byTarget.values()].flat().sort((a, b) => a - b).join(",")}`);
}

describe.each(cases)("code of %s at %s", (_title, level, build) => {
  test("has the frames, kept registers and parameters that the compiler says it has", async (ctx) => {
    if (!isInstalled(build.command)) return ctx.skip(`${build.command} is not installed`);
    const { file, truth } = compile(build, level, directory);
    const program = await analyzeFile(file);
    const compared = compare(program, truth);
    expect(compared.length).toBe(36);
    for (const { name, truth: said, facts } of compared) {
      const size = said.frameKind.startsWith("dynamic") ? undefined : said.frame;
      expect([name, facts.frame.size]).toEqual([name, size]);
      expect([name, facts.frame.saved.map(({ register }) => register).sort()]).toEqual([name, said.saved]);
      if (!build.differing.includes(name)) expect([name, facts.parameters.list.length]).toEqual([name, said.parameters]);
    }
    // Each claim about a return value is right; what is passed on from a call, or used as well, is left open.
    const kinds = new Map(compared.map(({ name, facts }) => [name, facts.returnValue.kind]));
    for (const name of ["real", "reals", "mixed", "single"]) expect([name, kinds.get(name)]).toEqual([name, "float"]);
    for (const name of ["none", "one", "two", "six", "eight", "ten"]) expect([name, kinds.get(name)]).toEqual([name, "integer"]);
    for (const name of ["nothing", "store"]) expect(["none_seen", "unknown"]).toContain(kinds.get(name));
    const strange = compared.filter(({ facts }) => facts.convention.name === undefined).map(({ name }) => name);
    expect(strange).toEqual([]);
  });

  test("names the cases of its switches by value, or says that they are positions", async (ctx) => {
    if (!isInstalled(build.command)) return ctx.skip(`${build.command} is not installed`);
    const program = await analyzeFile(compile(build, level, directory).file);
    const expected = {
      cases_from_five: { value: "5,6,7,8,9,10,11,12,13", index: "0,1,2,3,4,5,6,7,8" },
      cases_from_zero: { value: "0,1,2,3,4,5,6,7", index: "0,1,2,3,4,5,6,7" },
      cases_below_zero: { value: "-6,-5,-4,-3,-2,-1,0,1", index: "0,1,2,3,4,5,6,7" },
      shared_cases: { value: "97,98,99,100,101,102,103,104,105", index: "0,1,2,3,4,5,6,7,8" },
    };
    for (const [name, { value, index }] of Object.entries(expected)) {
      for (const found of casesOf(program, name)) expect([name, [`value ${value}`, `index ${index}`]]).toEqual([name, expect.arrayContaining([found])]);
    }
  });
});

describe("System V code", () => {
  test("shows variadic functions, calls of such, frame pointers and default edges", async (ctx) => {
    const [gcc] = builds;
    if (gcc === undefined || !isInstalled("gcc")) return ctx.skip("gcc is not installed");
    const { file, truth } = compile(gcc, "-O2", directory);
    const program = await analyzeFile(file);
    const compared = compare(program, truth);
    const of = (name: string) => compared.find((one) => one.name === name)?.facts;
    expect(of("variadic")?.parameters.variadicAfter).toBe(1);
    expect(of("variadic_two")?.parameters.variadicAfter).toBe(2);
    expect(of("two")?.parameters.variadicAfter).toBeUndefined();
    expect(of("prints")?.variadicCalls.length).toBe(1);
    expect(of("dynamic")?.frame.framePointer?.register).toBe("rbp");
    expect(of("dynamic")?.frame.dynamicAt.length).toBeGreaterThan(0);
    expect(of("ten")?.parameters.list.map(({ location }) => location)).toEqual(["rdi", "rsi", "rdx", "rcx", "r8", "r9", "stack+0", "stack+8", "stack+16", "stack+24"]);
    expect(of("mixed")?.parameters.list.map(({ location }) => location)).toEqual(["rdi", "rsi", "xmm0", "xmm1"]);
  });

  test("knows the default of a switch, and the case that the table leads there", async (ctx) => {
    const [gcc] = builds;
    if (gcc === undefined || !isInstalled("gcc")) return ctx.skip("gcc is not installed");
    const program = await analyzeFile(compile(gcc, "-O0", directory).file);
    const source = factSourceOf(program);
    const fn = program.functions.find(({ name }) => name === "cases_from_five");
    if (source === undefined || fn === undefined) throw new Error("The function is missing.");
    const [table] = controlFlow(fn, source).switches;
    expect(table).toMatchObject({ boundBasis: "comparison", numbering: "value", lowest: 5, entries: 9 });
    const hole = [...(table?.cases ?? [])].find(([, numbers]) => numbers.includes(10));
    expect(hole?.[0]).toBe(table?.defaultTarget);
  });
});

describe("32-bit Windows code", () => {
  test("bounds the tables whose place it works out in steps, so that the next table is not taken in", async (ctx) => {
    const mingw = builds.find(({ command }) => command === "i686-w64-mingw32-gcc");
    if (mingw === undefined || !isInstalled(mingw.command)) return ctx.skip("i686-w64-mingw32-gcc is not installed");
    const program = await analyzeFile(compile(mingw, "-O0", directory).file);
    expect(casesOf(program, "cases_from_zero")).toEqual(["value 0,1,2,3,4,5,6,7"]);
    expect(casesOf(program, "cases_below_zero")).toEqual(["value -6,-5,-4,-3,-2,-1,0,1"]);
  });
});

describe("facts of a function that is asked about again", () => {
  test("are those found first, also after an attempt that was stopped", async (ctx) => {
    if (!existsSync("/bin/ls")) return ctx.skip("/bin/ls is not here");
    const program = await analyzeFile("/bin/ls");
    const fn = program.functions.find(({ external, size }) => !external && size > 64);
    if (fn === undefined) throw new Error("the program has no function");
    const stop = () => {
      throw new Error("stopped");
    };
    expect(() => functionFacts(program, fn, stop)).toThrow("stopped");
    const first = functionFacts(program, fn, () => undefined);
    expect(first).toBeDefined();
    expect(functionFacts(program, fn, stop)).toBe(first);
  });
});
