import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, type TestContext } from "vitest";
import { factSourceOf } from "../src/facts/fact-source.js";
import { callFacts, controlFlow, type CallFacts } from "../src/facts/function-facts.js";
import type { Program } from "../src/program.js";
import { analyzeFile } from "./judged-listing.js";
import { isInstalled } from "./listing.js";

const directory = mkdtempSync(join(tmpdir(), "rea-claims-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let built = 0;

async function compiled(ctx: TestContext, command: string, flags: readonly string[], source: string): Promise<Program> {
  if (!isInstalled(command)) return ctx.skip(`${command} is not installed`);
  built += 1;
  const file = join(directory, `claims${String(built)}`);
  writeFileSync(`${file}.c`, source);
  execFileSync(command, [...flags, "-fPIC", "-shared", "-nostdlib", "-o", `${file}.so`, `${file}.c`], { stdio: "pipe" });
  return analyzeFile(`${file}.so`);
}

function found(program: Program, name: string) {
  const source = factSourceOf(program);
  const fn = program.functions.find((candidate) => candidate.name === name);
  if (source === undefined || fn === undefined) throw new Error(`${name} is missing.`);
  return { source, fn };
}

function factsOf(program: Program, name: string): CallFacts {
  const { source, fn } = found(program, name);
  const facts = callFacts(fn, source, () => undefined);
  if (facts === undefined) throw new Error("No facts.");
  return facts;
}

function kindOf(program: Program, name: string): string {
  return factsOf(program, name).returnValue.kind;
}

function numbersOf(program: Program, name: string): string {
  const { source, fn } = found(program, name);
  const [table] = controlFlow(fn, source).switches;
  if (table === undefined) return "no table";
  const numbers = [...table.cases.values()].flat().sort((a, b) => a - b);
  return `${table.numbering} ${String(numbers[0])}..${String(numbers[numbers.length - 1])}`;
}

const returning = `
extern int outside(void); int G; char text[64]; extern void fill(char *);
void guarded(double *p, float f) { *p = f; }
void guarded_array(void) { char own[40]; fill(own); }
int guarded_value(int a) { char own[40]; fill(own); return own[3] + a; }
void keeps(void) { G = outside(); }
double converts(void) { return outside(); }
long double extended(long double x) { return x; }
long double widened(int a) { return a; }
int compares(long double x) { return x > 1; }
void doubled(long double *p) { *p = *p * 2; }
int five(void) { return 5; }
__attribute__((naked)) void restores(void) { __asm__("push %rax; mov %rdi, %rcx; pop %rax; ret"); }
`;

describe.each([
  ["gcc", "-O2"],
  ["gcc", "-Os"],
  ["clang-19", "-O2"],
  ["clang-19", "-Oz"],
])("code of %s %s with stack guards", (command, level) => {
  test("has no return value where the register holds what a guard check or stack room left", async (ctx) => {
    const program = await compiled(ctx, command, [level, "-fstack-protector-all"], returning);
    for (const name of ["guarded", "guarded_array", "keeps", "doubled"]) expect([name, ["none_seen", "unknown"]]).toEqual([name, expect.arrayContaining([kindOf(program, name)])]);
    expect(["integer", "unknown"]).toContain(kindOf(program, "guarded_value"));
  });

  test("returns numbers in the registers they are in", async (ctx) => {
    const program = await compiled(ctx, command, [level, "-fno-stack-protector"], returning);
    expect(kindOf(program, "converts")).toBe("float");
    expect(kindOf(program, "five")).toBe("integer");
    expect(["none_seen", "unknown"]).toContain(kindOf(program, "restores"));
    expect(kindOf(program, "compares")).toBe("integer");
    for (const name of ["guarded", "guarded_array", "keeps", "doubled"]) expect([name, ["none_seen", "unknown"]]).toEqual([name, expect.arrayContaining([kindOf(program, name)])]);
  });

  test("leaves open what the x87 stack brings and takes", async (ctx) => {
    const program = await compiled(ctx, command, [level, "-fno-stack-protector"], returning);
    const facts = factsOf(program, "extended");
    expect(facts.returnValue).toMatchObject({ kind: "unknown", basis: expect.stringContaining("x87") });
    expect(facts.parameters.list.map(({ location, kind }) => `${location} ${kind}`)).toEqual(["stack+0 unknown"]);
    expect(kindOf(program, "widened")).toBe("unknown");
  });
});

const body = (first: string, suffix = "") =>
  Array.from({ length: 7 }, (_, index) => `case ${first} + ${String(index)}${suffix}: ${["return outside();", "G = 4; return 9;", "return outside() * 3;", "outside(); return 1;", "G = outside(); return 2;", "return outside() ^ 77;", "G += 5; return 6;"][index] ?? ""}`).join(" ");

const switching = `
extern int outside(void); extern int G;
int wide(unsigned long x) { switch (x) { ${body("0x100000000ul", "ul")} } return 0; }
int wide_low(long x) { switch (x) { ${body("-0x123456789l", "l")} } return 0; }
int bytes_low(signed char c) { switch (c) { ${body("-128")} } return 0; }
int bytes_high(unsigned char c) { switch (c) { ${body("130")} } return 0; }
int letters(char c) { switch (c) { ${body("'a'")} } return 0; }
int around_zero(short c) { switch (c) { ${body("-3")} } return 0; }
int words_high(unsigned x) { switch (x) { ${body("0xfffffff0u")} } return 0; }
int second(int x, int y) { if (x) G = outside(); switch (y) { ${body("10")} } return 0; }
int plain(int x) { switch (x) { ${body("5")} } return 0; }
int turned(int x) { switch (20 - x) { ${body("5")} } return 0; }
int every_fourth(int x) { switch (x) { ${body("400").replaceAll(/\+ (\d)/g, "+ 4 * $1")} } return 0; }
`;

const trueFirst: Readonly<Record<string, readonly [first: number, last: number]>> = {
  wide: [0x1_0000_0000, 0x1_0000_0006],
  wide_low: [-0x1_2345_6789, -0x1_2345_6783],
  bytes_low: [-128, -122],
  bytes_high: [130, 136],
  letters: [97, 103],
  around_zero: [-3, 3],
  words_high: [0xffff_fff0, 0xffff_fff6],
  plain: [5, 11],
};

describe.each([
  ["gcc", "-O0"],
  ["gcc", "-O2"],
  ["gcc", "-Os"],
  ["clang-19", "-O0"],
  ["clang-19", "-O2"],
  ["aarch64-linux-gnu-gcc", "-O0"],
  ["aarch64-linux-gnu-gcc", "-O2"],
  ["aarch64-linux-gnu-gcc", "-Os"],
])("switches by %s %s", (command, level) => {
  test("have case numbers that are the values of the source, or positions", async (ctx) => {
    const program = await compiled(ctx, command, [level, "-fno-stack-protector"], switching);
    for (const [name, [first, last]] of Object.entries(trueFirst)) {
      const allowed = ["no table", `value ${String(first)}..${String(last)}`, `index 0..${String(last - first)}`];
      expect([name, allowed]).toEqual([name, expect.arrayContaining([numbersOf(program, name)])]);
    }
    // The values of `20 - x`, or of x itself.
    expect(["no table", "index 0..6", "value 5..11", "value 9..15"]).toContain(numbersOf(program, "turned"));
    expect(["no table", "index 0..6", "index 0..24", "value 400..424"]).toContain(numbersOf(program, "every_fourth"));
    expect(numbersOf(program, "plain")).toMatch(/^(value 5\.\.11|index 0\.\.6|no table)$/);
  });
});

test("a constant that is too long for an instruction is found where it was loaded before", async (ctx) => {
  const program = await compiled(ctx, "gcc", ["-O2"], switching);
  expect(numbersOf(program, "wide")).toBe("value 4294967296..4294967302");
  expect(numbersOf(program, "plain")).toBe("value 5..11");
  expect(numbersOf(program, "second")).toBe("value 10..16");
});

test("values that only a sign tells apart are positions", async (ctx) => {
  const program = await compiled(ctx, "gcc", ["-O2"], switching);
  expect(numbersOf(program, "bytes_low")).toBe("index 0..6");
  expect(numbersOf(program, "words_high")).toBe("index 0..6");
  expect(numbersOf(program, "around_zero")).toBe("value -3..3");
});
