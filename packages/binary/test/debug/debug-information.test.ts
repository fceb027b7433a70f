import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import type { DebugInformation } from "../../src/dwarf/debug/index.js";
import { openImage } from "../../src/open-image.js";
import { memorySource } from "@rea/core";
import { hasProgram, partialOutput } from "../llvm-tools.js";
import { DebugRoom, informationOfFile, layoutSource, layoutTypes } from "./debug-samples.js";

const room = new DebugRoom();
afterAll(() => { room.remove(); });

const builds = [
  ["gcc", ["-g", "-O0"]],
  ["gcc", ["-gdwarf-4", "-O2"]],
  ["gcc", ["-gdwarf-3", "-gstrict-dwarf", "-O1"]],
  ["gcc", ["-g", "-gz=zlib"]],
  ["gcc", ["-g", "-gz=zlib-gnu"]],
  ["gcc", ["-g", "-fdebug-types-section"]],
  ["gcc", ["-gdwarf-4", "-fdebug-types-section"]],
  ["gcc", ["-g", "-gdwarf64"]],
  ["clang-19", ["-g", "-O1"]],
  ["clang-19", ["-gdwarf-4", "-O2"]],
  ["aarch64-linux-gnu-gcc", ["-g", "-O1"]],
  ["x86_64-w64-mingw32-gcc", ["-g", "-O0"]],
] as const;

describe.each(builds)("debug information of %s %j", (compiler, args) => {
  const file = room.build(compiler, args, { name: "layout.c", text: layoutSource });

  test("sizes and places of members are those that gdb prints", (context) => {
    if (file === undefined) return context.skip(`${compiler} is missing or cannot do this`);
    if (!hasProgram("gdb")) return context.skip("gdb is not installed");
    const found = informationOfFile(file);
    for (const type of layoutTypes) {
      const theirs = gdbLayout(file, type);
      if (theirs.length === 0) return context.skip("this gdb does not read the file");
      expect(ourLayout(found, type), type).toEqual(theirs);
    }
    expect(found.omissions()).toEqual([]);
  });

  test("names, prototypes and variables are those of the source", (context) => {
    if (file === undefined) return context.skip(`${compiler} is missing or cannot do this`);
    const found = informationOfFile(file);
    const image = openImage(memorySource(readFileSync(file)));
    const at = (name: string): bigint => image.symbols().items.find((symbol) => symbol.name === name && symbol.defined)?.va ?? 0n;
    const add = found.functionAt(at("add"));
    expect(add?.parameters.map(({ name, type }) => found.typeText(type, name))).toEqual(["int first", "int second"]);
    expect(add?.declared).toEqual({ file: "layout.c", line: 11 });
    expect(found.typeText(found.functionTypeAt(at("mean")), "mean")).toBe("double mean(const double *, unsigned int)");
    const counters = found.variableAt(at("counters") + 20n);
    expect([counters?.name, found.typeText(counters?.type), counters?.size]).toEqual(["counters", "int [12]", 48]);
    expect(found.variableAt(at("counters") + 48n)?.name).not.toBe("counters");
    const [colour = 0] = found.typesNamed("colour");
    expect(found.enumerators(colour)).toEqual([{ name: "RED", value: 0n }, { name: "GREEN", value: 5n }, { name: "BLUE", value: -1n }]);
    const [matrix = 0] = found.typesNamed("matrix");
    const texts = found.fields(matrix).map(({ name, type }) => found.typeText(type, name ?? ""));
    expect(texts.slice(0, 3)).toEqual(["float cells[3][4]", "const volatile int *const p", "_Bool flag"]);
    expect([found.isPacked(found.typesNamed("tight")[0] ?? 0), found.isPacked(matrix), found.isPacked(found.typesNamed("node")[0] ?? 0)]).toEqual([true, false, false]);
  });
});

test("alignments are those that the compiler computes", (context) => {
  const names = ["inner", "either", "node", "tight", "matrix"];
  const printed = names.map((name) => `printf("%zu ", _Alignof(${name === "either" ? "union" : "struct"} ${name}));`).join("");
  const text = `#include <stdio.h>\n${layoutSource.replace(/int main[^]*$/, "")}int main(void) { ${printed} return 0; }`;
  const file = room.build("gcc", ["-g"], { name: "alignment.c", text });
  if (file === undefined) return context.skip("gcc is not installed");
  const found = informationOfFile(file);
  const theirs = execFileSync(file, { encoding: "utf8" }).trim().split(" ").map(Number);
  expect(names.map((name) => found.alignmentOf(found.typesNamed(name)[0]))).toEqual(theirs);
});

