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
