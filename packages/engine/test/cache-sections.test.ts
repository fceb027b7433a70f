import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFileSource, openImage, type BinaryImage } from "@rea/binary";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { analyzeProgram, disassemblerFor } from "../src/analysis/analyze-program.js";
import type { AnalyzedProgram } from "../src/analysis/analyzed-program.js";
import { readProgram, writeProgram } from "../src/cache/program-sections.js";
import { DamagedCache, SectionReader, SectionWriter } from "../src/cache/sections.js";
import { TextColumn, writeTexts } from "../src/cache/text-columns.js";
import { codeImage, dataRva, hex } from "./code-image.js";
import { isInstalled } from "./listing.js";
import { expectSame } from "./whole-program.js";

const directory = mkdtempSync(join(tmpdir(), "rea-sections-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function bodyOf(program: AnalyzedProgram, strings = true): Uint8Array {
  return joined(writeProgram(program.parts, strings ? program.strings : undefined));
}

function joined(writer: SectionWriter): Uint8Array {
  const body = new Uint8Array(writer.byteLength);
  let at = 0;
  for (const piece of writer.pieces) {
    body.set(piece, at);
    at += piece.byteLength;
  }
  return body;
}

async function reread(body: Uint8Array, image: BinaryImage): Promise<AnalyzedProgram> {
  const disassembler = await disassemblerFor(image);
  const { program } = readProgram(body, image, disassembler);
  await disassembler.prepareText();
  return program;
}

async function expectRoundTrip(open: () => BinaryImage): Promise<void> {
  const fresh = await analyzeProgram(open());
  const image = open();
  expectSame(await reread(bodyOf(fresh), image), fresh);
  expectSame(await reread(bodyOf(fresh, false), image), fresh);
}

// call; switch-like jump through a relocated cell; a name and an import; text in the data
const code = hex("e80b000000 c3 90909090909090909090 ff25ea0f0000 31c0 ebfc c3");
const text = Buffer.from("\0\0\0\0\0\0\0\0hello world\0w\0i\0d\0e\0 \0t\0e\0x\0t\0\0\0", "latin1");
const built = () =>
  codeImage({
    code,
    data: text,
    symbols: [{ name: "\u00e9\ud800\u4e2d", rva: 0x1000 }],
    imports: [{ name: "puts", slots: [0x2000], stubs: [0x1010] }],
    pointers: [{ cell: dataRva(code.length), target: 0x1000 }],
  });

describe("columns of a finished analysis", () => {
  test("a built program reads back the same, with its strings and without", async () => {
    await expectRoundTrip(built);
  });

  test.for(["/bin/ls", "/lib/x86_64-linux-gnu/libz.so.1"])("%s reads back the same", async (path, ctx) => {
    if (!existsSync(path)) ctx.skip(`${path} is not here`);
    await expectRoundTrip(() => openImage(openFileSource(path)));
  });

  test.for(["aarch64-linux-gnu", "riscv64-linux-gnu", "mips-linux-gnu", "powerpc64le-linux-gnu"])(
    "a library for %s reads back the same",
    async (target, ctx) => {
      if (!isInstalled("clang-19") || !isInstalled("ld.lld-19")) ctx.skip("clang-19 or lld-19 is not installed");
      const path = buildLibrary(target);
      await expectRoundTrip(() => openImage(openFileSource(path)));
    },
  );

  test("bytes changed behind the back of the checks are refused or read, never a crash", async () => {
    const image = built();
    const body = bodyOf(await analyzeProgram(image));
    const disassembler = await disassemblerFor(image);
    const read = (changed: Uint8Array) => {
      try {
        return readProgram(changed, image, disassembler).program;
      } catch (error) {
        expect(error).toBeInstanceOf(DamagedCache);
        return undefined;
      }
    };
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Uint8Array.from(body);
        changed[at] = (changed[at] ?? 0) ^ change;
        // What was let in answers, however wrong it is.
        read(changed)?.strings.forEach((record) => record.text());
      }),
      { numRuns: 400 },
    );
    for (let length = 0; length < body.length; length += 61) read(body.slice(0, length));
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => read(bytes) === undefined), { numRuns: 100 });
  });

  test("an analysis of another image is refused", async () => {
    const body = bodyOf(await analyzeProgram(built()));
    const other = codeImage({ code: hex("c3 90 90 90") });
    await expect(reread(body, other)).rejects.toBeInstanceOf(DamagedCache);
  });

  test("texts of any content come back, one byte or two for a unit", () => {
    const unit = fc.integer({ min: 0, max: 0xffff }).map((value) => String.fromCharCode(value));
    const texts = fc.array(fc.option(fc.oneof(fc.string(), fc.array(unit).map((units) => units.join(""))), { nil: undefined }));
    fc.assert(
      fc.property(texts, (wanted) => {
        const writer = new SectionWriter();
        writeTexts(writer, "t", wanted);
        const column = TextColumn.read(new SectionReader(joined(writer)), "t");
        expect(wanted.map((_, index) => column.at(index))).toStrictEqual(wanted);
        const rows = (text: string) => wanted.flatMap((one, index) => (one === text ? [index] : []));
        for (const text of [...wanted, "", "elsewhere"]) if (text !== undefined) expect(column.rowsOf(text)).toStrictEqual(rows(text));
      }),
    );
  });

  test("numbers of any size come back", () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat()), (wanted) => {
        const writer = new SectionWriter();
        writer.numbers("n", Float64Array.from(wanted));
        expect([...new SectionReader(joined(writer)).numbers("n")]).toStrictEqual(wanted);
      }),
    );
  });
});

const source = `
int ext(const char*); const char *names[] = {"zero", "one", "two"}; int counter;
__attribute__((noinline)) static int callback(int x) { return x * 3 + counter; }
void *registered(void) { return (void*)callback; }
__attribute__((noinline)) int pick(int x) {
  switch (x) { case 0: return ext("a"); case 1: return ext("bb") + 1; case 2: return ext("ccc"); case 3: return 77;
    case 4: return ext("five5")*5; case 5: return counter++; case 6: return 5 + ext(names[1]); }
  return -1;
}
int outer(int c) { for (int i = 0; i < c; i++) ext(names[i % 3]); return pick(c) + callback(c + 2); }
`;

function buildLibrary(target: string): string {
  const name = join(directory, target);
  writeFileSync(`${name}.c`, source);
  execFileSync("clang-19", [`--target=${target}`, "-O2", "-fPIC", "-ffreestanding", "-c", "-o", `${name}.o`, `${name}.c`], { stdio: "ignore" });
  execFileSync("ld.lld-19", ["-shared", "-o", `${name}.so`, `${name}.o`], { stdio: "ignore" });
  return `${name}.so`;
}
