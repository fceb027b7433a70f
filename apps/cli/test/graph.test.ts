import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "@rea/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "./run-cli.js";

const place = mkdtempSync(join(tmpdir(), "rea-graph-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const rea = (...args: string[]) => runCli(args, { cwd: place, env: { ...process.env, HOME: join(place, "home"), NO_COLOR: "1" } });
const hasGcc = spawnSync("gcc", ["--version"]).status === 0;
const dot = spawnSync("dot", ["-V"]).status === 0;
const graph = z.object({ title: z.string(), nodes: z.array(z.object({ id: z.string(), title: z.string() })), edges: z.array(z.object({ from: z.string(), to: z.string() })) });

const source = `
#include <stdio.h>
__attribute__((noinline)) static int leaf(int n) { printf("%d", n); return n + 1; }
__attribute__((noinline)) static int middle(int n) { return n > 3 ? leaf(n) : leaf(n * 2) + 1; }
int main(int argc, char **argv) { return middle(argc); }
`;

describe.skipIf(!hasGcc)("rea graph (skipped: no gcc on this host)", () => {
  beforeAll(() => {
    writeFileSync(join(place, "app.c"), source);
    expect(spawnSync("gcc", ["-O1", "-fno-optimize-sibling-calls", "-o", "app", "app.c"], { cwd: place }).status).toBe(0);
  });

  test("of calls holds the functions on the way, by name", async () => {
    const { stdout, status } = await rea("graph", "app", "main", "--kind", "calls", "--depth", "3", "--format", "json");
    expect(status).toBe(0);
    const { title, nodes, edges } = graph.parse(JSON.parse(stdout));
    expect(title).toBe("Calls of main");
    const name = (id: string) => nodes.find((node) => node.id === id)?.title;
    expect(edges.map(({ from, to }) => `${String(name(from))} ${String(name(to))}`)).toEqual(expect.arrayContaining(["main middle", "middle leaf"]));
    const callers = graph.parse(JSON.parse((await rea("graph", "app", "leaf", "--kind", "callers", "--format", "json")).stdout));
    expect(callers.nodes.map((node) => node.title)).toEqual(expect.arrayContaining(["leaf", "middle", "main"]));
  }, 60_000);

  test("of control flow branches, as SVG, DOT and Mermaid", async () => {
    const { nodes, edges } = graph.parse(JSON.parse((await rea("graph", "app", "middle", "--format", "json")).stdout));
    expect([nodes.length > 2, edges.length >= nodes.length - 1]).toEqual([true, true]);
    expect((await rea("graph", "app", "middle", "--output", "middle.svg")).status).toBe(0);
    const svg = readFileSync(join(place, "middle.svg"), "utf8");
    expect([...svg.matchAll(/<rect class="box/gu)]).toHaveLength(nodes.length);
    expect((await rea("graph", "app", "middle", "--format", "mermaid")).stdout).toMatch(/^flowchart TD\n/u);
    const { stdout } = await rea("graph", "app", "middle", "--format", "dot");
    expect(stdout).toMatch(/^digraph "Control flow of middle" \{/u);
    if (dot) expect(spawnSync("dot", ["-Tplain"], { input: stdout }).status).toBe(0);
  }, 60_000);

  test("of nothing says what is wrong", async () => {
    const absent = await rea("graph", "app", "no_such_function");
    expect([absent.status, absent.stdout]).toEqual([1, ""]);
    expect((await rea("graph", "app", "main", "--depth", "x", "--kind", "calls")).status).toBe(2);
  }, 60_000);
});
