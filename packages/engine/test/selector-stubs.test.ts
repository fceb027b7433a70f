import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { afterAll, describe, expect, test } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";

const directory = mkdtempSync(join(tmpdir(), "rea-selectors-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const needed = ["clang-19", "ld64.lld-19", "llvm-nm-19", "llvm-strip-19"];
const missing = needed.find((program) => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return false;
  } catch {
    return true;
  }
});
const run = (program: string, ...args: string[]): string => execFileSync(program, args, { cwd: directory, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

const source = (call: string): string => `.globl _main
_main:
  ${call} "_objc_msgSend$doIt"
  ${call} "_objc_msgSend$with:other:"
  ret
`;

/** The linker makes no authenticating stubs of its own; these are what arm64e programs hold, with nothing to assign them a symbol. */
const authenticating = `.globl _main
_main:
  bl Lstub
  ret
.section __TEXT,__auth_stubs,symbol_stubs,pure_instructions,16
.p2align 2
  nop
Lstub:
  adrp x17, Lslot@PAGE
  add x17, x17, Lslot@PAGEOFF
  ldr x16, [x17]
  braa x16, x17
.section __DATA_CONST,__auth_got
.p2align 4
  .quad 0
Lslot:
  .quad _objc_msgSend
`;

const library = `--- !tapi-tbd
tbd-version: 4
targets: [ arm64-macos, x86_64-macos ]
install-name: '/usr/lib/libobjc.A.dylib'
exports:
  - targets: [ arm64-macos, x86_64-macos ]
    symbols: [ _objc_msgSend, dyld_stub_binder ]
...
`;

interface Build {
  readonly architecture: "arm64" | "x86_64";
  readonly kind: string;
  readonly text: string;
}

function built({ architecture, kind, text }: Build): string {
  const name = `${architecture}-${kind}`;
  writeFileSync(join(directory, `${name}.s`), text);
  writeFileSync(join(directory, "libobjc.tbd"), library);
  const authenticates = architecture === "arm64" ? ["-march=armv8.3-a"] : [];
  run("clang-19", `--target=${architecture}-apple-macos12`, ...authenticates, "-c", `${name}.s`, "-o", `${name}.o`);
  const kinds = kind === "small" ? ["-objc_stubs_small"] : [];
  run("ld64.lld-19", "-arch", architecture, "-platform_version", "macos", "12", "12", ...kinds, `${name}.o`, "libobjc.tbd", "-o", name);
  return join(directory, name);
}

describe("stubs that send one message", () => {
  for (const [architecture, kind] of [["arm64", "fast"], ["arm64", "small"], ["x86_64", "fast"]] as const) {
    test(`carry the selector in a stripped ${architecture} program with ${kind} ones`, async (context) => {
      if (missing !== undefined) context.skip(`${missing} is not installed`);
      const file = built({ architecture, kind, text: source(architecture === "arm64" ? "bl" : "call") });
      const truth = [...run("llvm-nm-19", file).matchAll(/^([0-9a-f]+) \w (_objc_msgSend\$.*)$/gm)].map(([, address, name]) => [BigInt(`0x${address ?? ""}`), name]);
      run("llvm-strip-19", file);
      const program = await analyzeProgram(openImage(memorySource(readFileSync(file))));
      const named = program.functions.filter(({ name }) => name.startsWith("_objc_msgSend$"));
      expect(truth).toHaveLength(2);
      expect(named.map(({ entry, name }) => [program.toVa(entry), name])).toEqual(truth);
    });
  }
});

describe("stubs that authenticate what they jump to", () => {
  test("carry the name of the import whose slot they jump through", async (context) => {
    if (missing !== undefined) context.skip(`${missing} is not installed`);
    const file = built({ architecture: "arm64", kind: "authenticating", text: authenticating });
    const program = await analyzeProgram(openImage(memorySource(readFileSync(file))));
    const main = program.functions.find(({ name }) => name === "_main");
    const callees = main === undefined ? [] : program.callees(main).map((entry) => program.functionAt(entry));
    expect(callees).toMatchObject([{ name: "_objc_msgSend", nameSource: "import", external: true, thunk: true, thunkTarget: "_objc_msgSend" }]);
  });
});
