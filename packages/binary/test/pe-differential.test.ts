import { readFileSync } from "node:fs";
import path from "node:path";

import { formatAddress, memorySource } from "@rea/core";
import { corpusFile } from "@rea/testkit";
import { afterAll, beforeAll, describe, expect, test, type TestContext, vi } from "vitest";

import type { UnwindRange } from "../src/image.js";
import { readPe, type PeImage } from "../src/pe/index.js";
import { blocks, field, hasProgram, numberField, output, partialOutput } from "./llvm-tools.js";
import { buildMingw, buildMsvcStyle, peCorpus, type BuiltFiles } from "./pe-samples.js";

// Thousands of damaged files, or programs started by the dozen: the bound is for hangs, not for speed.
vi.setConfig({ testTimeout: 300_000 });

const readobj = "llvm-readobj-19";
const built: (readonly [label: string, build: () => BuiltFiles | undefined, file: string])[] = [
  ["MinGW program", () => mingw, "program.exe"],
  ["MinGW library", () => mingw, "library.dll"],
  ["lld-link x64 library", () => msvc, "x86_64.dll"],
  ["lld-link arm64 library", () => msvc, "aarch64.dll"],
];

let mingw: BuiltFiles | undefined;
let msvc: BuiltFiles | undefined;

beforeAll(() => {
  mingw = buildMingw();
  msvc = buildMsvcStyle();
});

afterAll(() => {
  mingw?.remove();
  msvc?.remove();
});

function open(file: string): PeImage {
  return readPe(memorySource(readFileSync(file)));
}

function declared(file: string, ...options: readonly string[]): string {
  return output(readobj, [...options, file]);
}

/** Every table is whole: a judge that agrees on a cut table would prove little. */
function expectComplete(image: PeImage): void {
  const tables = [image.sections(), image.symbols(), image.imports(), image.exports(), image.relocations(), image.unwindRanges()];
  expect(tables.flatMap(({ omissions }) => omissions)).toEqual([]);
}

function compareSections(image: PeImage, file: string): void {
  const theirs = blocks(declared(file, "--sections"), "Section").map((block) => ({
    name: field(block, "Name").replace(/ \(.*\)$/, ""),
    virtualSize: numberField(block, "VirtualSize"),
    rva: numberField(block, "VirtualAddress"),
    rawSize: numberField(block, "RawDataSize"),
    pointer: numberField(block, "PointerToRawData"),
  }));
  const ours = image.sections().items.map((section) => ({
    name: section.name,
    virtualSize: Number(section.virtualSize),
    rva: Number((section.va ?? 0n) - image.imageBase),
    rawSize: section.file?.size ?? 0,
    pointer: section.file?.offset ?? 0,
  }));
  // A section without file data may still carry a pointer or a raw size; the model gives it no file range.
  expect(ours).toEqual(theirs.map((row) => (row.rawSize === 0 || row.pointer === 0 ? { ...row, rawSize: 0, pointer: 0 } : row)));
}

function compareSymbols(image: PeImage, file: string): void {
  const theirs = blocks(declared(file, "--symbols"), "Symbol").map((block) => [
    field(block, "StorageClass").startsWith("File") ? (field(block, "FileName") || ".file") : field(block, "Name"),
    numberField(block, "Value"),
  ]);
  const ours = image.symbols().items.map((symbol) => {
    const section = image.sections().items.find(({ va, name }) => name === symbol.section && va !== undefined);
    return { symbol, rva: symbol.va === undefined || section?.va === undefined ? undefined : Number(symbol.va - section.va) };
  });
  // The judge prints the string table offset of a long source name as if it were the name.
  const names = theirs.map(([name]) => (String(name).startsWith("\0") ? expect.stringMatching(/\.[cS]$/) : name));
  expect(ours.map(({ symbol }) => symbol.name)).toEqual(names);
  ours.forEach(({ rva }, index) => {
    if (rva !== undefined) expect(rva).toBe(theirs[index]?.[1]);
  });
}

