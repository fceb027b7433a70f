import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rawImage } from "@rea/binary";
import { address, memorySource } from "@rea/core";
import { afterAll, describe, expect, test, type TestContext } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";

const directory = mkdtempSync(join(tmpdir(), "rea-firmware-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const base = 0x800_0000n;
const source = `
  volatile int ticks, state;
  int helper(int x) { return x * 3 + state; }
  void idle(void) { for (;;) ticks += helper(ticks); }
  void reset(void) { state = 4; idle(); }
  void fault(void) { for (;;) state = -1; }
  void tick(void) { ticks += 1; if (ticks > 7) state = helper(ticks); }
  void line(void) { state ^= helper(state); }
  __attribute__((section(".vectors"), used)) void (*const vectors[20])(void) = {
    (void (*)(void))0x20004000, reset, fault, fault, fault, fault, fault, 0, 0, 0, 0, fault, fault, 0, fault, tick, line, line, fault, line };
`;

function firmware(context: TestContext): { readonly bytes: Uint8Array; readonly symbols: readonly bigint[] } {
  const run = (name: string, ...args: readonly string[]) => execFileSync(name, args, { cwd: directory, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  writeFileSync(join(directory, "firmware.c"), source);
  writeFileSync(join(directory, "layout.ld"), `SECTIONS { /DISCARD/ : { *(.ARM.exidx*) } . = ${String(base)}; .text : { *(.vectors) *(.text*) } .data 0x20000000 : { *(.data*) *(.bss*) } }`);
  try {
    run("clang-19", "--target=thumbv7m-none-eabi", "-O1", "-fno-inline", "-ffreestanding", "-c", "firmware.c", "-o", "firmware.o");
    run("ld.lld-19", "-T", "layout.ld", "-e", "reset", "firmware.o", "-o", "firmware.elf");
    run("llvm-objcopy-19", "-O", "binary", "-j", ".text", "firmware.elf", "firmware.bin");
  } catch {
    context.skip("the compiler for ARM is not installed");
  }
  const symbols = [...run("llvm-nm-19", "firmware.elf").matchAll(/^([0-9a-f]+) T (?!vectors)/gm)].map(([, va = ""]) => BigInt(`0x${va}`) & ~1n);
  return { bytes: readFileSync(join(directory, "firmware.bin")), symbols };
}

describe("the memory of a Cortex-M processor", () => {
  test("begins with handlers: all functions are found from them", async (context) => {
    const { bytes, symbols } = firmware(context);
    const program = await analyzeProgram(rawImage(memorySource(bytes), { architecture: "arm", base: address(base), endian: "little" }));
    expect(program.functions.map(({ entry }) => program.toVa(entry))).toEqual([...symbols].sort((a, b) => (a < b ? -1 : 1)));
    expect(program.classify(4)).toBe("data");
  });

  test("without a stack pointer in front is code from its first byte on", (context) => {
    const { bytes } = firmware(context);
    const damaged = Buffer.from(bytes);
    damaged.writeUInt32LE(0x11, 0);
    const image = rawImage(memorySource(damaged), { architecture: "arm", base: address(base), endian: "little" });
    expect(image.entryPoints().items).toEqual([{ va: address(base), kind: "entry" }]);
  });
});