test("types of C++ are found with their scopes, with bases and without static members", (context) => {
  const text = "namespace ns { struct P { int x; static int n; virtual ~P() {} }; class Q : public P { double d; bool f : 1; }; enum class E : unsigned char { A, B = 7 }; template <class T> struct Box { T v; T *p; }; }\nns::Q q; ns::E e; ns::Box<short> b; int main() { return 0; }";
  const file = room.build("g++", ["-g"], { name: "scopes.cc", text });
  if (file === undefined) return context.skip("g++ is not installed");
  const found = informationOfFile(file);
  const [q = 0] = found.typesNamed("ns::Q");
  expect(found.fields(q).map(({ name, role, offset, bits }) => [name, role, offset, bits])).toEqual([
    [undefined, "base", 0, undefined],
    ["d", "member", 16, undefined],
    ["f", "member", 24, { from: 0, count: 1 }],
  ]);
  expect(found.sizeOf(found.typesNamed("ns::E")[0])).toBe(1);
  expect(found.fields(found.typesNamed("Box<short int>")[0] ?? 0).map(({ type, name }) => found.typeText(type, name))).toEqual(["short int v", "short int *p"]);
});

test("enums with data of Rust have a discriminant and variants", (context) => {
  const text = "pub struct S { a: u8, b: u32 }\npub enum En { A, B(u32), C { x: u64 } }\nfn main() { let s = S { a: 1, b: std::env::args().count() as u32 }; let e = if s.b > 1 { En::C { x: 1 } } else { En::B(s.b) }; println!(\"{}\", match e { En::A => s.a as u64, En::B(v) => v as u64, En::C { x } => x }); }";
  const file = room.build("rustc", ["-g"], { name: "variants.rs", text });
  if (file === undefined) return context.skip("rustc is not installed");
  const found = informationOfFile(file);
  const roles = found.fields(found.typesNamed("variants::En")[0] ?? 0).map(({ role, name }) => [role, name]);
  expect(roles[0]).toEqual(["discriminant", undefined]);
  expect(roles.slice(1)).toEqual([["variant", "A"], ["variant", "B"], ["variant", "C"]]);
  expect(found.sizeOf(found.typesNamed("variants::S")[0])).toBe(8);
});

test("structures of Go are read", (context) => {
  const text = "package main\nimport \"os\"\ntype T struct { A int8; B string; C []int64 }\n//go:noinline\nfunc sum(t *T) int { return int(t.A) + len(t.B) }\nfunc main() { t := T{A: 1}; os.Exit(sum(&t)) }";
  const file = room.build("go", ["build"], { name: "main.go", text });
  if (file === undefined) return context.skip("go is not installed");
  const found = informationOfFile(file);
  const [type = 0] = found.typesNamed("main.T");
  expect(found.fields(type).map(({ name, offset, type: of }) => [name, offset, found.sizeOf(of)])).toEqual([["A", 0, 1], ["B", 8, 16], ["C", 24, 24]]);
});

/** `[name, first bit, bits of a bit field, size]` of each member and the size of the whole, as gdb has them; empty where it cannot say. */
function gdbLayout(file: string, type: string): readonly unknown[] {
  const script = `import json; t = gdb.lookup_type('${type}'); print('LAYOUT' + json.dumps([[f.name or None, f.bitpos, f.bitsize, f.type.sizeof] for f in t.fields()] + [t.sizeof]))`;
  const line = partialOutput("gdb", ["-batch", "-nx", "-ex", `python ${script}`, file]).text.split("\n").find((each) => each.startsWith("LAYOUT"));
  const rows: unknown = line === undefined ? [] : JSON.parse(line.slice(6));
  return Array.isArray(rows) ? rows : [];
}

function ourLayout(found: DebugInformation, type: string): readonly unknown[] {
  const [id = 0] = found.typesNamed(type.split(" ")[1] ?? "");
  const rows = found.fields(id).map(({ name, offset = 0, bits, type: of }) => [name ?? null, 8 * offset + (bits?.from ?? 0), bits?.count ?? 0, found.sizeOf(of)]);
  return [...rows, found.sizeOf(id)];
}
