import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { corpusFile } from "@rea/testkit";
import fc from "fast-check";
import { afterAll, describe, expect, test, type TestContext } from "vitest";
import { demangle } from "../src/index.js";
import { hasProgram } from "./llvm-tools.js";

const work = mkdtempSync(join(tmpdir(), "rea-msvc-names-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

describe("names of Microsoft's compiler", () => {
  test.each([
    ["?f@@YAXXZ", "void __cdecl f(void)"],
    ["?x@@3HA", "int x"],
    ["?f@C@n@@QEBAHPEBDH0ZZ", "public: int __cdecl n::C::f(char const *, int, char const *, ...) const"],
    ["??0C@@QAE@ABV0@@Z", "public: __thiscall C::C(class C const &)"],
    ["??1C@@UEAA@XZ", "public: virtual __cdecl C::~C(void)"],
    ["??BC@@QEBAHXZ", "public: int __cdecl C::operator int(void) const"],
    ["?h@@YAX$$QEAH@Z", "void __cdecl h(int &&)"],
    ["?n@@YAX$$T@Z", "void __cdecl n(std::nullptr_t)"],
    ["?q@@YAXX_E", "void __cdecl q(void) noexcept"],
    ["?p@@3P6AHH@ZEA", "int (__cdecl *p)(int)"],
    ["?m@@3PEQC@@HEQ1@", "int C::*m"],
    ["?a@@3PAY03HA", "int (*a)[4]"],
    ["??$t@HV?$v@_N@@@@YAXV?$v@_N@@@Z", "void __cdecl t<int, class v<bool>>(class v<bool>)"],
    ["?s@?1??f@@YAXXZ@4HA", "int `void __cdecl f(void)'::`2'::s"],
    ["?g@?A0x12345678@@YAXXZ", "void __cdecl `anonymous namespace'::g(void)"],
    ["??_7C@@6B@", "const C::`vftable'"],
    ["??_7C@@6BA@@@", "const C::`vftable'{for `A'}"],
    ["??_7C@@6BA@@B@@@", "const C::`vftable'{for `A's `B'}"],
    ["??_8C@@7B@", "const C::`vbtable'"],
    ["??_R0?AVC@@@8", "class C `RTTI Type Descriptor'"],
    ["??_R1A@?0A@EA@C@@8", "C::`RTTI Base Class Descriptor at (0, -1, 0, 64)'"],
    [".?AV?$v@H@n@@", "class n::v<int> `RTTI Type Descriptor Name'"],
    ["?f@C@@WBA@EAAXXZ", "[thunk]: public: virtual void __cdecl C::f`adjustor{16}'(void)"],
    ["?f@C@@$4PPPPPPPM@A@EAAXXZ", "[thunk]: public: virtual void __cdecl C::f`vtordisp{-4, 0}'(void)"],
    ["??_9C@@$BA@AA", "[thunk]: __cdecl C::`vcall'{0, {flat}}"],
    ["??_C@_03FIKCJHKP@abc?$AA@", '"abc"'],
    ["??_C@_01DCLJPIOD@?$CB@", '"!"'],
    ["??_C@_13HADIAKP@?$AAS@", 'L"S"'],
    ["??__Ex@@YAXXZ", "void __cdecl `dynamic initializer for 'x''(void)"],
    ["??__K_d@@YAOO@Z", 'long double __cdecl operator ""_d(long double)'],
  ])("%s reads as %s", (mangled, readable) => {
    expect(demangle(mangled)).toBe(readable);
  });

  test.each([
    "?", "??", "?f", "?f@@", "?f@@YAX", "?f@@YAXXZ_", "?f@@YAXXZx", "?f@@YAX5@Z", "?f@5@YAXXZ", "?f@@YAXV?$v@@Z", "??@0123456789abcdef0123456789abcdef@",
    ".?A", ".?AV", "?f@@YAX?@Z", "??0@@QAE@XZ", "?a@@3PAY0?0HA", "what?", "?f@@YAXUH@?A0x1@@UG@?A0x1@@U2?A0x1@@@Z",
  ])("%j stays as it is", (name) => {
    expect(demangle(name)).toBeUndefined();
  });

  test("a name that asks for endless text or depth is not understood", () => {
    const pointers = `?f@@YAX${"PEA".repeat(2500)}H@Z`;
    const doubling = `?f@@YAX${"P6AX".repeat(30)}${"VA@@0".repeat(30)}@Z`;
    const params = `?f@@YAXP6AXVAA@@@Z${Array.from({ length: 9 }, (_, index) => `P6AX${String(index).repeat(100)}@Z`).join("")}@Z`;
    const locals = `${"?f@?1?".repeat(1200)}@YAXXZ`;
    const templates = `?f@@YAX${"V?$a@".repeat(1500)}@Z`;
    const scopes = `?f${"@a0".repeat(2700)}@@YAXXZ`;
    const results = [pointers, doubling, params, locals, templates, scopes].map(demangle);
    for (const result of results) expect((result ?? "").length).toBeLessThanOrEqual(16_384);
    expect(results.slice(0, 5)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  test("any text and any changed name is answered", () => {
    const names = ["??$t@HV?$v@_N@@@@YAXV?$v@_N@@@Z", "?f@C@n@@QEBAHPEBDH0ZZ", "??_7C@@6BA@@B@@@", "?s@?1??f@@YAXXZ@4HA", "??_C@_13HADIAKP@?$AAS@", "?m@@3PEQC@@HEQ1@"];
    const signs = [..."?@$_0123456789ABCEHIJPQRSUVWXYZ", "?$", "$$Q", "@@", "P6A", "P8", "$0", "$1?"];
    const changed = fc
      .tuple(fc.constantFrom(...names), fc.array(fc.tuple(fc.nat(40), fc.constantFrom(...signs)), { maxLength: 5 }))
      .map(([name, edits]) => edits.reduce((text, [at, sign]) => text.slice(0, at) + sign + text.slice(at + 1), name));
    const made = fc.array(fc.constantFrom(...signs), { maxLength: 60 }).map((parts) => `?f@@YA${parts.join("")}`);
    fc.assert(
      fc.property(fc.oneof(changed, made, fc.string().map((text) => `?${text}`)), (name) => {
        const result = demangle(name);
        expect(result === undefined || (result !== "" && result.length <= 16_384)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

/** What another demangler makes of names: those it refuses are missing. */
function judged(names: readonly string[]): ReadonlyMap<string, string> {
  const { stdout } = spawnSync("llvm-undname-19", { input: `${names.join("\n")}\n`, maxBuffer: 1 << 28, encoding: "latin1" });
  const answers = stdout.split("\n\n").map((answer) => answer.split("\n"));
  return new Map(answers.flatMap(([name, readable]) => (name === undefined || readable === undefined || readable === "" ? [] : [[name, readable] as const])));
}

/** Where the other one is known to leave something out, in both forms. */
function comparable(text: string): string {
  return text
    .replace(/\{for `[^]*'\}$/, "{for …}") // the way through several bases
    .replace("__regcall ", "") // the convention has no word there
    .replace(/^(L?".*")(?:\.\.\.)?$/s, "$1"); // a literal whose terminator alone is missing counts as cut there
}

function differences(names: readonly string[]): { readonly compared: number; readonly different: readonly unknown[] } {
  const pairs = [...judged(names)].flatMap(([name, theirs]) => {
    const ours = demangle(name);
    return ours === undefined ? [] : [{ name, ours: comparable(ours), theirs: comparable(theirs) }];
  });
  return { compared: pairs.length, different: pairs.filter(({ ours, theirs }) => ours !== theirs) };
}

function needs(context: TestContext, ...programs: readonly string[]): void {
  for (const program of programs) if (!hasProgram(program)) context.skip(`${program} is not installed`);
}

describe("against llvm-undname", () => {
  test("names that Clang makes read the same", { timeout: 120_000 }, (context) => {
    needs(context, "llvm-undname-19", "clang++-19", "llvm-nm-19");
    const source = fileURLToPath(new URL("fixtures/msvc-names.cc", import.meta.url));
    const names = ["x86_64", "i686"].flatMap((machine) => {
      const object = join(work, `${machine}.obj`);
      const flags = ["-std=c++20", "-fms-extensions", "-fexceptions", "-fcxx-exceptions", "-w", "-c"];
      execFileSync("clang++-19", [`--target=${machine}-pc-windows-msvc`, ...flags, "-o", object, source]);
      return execFileSync("llvm-nm-19", ["--format=posix", object], { encoding: "latin1" }).split("\n").map((line) => line.split(" ")[0] ?? "");
    });
    const { compared, different } = differences([...new Set(names)].filter((name) => name.startsWith("?")));
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(350);
  });

  test("names in the debug data and the programs of Microsoft's compiler read the same", { timeout: 300_000 }, async (context) => {
    needs(context, "llvm-undname-19");
    for (const file of ["vendor/Setup.pdb", "vendor/Squirrel.exe", "vendor/7z-x64.dll"]) {
      const corpus = await corpusFile("electron-winstaller@5.4.4", file);
      if (corpus.state === "unavailable") return context.skip(corpus.reason);
      const text = readFileSync(corpus.path, "latin1");
      const names = new Set(text.match(/(?<=[^!-~])(?:\?|\.\?A)[!-~]{3,4000}/g) ?? []);
      expect(differences([...names]).different).toEqual([]);
    }
  });
});
