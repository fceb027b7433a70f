import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exceptionSites, openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import fc from "fast-check";
import { afterAll, describe, expect, test, type TestContext } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";
import { exceptionEdges } from "../src/facts/exception-edges.js";
import { functionFacts } from "../src/facts/known-facts.js";
import type { Program } from "../src/program.js";

const directory = mkdtempSync(join(tmpdir(), "rea-exception-edges-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const source = `struct guard { int value; ~guard(); };
int work(int);
__attribute__((noinline)) int careful(int value) {
  guard held{value};
  try { return work(value) + held.value; } catch (int caught) { return work(caught); } catch (...) { return -1; }
}
__attribute__((noinline)) int plain(int value) { return value > 3 ? work(value) : 2; }
`;

const compilers = [
  { title: "gcc", command: ["g++"] },
  { title: "clang", command: ["clang++-19"] },
  { title: "clang for arm64", command: ["clang++-19", "--target=aarch64-linux-gnu", "-fuse-ld=lld"] },
];

function build(context: TestContext, command: readonly string[], level: string): Buffer {
  const [program = "", ...flags] = command;
  writeFileSync(join(directory, "program.cc"), source);
  try {
    execFileSync(program, [...flags, level, "-fPIC", "-shared", "-nostdlib", "-nostdinc++", "-o", "library.so", "program.cc"], { cwd: directory, stdio: "pipe" });
  } catch {
    context.skip(`${program} does not build this here`);
  }
  return readFileSync(join(directory, "library.so"));
}

function edgesOf(program: Program, name: string) {
  const fn = program.functions.find((one) => one.name.includes(name) && !one.external);
  const graph = fn === undefined ? undefined : functionFacts(program, fn, () => undefined)?.flow.graph;
  if (fn === undefined || graph === undefined) throw new Error(`no function ${name}`);
  return { fn, graph, edges: exceptionEdges(program, graph) };
}

describe("exceptions", () => {
  for (const { title, command } of compilers)
    for (const level of ["-O0", "-O2"])
      test(`lead from the calls of a function to its landing pads (${title} ${level})`, async (context) => {
        const program = await analyzeProgram(openImage(memorySource(build(context, command, level))));
        const { fn, graph, edges } = edgesOf(program, "careful");
        expect(edges.unreached).toBe(0);
        const called = (block: { start: number; end: number }) =>
          program.referencesFrom(fn).flatMap(({ from, to, kind }) => (kind === "call" && from >= block.start && from < block.end ? [program.functionAt(to)?.name ?? ""] : []));
        const pads = new Set([...edges.pads.values()].flat());
        expect(pads.size).toBeGreaterThan(0);
        // Each edge leaves a block that calls something, and a handler is among what they lead to.
        const throwing = graph.blocks.filter(({ start }) => edges.pads.has(start));
        expect(throwing.filter((block) => called(block).length === 0)).toEqual([]);
        expect(throwing.flatMap(called).some((name) => name.includes("work"))).toBe(true);
        const unreachedOtherwise = graph.blocks.filter((_, index) => !graph.preorder.includes(index));
        expect(unreachedOtherwise.some(({ start }) => pads.has(start))).toBe(true);
      });

  test("leave a function without handlers as it is", async (context) => {
    const program = await analyzeProgram(openImage(memorySource(build(context, ["g++"], "-O2"))));
    expect(edgesOf(program, "plain").edges).toEqual({ pads: new Map(), unreached: 0 });
  });

  test("are read from damaged tables within bounds", (context) => {
    const whole = build(context, ["g++"], "-O2");
    const image = openImage(memorySource(whole));
    const table = image.sections().items.find(({ name }) => name === ".gcc_except_table")?.file;
    if (table === undefined) throw new Error("no table");
    const flips = fc.array(fc.tuple(fc.nat(table.size - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(flips, (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, mask] of changes) bytes[table.offset + at] = (bytes[table.offset + at] ?? 0) ^ mask;
        const damaged = openImage(memorySource(bytes));
        const sites = damaged.unwindRanges().items.flatMap((range) => exceptionSites(damaged, range));
        expect(sites.length).toBeLessThan(whole.length);
      }),
      { numRuns: 200 },
    );
  });
});
