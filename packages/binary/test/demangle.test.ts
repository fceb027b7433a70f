import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test, type TestContext } from "vitest";
import { demangle } from "../src/index.js";
import { hasProgram, output } from "./llvm-tools.js";

describe("demangling", () => {
  test.each([
    ["_Z3fooi", "foo(int)"],
    ["__Z3fooi", "foo(int)"],
    ["_ZNSt6vectorIiSaIiEE9push_backEOi", "std::vector<int, std::allocator<int>>::push_back(int&&)"],
    ["_ZNSsC1IPcEET_S1_RKSaIcE", "std::basic_string<char, std::char_traits<char>, std::allocator<char>>::basic_string<char*>(char*, char*, std::allocator<char> const&)"],
    ["_Z1fPA3_iPFvcE", "f(int (*) [3], void (*)(char))"],
    ["_Z1gIJRicEEvDpOT_", "void g<int&, char>(int&, char&&)"],
    ["_ZTV3Foo", "vtable for Foo"],
    ["_ZThn16_N3Foo3barEv", "non-virtual thunk to Foo::bar()"],
    ["_Z3barv.cold", "bar() (.cold)"],
    ["_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad"],
    ["_ZN42_$LT$$RF$T$u20$as$u20$core..fmt..Debug$GT$3fmt17he5a386b28b11b3b6E", "<&T as core::fmt::Debug>::fmt"],
    ["_RNvNtCsi4IsKQVxMg0_3std2io6__print", "std::io::_print"],
    ["_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y".replace("Nq", "Nv"), "utf8_idents::საჭმელად_გემრიელი_სადილი"],
  ])("reads %s", (mangled, readable) => {
    expect(demangle(mangled)).toBe(readable);
  });

  test.each(["main", "", "_Z", "_ZN", "_Z3fo", "_ZNSt6vectorI", "_RNv", "_ZTVi_", "_Zqq", "_Z1fS5_", "_Z1fIiEvT3_", "__ZZZZ", "_R"])(
    "leaves %j as it is",
    (name) => {
      expect(demangle(name)).toBeUndefined();
    },
  );

  test("refuses names that ask for endless text or depth", () => {
    // Each pair holds the one before it twice; `S_` is `f`, `S0_` is `std::pair`.
    const twice = (index: number) => `S0_IS${index.toString(36).toUpperCase()}_S${index.toString(36).toUpperCase()}_E`;
    const doubling = `_Z1fISt4pairIiiE${Array.from({ length: 60 }, (_, index) => twice(index + 1)).join("")}Evv`;
    const pointers = `_Z1f${"P".repeat(8000)}i`;
    const nestedArgs = `_Z1f${"N1aI".repeat(1500)}`;
    const rust = `_R${"I".repeat(4000)}C1a`;
    const slices = `_RINvC1a1b${"S".repeat(7000)}hE`;
    for (const name of [doubling, pointers, nestedArgs, rust, slices, `_Z${"9".repeat(5000)}`]) {
      expect((demangle(name) ?? "").length).toBeLessThan(20_000);
    }
    expect([doubling, pointers, nestedArgs, rust, slices].filter((name) => demangle(name) !== undefined)).toEqual([]);
  });

  test("answers for any text and for any changed name, without a crash", () => {
    const sources = [
      "_ZNSt8_Rb_treeIiSt4pairIKiiESt10_Select1stIS2_ESt4lessIiESaIS2_EE17_M_emplace_uniqueIJiRiEEES0_ISt17_Rb_tree_iteratorIS2_EbEDpOT_",
      "_ZZN4node6reportL22PrintComponentVersionsEPNS_10JSONWriterEENKUlRT_RT0_E_clIiiEEDaS3_S5_",
      "_RINvNvMs2_NtCsbEht8wFNRx7_5alloc7raw_vecINtB8_11RawVecInnerpE7reserve21do_reserve_and_handleNtNtBa_5alloc6GlobalECsi4IsKQVxMg0_3std",
      "_ZN102_$LT$core..iter..adapters..map..Map$LT$I$C$F$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h1da0f26a89f7c748E",
    ];
    const changed = fc
      .tuple(fc.constantFrom(...sources), fc.array(fc.tuple(fc.nat(200), fc.constantFrom(..."_ZNSITEJDpPRKFABCLXUlvid019srM")), { maxLength: 6 }))
      .map(([name, edits]) => edits.reduce((text, [at, char]) => text.slice(0, at) + char + text.slice(at + 1), name));
    const grammar = fc.array(fc.constantFrom("S_", "S0_", "T_", "Dp", "I", "J", "E", "N", "3foo", "P", "R", "F", "v", "cv", "C1", "Ul", "Z", "Li1E", "B_", "C1a", "Nv"), { maxLength: 60 });
    const any = fc.oneof(changed, grammar.map((parts) => `_Z${parts.join("")}`), grammar.map((parts) => `_R${parts.join("")}`), fc.string());
    fc.assert(
      fc.property(any, (name) => {
        const text = demangle(name);
        expect(text === undefined || text.length <= 32_768).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });
});

/** Mangled names that a file defines, by `nm`; about 8,000, evenly spread. */
function mangledNames(context: TestContext, file: string | undefined, flags: readonly string[]): readonly string[] {
  if (file === undefined || !existsSync(file)) context.skip("the library is not installed");
  if (!hasProgram("nm")) context.skip("nm is not installed");
  const names = output("nm", [...flags, "--defined-only", file ?? ""]).split("\n").map((line) => line.slice(line.lastIndexOf(" ") + 1).replace(/@.*/, ""));
  const mangled = [...new Set(names)].filter((name) => /^_[ZR]/.test(name)).sort();
  const step = Math.ceil(mangled.length / 8000);
  return mangled.filter((_, index) => index % step === 0);
}

function judged(context: TestContext, names: readonly string[]): readonly string[] {
  if (!hasProgram("llvm-cxxfilt-19")) context.skip("llvm-cxxfilt-19 is not installed");
  const input = `${names.join("\n")}\n`;
  return execFileSync("llvm-cxxfilt-19", ["-n"], { input, encoding: "utf8", maxBuffer: 1 << 28 }).split("\n").slice(0, names.length);
}

function firstMatch(directory: string, pattern: RegExp): string | undefined {
  if (!existsSync(directory)) return undefined;
  const name = readdirSync(directory).sort().find((entry) => pattern.test(entry));
  return name === undefined ? undefined : path.join(directory, name);
}

const libraries = "/usr/lib/x86_64-linux-gnu";

/** The Rust compiler's own libraries have names in the v0 scheme. */
function rustLibrary(): string | undefined {
  if (!hasProgram("rustc")) return undefined;
  return firstMatch(path.join(output("rustc", ["--print", "sysroot"]).trim(), "lib"), /^librustc_driver-.*\.so$/);
}

describe("names of installed libraries read as llvm-cxxfilt reads them", () => {
  const cases: readonly (readonly [string, () => string | undefined, readonly string[]])[] = [
    ["libstdc++", () => firstMatch(libraries, /^libstdc\+\+\.so\.6$/), ["-D"]],
    ["LLVM", () => firstMatch(libraries, /^libLLVM-19\.so|^libLLVM\.so\.19/), ["-D"]],
    ["the running program", () => process.execPath, []],
    ["the Rust compiler", rustLibrary, ["-D"]],
  ];
  for (const [title, file, flags] of cases) test(title, { timeout: 120_000 }, (context) => check(context, file(), flags));

  function check(context: TestContext, file: string | undefined, flags: readonly string[]): void {
    const names = mangledNames(context, file, flags);
    const expected = judged(context, names);
    const wrong: string[] = [];
    let read = 0;
    names.forEach((name, index) => {
      const text = demangle(name);
      if (text !== undefined) read += 1;
      // What the judge leaves as it is, it does not understand.
      if (text !== undefined && expected[index] !== name && text !== expected[index]) wrong.push(name);
    });
    expect(names.length).toBeGreaterThan(1000);
    expect(wrong).toEqual([]);
    expect(read / names.length).toBeGreaterThan(0.98);
  }
});