function theirImports(file: string): readonly string[] {
  const text = declared(file, "--coff-imports");
  const rows = (name: string): readonly string[] =>
    blocks(text, name, 0).flatMap((block) =>
      [...block.matchAll(/^ *Symbol: (.*) \((\d+)\)$/gm)].map(([, symbol, hint]) => `${field(block, "Name")} ${symbol === "" ? `#${hint ?? ""}` : (symbol ?? "")}`),
    );
  return [...rows("Import"), ...rows("DelayImport")];
}

function compareImports(image: PeImage, file: string): void {
  const ours = image.imports().items.map(({ library, name, ordinal }) => `${library ?? ""} ${name ?? `#${String(ordinal)}`}`);
  expect(ours).toEqual(theirImports(file));
}

function compareExports(image: PeImage, file: string): void {
  const theirs = blocks(declared(file, "--coff-exports"), "Export").map((block) => ({
    ordinal: numberField(block, "Ordinal"),
    name: field(block, "Name"),
    place: field(block, "ForwardedTo") || Number(field(block, "RVA")),
  }));
  const ours = image.exports().items.map((item) => ({
    ordinal: item.ordinal,
    name: item.name ?? "",
    place: item.forwarder ?? Number((item.va ?? 0n) - image.imageBase),
  }));
  expect(ours).toEqual(theirs);
}

function compareRelocations(image: PeImage, file: string): void {
  const text = declared(file, "--coff-basereloc");
  // The judge lists padding entries too.
  const theirs = blocks(text, "Entry").map((block) => `${field(block, "Type")} ${field(block, "Address").toLowerCase()}`).filter((row) => !row.startsWith("ABSOLUTE"));
  const ours = image.relocations().items.map(({ type, va }) => `${type.replace("IMAGE_REL_BASED_", "")} ${formatAddress(va - image.imageBase)}`);
  expect(ours).toEqual(theirs);
}

const address = (text: string): string => (/0x[0-9A-F]+/i.exec(text)?.[0] ?? "").toLowerCase();

function compareUnwind(image: PeImage, file: string): void {
  if (image.architecture !== "x86_64" && image.architecture !== "arm64") return;
  const judged = partialOutput(readobj, ["--unwind", file]);
  const functions = blocks(judged.text, "RuntimeFunction");
  const all = image.unwindRanges().items.filter(({ source }) => source === "pdata");
  // The judge gives up at the first unwind information of version 2; what it said until then must agree.
  const ours = judged.whole ? all : all.slice(0, functions.length);
  if (!judged.whole) expect(functions.length).toBeGreaterThan(0);
  if (image.architecture === "arm64") {
    const theirs = functions.map((block) => `${address(field(block, "Function"))}+${field(block, "FunctionLength")}`);
    // Parts that only a language's own tables list have no end, and the judge does not read those tables.
    const listed = ours.flatMap(({ start, end }) => (end === undefined ? [] : [`${formatAddress(start)}+${String(end - start)}`]));
    expect(listed).toEqual(theirs);
    return;
  }
  const chained = new Map(
    functions.map((block) => [address(field(block, "StartAddress")), address(field(blocks(block, "Chained")[0] ?? "", "StartAddress"))]),
  );
  // The judge names the next entry of a chain; the model names its end.
  const primaryOf = (start: string): string => {
    let primary = chained.get(start) ?? "";
    for (let next = chained.get(primary) ?? ""; next !== ""; next = chained.get(primary) ?? "") primary = next;
    return primary;
  };
  const theirs = functions.map((block) => {
    const start = address(field(block, "StartAddress"));
    return [start, address(field(block, "EndAddress")), primaryOf(start)].join(" ");
  });
  // The judge does not read what the language data of a function says of its catch blocks; such a function has that data.
  const withData = new Set(ours.flatMap(({ start, lsda }) => (lsda === undefined ? [] : [start])));
  const chainOf = ({ start, primary }: UnwindRange): string =>
    primary === undefined || (withData.has(primary) && chained.get(formatAddress(start)) === "") ? "" : formatAddress(primary);
  const rows = ours.map((range) => [formatAddress(range.start), formatAddress(range.end ?? 0n), chainOf(range)].join(" "));
  expect(rows).toEqual(theirs);
}

function compareDebug(image: PeImage, file: string): void {
  const text = declared(file, "--coff-debug-directory");
  const theirs = blocks(text, "PDBInfo").flatMap((block) => [field(block, "PDBGUID").replace(/[{}]/g, ""), field(block, "PDBFileName")]);
  const ours = image.buildIds().items.filter(({ kind }) => kind === "pe-debug-guid" || kind === "pdb-path").map(({ value }) => value);
  expect(ours).toEqual(theirs);
}

function compareAll(file: string): PeImage {
  const image = open(file);
  expectComplete(image);
  for (const compare of [compareSections, compareSymbols, compareImports, compareExports, compareRelocations, compareUnwind, compareDebug]) compare(image, file);
  return image;
}

function needReadobj(context: TestContext): void {
  if (!hasProgram(readobj)) context.skip(`${readobj} is not installed`);
}

describe("PE tables equal llvm-readobj's", () => {
  for (const [specification, name] of peCorpus) {
    test(`of ${path.basename(name)} in ${specification}`, async (context) => {
      needReadobj(context);
      const file = await corpusFile(specification, name);
      if (file.state === "unavailable") return context.skip(file.reason);
      compareAll(file.path);
    });
  }

  for (const [label, build, name] of built) {
    test(`of a ${label}`, (context) => {
      needReadobj(context);
      const work = build();
      if (work === undefined) return context.skip("the compiler for this sample is not installed");
      compareAll(path.join(work.directory, name));
    });
  }
});

describe("PE facts of real files", () => {
  async function corpus(context: TestContext, index: readonly [Parameters<typeof corpusFile>[0], string]): Promise<PeImage> {
    const file = await corpusFile(...index);
    if (file.state === "unavailable") context.skip(file.reason);
    return open(file.state === "available" ? file.path : "");
  }

  test("a signed program has a located signature, no overlay and a valid Rich header", async (context) => {
    const image = await corpus(context, ["@electron/windows-sign@1.2.2", "vendor/signtool.exe"]);
    expect(image.signatures().items).toEqual([{ kind: "authenticode", file: { offset: 450_560, size: 8656 } }]);
    expect(image.overlay()).toBeUndefined();
    expect(image.anomalies().items).toEqual([]);
    expect(image.buildIds().items.find(({ kind }) => kind === "rich-header")?.detail).toMatch(/checksum valid$/);
    expect(image.header.timestamp?.utc).toBeUndefined();
    const states = new Map(image.mitigations().items.map(({ name, state }) => [name, state]));
    expect([states.get("aslr"), states.get("guard_cf"), states.get("canary"), states.get("safe_seh")]).toEqual(["enabled", "enabled", "enabled", "not_applicable"]);
  });

  test("a .NET program is managed and a native one is not", async (context) => {
    expect((await corpus(context, ["electron-winstaller@5.4.4", "vendor/Squirrel.exe"])).managed).toBe(true);
    const native = await corpus(context, ["electron-winstaller@5.4.4", "vendor/Setup.exe"]);
    expect([native.managed, native.role()]).toEqual([false, "application"]);
  });

  test("control flow guard lists functions inside the code, all of them", async (context) => {
    needReadobj(context);
    const image = await corpus(context, ["@electron/windows-sign@1.2.2", "vendor/signtool.exe"]);
    const file = await corpusFile("@electron/windows-sign@1.2.2", "vendor/signtool.exe");
    const text = file.state === "available" ? partialOutput(readobj, ["--coff-load-config", file.path]).text : "";
    const theirs = [...(text.split("GuardFidTable [")[1] ?? "").split("]")[0]?.matchAll(/0x[0-9A-F]+/g) ?? []].map(([va]) => va.toLowerCase());
    const ours = image.unwindRanges().items.filter(({ source }) => source === "function-starts");
    expect(theirs.length).toBeGreaterThan(10);
    expect(ours.map(({ start }) => formatAddress(start))).toEqual(theirs);
  });

  test("delay-loaded imports are marked and their libraries too", async (context) => {
    const image = await corpus(context, ["electron-winstaller@5.4.4", "vendor/Setup.exe"]);
    expect(image.libraries().needed.filter(({ delayed }) => delayed)).toHaveLength(6);
    expect(image.imports().items.filter(({ delayed }) => delayed)).toHaveLength(35);
  });

  test("a MinGW program has its TLS callbacks, and a thunk for each called import", (context) => {
    if (mingw === undefined) return context.skip("x86_64-w64-mingw32-gcc is not installed");
    const image = open(path.join(mingw.directory, "program.exe"));
    expect(image.entryPoints().items.map(({ kind }) => kind)).toEqual(["entry", "tls-callback", "tls-callback"]);
    const names = new Map(image.symbols().items.flatMap(({ va, name }) => (va === undefined ? [] : [[`${String(va)} ${name}`, name]])));
    const stubs = image.imports().items.flatMap(({ name, stubs }) => stubs.map((va) => ({ name: name ?? "", va })));
    expect(stubs.length).toBeGreaterThan(30);
    // The linker gives each thunk the name of what it jumps to.
    for (const { name, va } of stubs) expect([names.get(`${String(va)} ${name}`), names.get(`${String(va)} __imp_${name}`)]).toContain(name);
  });

  test("the linker's checksum is right, and one changed bit makes it wrong", (context) => {
    if (mingw === undefined) return context.skip("x86_64-w64-mingw32-gcc is not installed");
    const bytes = readFileSync(path.join(mingw.directory, "program.exe"));
    expect(readPe(memorySource(bytes)).anomalies().items).toEqual([]);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    expect(readPe(memorySource(bytes)).anomalies().items.map(({ kind }) => kind)).toEqual(["wrong-checksum"]);
  });
});
