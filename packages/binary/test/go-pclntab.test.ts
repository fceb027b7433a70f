import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { memorySource } from "@rea/core";
import { corpusFile, type CorpusPackage } from "@rea/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, type TestContext } from "vitest";
import { goFunctions, openImage, type BinaryImage, type GoFunction } from "../src/index.js";
import { openLineTable, nameAt, rowAt } from "../src/go-line-table.js";

const program = `package main

import "fmt"

type square struct{ side int }

//go:noinline
func (s *square) area() int { return s.side * s.side }

func main() { fmt.Println((&square{len("side")}).area()) }
`;

function imageOf(bytes: Uint8Array): BinaryImage {
  return openImage(memorySource(bytes));
}

function byName(functions: readonly GoFunction[], name: string): GoFunction | undefined {
  return functions.find((fn) => fn.name === name);
}

/** Addresses of defined code symbols with all their names. */
function symbolsByAddress(image: BinaryImage): ReadonlyMap<bigint, ReadonlySet<string>> {
  const found = new Map<bigint, Set<string>>();
  for (const { va, defined, name, type } of image.symbols().items) {
    if (va === undefined || !defined || type === "object") continue;
    found.set(va, (found.get(va) ?? new Set()).add(name));
  }
  return found;
}

/** The symbol table marks assembly functions, and Mach-O puts a line before every name; the run-time table does neither. */
function asRuntimeShows(symbol: string, format: BinaryImage["format"]): string {
  return (format === "mach-o" ? symbol.replace(/^_/, "") : symbol).replace(/\.abi(?:0|internal)$/, "");
}

describe("functions of a Go program that was just built", () => {
  let directory = "";
  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), "rea-go-"));
    writeFileSync(path.join(directory, "main.go"), program);
    writeFileSync(path.join(directory, "go.mod"), "module example.test/square\n");
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  function build(context: TestContext, settings: Readonly<Record<string, string>>, ...more: readonly string[]): Uint8Array {
    const environment = { ...process.env, HOME: directory, GOPATH: path.join(directory, "path"), GOFLAGS: "-modcacherw", GOTOOLCHAIN: "local", CGO_ENABLED: "0", ...settings };
    try {
      execFileSync("go", ["version"], { stdio: "ignore" });
    } catch {
      context.skip("go is not installed");
    }
    execFileSync("go", ["build", "-o", "program", ...more, "."], { cwd: directory, env: environment, stdio: "pipe" });
    return readFileSync(path.join(directory, "program"));
  }

  const cases = [
    ["ELF", { GOOS: "linux", GOARCH: "amd64" }, []],
    ["position-independent ELF", { GOOS: "linux", GOARCH: "amd64" }, ["-buildmode=pie"]],
    ["PE", { GOOS: "windows", GOARCH: "amd64" }, []],
    ["32-bit PE", { GOOS: "windows", GOARCH: "386" }, []],
    ["Mach-O", { GOOS: "darwin", GOARCH: "arm64" }, []],
  ] as const;
  for (const [format, settings, flags] of cases) {
    test(`are those of the symbol table in ${format}`, { timeout: 300_000 }, (context) => {
      const image = imageOf(build(context, settings, ...flags));
      const symbols = symbolsByAddress(image);
      const { items, omissions } = goFunctions(image);
      expect(omissions).toEqual([]);
      expect(items.length).toBeGreaterThan(1000);
      const wrong = items.filter(({ start, name }) => {
        const generic = name.indexOf("[...]");
        const names = [...(symbols.get(start) ?? [])].map((symbol) => asRuntimeShows(symbol, image.format));
        return !names.some((known) => (generic < 0 ? known === name : known.startsWith(name.slice(0, generic + 1))));
      });
      expect(wrong).toEqual([]);
      expect(byName(items, "main.(*square).area")).toBeDefined();
    });
  }

  test("are the same after stripping", { timeout: 300_000 }, (context) => {
    const settings = { GOOS: "windows", GOARCH: "amd64" };
    const whole = goFunctions(imageOf(build(context, settings))).items.map(({ name }) => name);
    const stripped = imageOf(build(context, settings, "-ldflags=-s -w"));
    expect(stripped.symbols().items.filter(({ type }) => type === "function")).toEqual([]);
    expect(goFunctions(stripped).items.map(({ name }) => name)).toEqual(whole);
  });
});

