import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isRunnableHeader } from "./runnable-header.js";

const none = "/does/not/exist";
const linux = { platform: "linux", arch: "x64", registered: none } as const;

function elf(machine: number, change: (header: Buffer) => void = () => undefined): Buffer {
  const header = Buffer.alloc(64);
  header.write("\x7fELF", "latin1");
  header[4] = 2;
  header[5] = 1;
  header[6] = 1;
  header.writeUInt16LE(3, 16);
  header.writeUInt16LE(machine, 18);
  header.writeUInt16LE(56, 54);
  header.writeUInt16LE(9, 56);
  change(header);
  return header;
}

it("the system runs ELF programs of its own machine, and no others", () => {
  expect(isRunnableHeader(elf(62), linux)).toBe(true);
  expect(isRunnableHeader(elf(183), linux)).toBe(false);
  expect(isRunnableHeader(elf(62, (header) => header.writeUInt16LE(1, 16)), linux)).toBe(false);
  expect(isRunnableHeader(elf(62, (header) => header.writeUInt16LE(0, 56)), linux)).toBe(false);
  expect(isRunnableHeader(Buffer.from("echo hello\n"), linux)).toBe(false);
  expect(isRunnableHeader(Buffer.alloc(0), linux)).toBe(false);
});

it.skipIf(process.platform !== "linux")("the running program's own header is runnable", () => {
  expect(isRunnableHeader(readFileSync(process.execPath).subarray(0, 512))).toBe(true);
});

it("a foreign format is runnable when the host registered an interpreter for it", () => {
  const directory = mkdtempSync(join(tmpdir(), "rea-binfmt-"));
  const entry = (state: string): string => `${state}\ninterpreter /usr/bin/qemu\nflags: \noffset 0\nmagic 7f454c4602010100\nmask ffffffffffffff00\n`;
  try {
    for (const [state, runnable] of [["enabled", true], ["disabled", false]] as const) {
      writeFileSync(join(directory, "qemu"), entry(state));
      expect(isRunnableHeader(elf(183), { ...linux, registered: directory })).toBe(runnable);
    }
    expect(isRunnableHeader(Buffer.from("MZ"), { ...linux, registered: directory })).toBe(false);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

it("any bytes are judged without failing", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.constantFrom("linux", "darwin", "win32"), (bytes, platform) => {
      expect(typeof isRunnableHeader(Buffer.from(bytes), { ...linux, platform })).toBe("boolean");
    }),
  );
});