describe("functions of published Go programs", () => {
  test.each<[CorpusPackage, string]>([
    ["@esbuild/linux-x64@0.28.2", "bin/esbuild"],
    ["@esbuild/darwin-arm64@0.28.2", "bin/esbuild"],
    ["@esbuild/win32-x64@0.28.2", "esbuild.exe"],
    ["@esbuild/win32-ia32@0.28.2", "esbuild.exe"],
  ])("are whole and in code in %s", { timeout: 300_000 }, async (specification, file) => {
    const found = await corpusFile(specification, file);
    if (found.state === "unavailable") throw new Error(found.reason);
    const image = imageOf(readFileSync(found.path));
    const { items, omissions } = goFunctions(image);
    expect(omissions).toEqual([]);
    expect(items.length).toBeGreaterThan(8000);
    expect(byName(items, "main.main")).toBeDefined();
    const code = image.segments().items.filter(({ executable }) => executable);
    expect(items.filter(({ start, end }) => !code.some((range) => start >= range.va && end <= range.va + range.virtualSize))).toEqual([]);
    // The program's entry is a function of the run-time, so distances count from the right place.
    const entry = image.entryPoints().items.find(({ kind }) => kind === "entry");
    expect(items.find(({ start }) => start === entry?.va)?.name ?? "").toMatch(/^_rt0_/);
  });
});

/** A table of Go 1.20 with two functions, `a.b` and `c`. */
function smallTable(magic = 0xffff_fff1): Uint8Array {
  const view = new DataView(new ArrayBuffer(160));
  const words = (at: number, values: readonly number[]) => values.forEach((value, index) => view.setUint32(at + index * 4, value, true));
  words(0, [magic]);
  view.setUint8(6, 1);
  view.setUint8(7, 8);
  const header = { count: 2, files: 0, text: 0x1000, names: 72, units: 0, fileNames: 0, lines: 0, rows: 80 };
  Object.values(header).forEach((value, index) => view.setBigUint64(8 + index * 8, BigInt(value), true));
  Buffer.from(view.buffer).write("a.b\0c\0", header.names);
  words(header.rows, [0, 24, 16, 32, 32]);
  words(header.rows + 24, [0, 0]);
  words(header.rows + 32, [16, 4]);
  return new Uint8Array(view.buffer);
}

const open = (bytes: Uint8Array) => openLineTable({ bytes, littleEndian: true, bits: 64 });

describe("a line table", () => {
  test("gives its rows and names", () => {
    const table = open(smallTable());
    if (table === undefined) throw new Error("the table is sound");
    expect([0, 1].map((index) => rowAt(table, index))).toEqual([
      { start: 0n, end: 16n, nameOffset: 0 },
      { start: 16n, end: 32n, nameOffset: 4 },
    ]);
    expect([nameAt(table, 0), nameAt(table, 4), nameAt(table, 1 << 30)]).toEqual(["a.b", "c", undefined]);
  });

  test("with an unknown layout, a cut header or rows past its end is none", () => {
    expect(open(smallTable(0xffff_fff2))).toBeUndefined();
    expect(open(smallTable().subarray(0, 40))).toBeUndefined();
    const many = smallTable();
    new DataView(many.buffer).setBigUint64(8, 1n << 60n, true);
    expect(open(many)).toBeUndefined();
  });

  test("with any bytes changed is read or refused, never a crash", () => {
    const change = fc.tuple(fc.nat(159), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), fc.nat(160), (changes, length) => {
        const bytes = smallTable();
        for (const [at, value] of changes) bytes[at] = value;
        const table = open(bytes.slice(0, length));
        if (table === undefined) return;
        for (let index = 0; index < Math.min(table.count, 32); index += 1) {
          const row = rowAt(table, index);
          if (row !== undefined) nameAt(table, row.nameOffset);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
