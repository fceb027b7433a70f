import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { formatAddress, memorySource, operations, sourceSlice } from "@rea/core";
import { corpusFile } from "@rea/testkit";
import { afterAll, beforeAll, describe, expect, test, type TestContext, vi } from "vitest";

import { inspectMacho } from "../src/inspect-macho.js";
import { isUniversal, readMachO, readUniversal, type MachOImage } from "../src/macho/index.js";
import { blocks, field, hasProgram, numberField, output } from "./llvm-tools.js";
import { buildMachO, builtMachO, machoCorpus, type BuiltMachO } from "./macho-samples.js";

// Thousands of damaged files, or programs started by the dozen: the bound is for hangs, not for speed.
vi.setConfig({ testTimeout: 300_000 });

const objdump = "llvm-objdump-19";
const judges = [objdump, "llvm-readobj-19", "llvm-nm-19"];

let built: BuiltMachO | undefined;
let slices = "";

beforeAll(() => {
  built = buildMachO();
  slices = mkdtempSync(path.join(tmpdir(), "macho-slices-"));
});

afterAll(() => {
  built?.remove();
  rmSync(slices, { recursive: true, force: true });
});

interface Sample {
  readonly image: MachOImage;
  readonly file: string;
}

/** One sample per slice, each in a file of its own for the judges. */
function samples(file: string): readonly Sample[] {
  const source = memorySource(readFileSync(file));
  if (!isUniversal(source)) return [{ image: readMachO(source), file }];
  return readUniversal(source).items.map((slice) => {
    const thin = path.join(slices, `${path.basename(file)}-${slice.name}`);
    const part = sourceSlice(source, slice.offset, slice.size);
    writeFileSync(thin, part.read(0, part.size));
    return { image: readMachO(part, { sourceOffset: slice.offset }), file: thin };
  });
}

function objdumped(file: string, option: string): string {
  return output(objdump, ["--macho", option, file]);
}

function expectComplete({ image }: Sample): void {
  const tables = [image.sections(), image.symbols(), image.imports(), image.exports(), image.relocations(), image.entryPoints(), image.unwindRanges(), image.buildIds()];
  expect(tables.flatMap(({ omissions }) => omissions)).toEqual([]);
  expect(image.anomalies().items).toEqual([]);
}

function compareSections({ image, file }: Sample): void {
  const theirs = blocks(output("llvm-readobj-19", ["--sections", file]), "Section").map((block) => ({
    name: field(block, "Name").replace(/ \(.*$/, ""),
    segment: field(block, "Segment").replace(/ \(.*$/, ""),
    va: formatAddress(numberField(block, "Address")),
    size: numberField(block, "Size"),
    zeroFill: /ZeroFill|ThreadLocalZerofill/i.test(field(block, "Type")),
    offset: numberField(block, "Offset"),
  }));
  const ours = image.sections().items.map(({ name, segment, va, virtualSize, file: range }) => ({
    name,
    segment,
    va: formatAddress(va ?? 0n),
    size: Number(virtualSize),
    offset: range?.offset,
  }));
  // Zero-fill sections carry an offset of 0 or a meaningless one; the model gives them no file range.
  expect(ours).toEqual(theirs.map(({ zeroFill, offset, ...row }) => ({ ...row, offset: zeroFill || row.size === 0 ? undefined : offset })));
}

function compareSymbols({ image, file }: Sample): void {
  const theirs = blocks(output("llvm-readobj-19", ["--symbols", file]), "Symbol").map((block) => [
    field(block, "Name").replace(/ \(\d+\)$/, ""),
    numberField(block, "Value"),
    field(block, "Type"),
  ]);
  const ours = image.symbols().items;
  expect(ours.map(({ name }) => name)).toEqual(theirs.map(([name]) => name));
  ours.forEach(({ va, table }, index) => {
    if (va !== undefined && table === "nlist") expect(Number(va)).toBe(theirs[index]?.[1]);
  });
}

const shortName = (library: string): string => path.posix.basename(library).split(".")[0] ?? "";

interface Undefined {
  readonly name: string;
  readonly library: string;
  readonly weak: boolean;
}

function theirUndefined(file: string): readonly Undefined[] {
  return output("llvm-nm-19", ["-m", "-u", file]).split("\n").flatMap((line) => {
    const match = /\((?:undefined|common)[^)]*\) (weak )?external (\S+)(?: \((?:from (.*?)|dynamically looked up)\))?$/.exec(line.trim());
    return match === null ? [] : [{ name: match[2] ?? "", library: match[3] ?? "", weak: match[1] !== undefined }];
  });
}

function compareImports({ image, file }: Sample): void {
  const imports = new Map(image.imports().items.map((item) => [item.name, item]));
  const theirs = theirUndefined(file);
  expect([...imports.keys()].sort()).toEqual(theirs.map(({ name }) => name).sort());
  for (const { name, library, weak } of theirs) {
    const item = imports.get(name);
    // A flat namespace has no libraries in its symbols, yet its binds may name them.
    if (library !== "") expect(shortName(item?.library ?? "")).toBe(library);
    // The judge also calls weak what merely refers to a weak definition (N_REF_TO_WEAK).
    if (item?.binding === "weak") expect(weak).toBe(true);
  }
}

function compareExports({ image, file }: Sample): void {
  if (image.header.type === "MH_OBJECT") return;
  const theirs = [...objdumped(file, "--exports-trie").matchAll(/^0x([0-9A-F]+) {2}(\S+)(.*)$/gm)].map(
    ([, va, name, flags]) => `${formatAddress(BigInt(`0x${va ?? "0"}`))} ${name ?? ""}${/weak_def/.test(flags ?? "") ? " weak" : ""}`,
  );
  const ours = image.exports().items.map(({ name, va, binding }) => `${formatAddress(va ?? 0n)} ${name ?? ""}${binding === "weak" ? " weak" : ""}`);
  // Both walk the trie depth first; the judge orders siblings by their own rule.
  expect([...ours].sort()).toEqual([...theirs].sort());
}

function compareFixups({ image, file }: Sample): void {
  const relocations = image.relocations().items;
  if (image.linkage.fixups().kind === "chained") {
    const theirs = [...objdumped(file, "--dyld-info").matchAll(/^__\S+ +__\S+ +(0x\w+) 0x\w+ +(bind|rebase) +(?:(0x\w+) +(?:\S+|flat-namespace) +)?(\S+)/gm)].map(
      ([, va, kind, addend, what]) => `${Number(va).toString()} ${kind === "bind" ? `${what ?? ""}+${String(Number(addend))}` : String(Number(what))}`,
    );
    const ours = relocations.map(({ va, symbol, addend, target }) => `${String(va)} ${symbol === undefined ? String(target) : `${symbol}+${String(addend)}`}`);
    expect(ours).toEqual(theirs);
    return;
  }
  const rebased = [...objdumped(file, "--rebase").matchAll(/^__\S+ +__\S+ +(0x[0-9A-F]+) +(?:pointer|text)/gm)].map(([, va]) => Number(va));
  expect(relocations.filter(({ type }) => type.startsWith("rebase")).map(({ va }) => Number(va))).toEqual(rebased);
  for (const [option, type] of [["--bind", "bind"], ["--weak-bind", "weak-bind"], ["--lazy-bind", "lazy-bind"]] as const) {
    const theirs = [...objdumped(file, option).matchAll(/^__\S+ +__\S+ +(0x[0-9A-F]+) +(.*)$/gm)].map(([, va, rest]) => {
      const words = (rest ?? "").replace(/ \(weak_import\)$/, "").trim().split(/ +/);
      return `${String(Number(va))} ${words.at(-1) ?? ""}+${words[0] === "pointer" ? (words[1] ?? "") : "0"}`;
    });
    const ours = relocations.filter((item) => item.type === type).map(({ va, symbol, addend }) => `${String(va)} ${symbol ?? ""}+${String(addend)}`);
    expect(ours).toEqual(theirs);
  }
}

function compareUnwind({ image, file }: Sample): void {
  const starts = (source: string): readonly string[] =>
    image.unwindRanges().items.filter((range) => range.source === source).map(({ start }) => formatAddress(start));
  const listed = [...objdumped(file, "--function-starts").matchAll(/^([0-9a-f]{8,16})$/gm)].map(([, va]) => formatAddress(BigInt(`0x${va ?? ""}`)));
  expect(starts("function-starts")).toEqual(listed);
  if (image.header.type === "MH_OBJECT") return;
  const second = objdumped(file, "--unwind-info").split("Second level indices:")[1] ?? "";
  const entries = [...second.matchAll(/function offset=(0x[0-9a-f]+), encoding(?:\[\d+\])?=(0x[0-9a-f]+)/g)]
    // An encoding of 0 says that nothing is known; the model lists what is known.
    .filter(([, , encoding]) => Number(encoding) !== 0)
    .map(([, offset]) => formatAddress(image.imageBase + BigInt(offset ?? "0")));
  expect(starts("unwind-info")).toEqual(entries);
}

function compareIndirect({ image, file }: Sample): void {
  const imports = new Map(image.imports().items.map((item) => [item.name, item]));
  let compared = 0;
  for (const part of objdumped(file, "--indirect-symbols").split(/^Indirect symbols for /m).slice(1)) {
    const stubs = part.startsWith("(__TEXT,__stubs)") || part.startsWith("(__TEXT,__symbol_stub1)") || part.startsWith("(__TEXT,__picsymbolstub");
    for (const [, va, name] of part.matchAll(/^(0x[0-9a-f]+) +\d+ (\S+)$/gm)) {
      const item = imports.get(name);
      // Symbols of the image itself may have slots and stubs too; they are no imports.
      if (item === undefined) continue;
      expect((stubs ? item.stubs : item.slots).map(String)).toContain(String(BigInt(va ?? "0")));
      compared += 1;
    }
  }
  if (image.header.type === "MH_EXECUTE") expect(compared).toBeGreaterThan(0);
}

function compareLibraries({ image, file }: Sample): void {
  const theirs = [...objdumped(file, "--dylibs-used").matchAll(/^\t(\S+) \(compatibility version (\S+), current version ([^,)]+)/gm)].map(([, name, , version]) => `${name ?? ""} ${version ?? ""}`);
  const { needed, ownName } = image.libraries();
  const ours = needed.map(({ name, version }) => `${name} ${version ?? ""}`);
  // The judge lists the library's own name first.
  expect(ours).toEqual(theirs.filter((row) => ownName === undefined || !row.startsWith(`${ownName} `)));
}

function compareAll(file: string): void {
  for (const sample of samples(file)) {
    expectComplete(sample);
    for (const compare of [compareSections, compareSymbols, compareImports, compareExports, compareFixups, compareUnwind, compareIndirect, compareLibraries]) compare(sample);
  }
}

function needJudges(context: TestContext): void {
  const missing = judges.find((name) => !hasProgram(name));
  if (missing !== undefined) context.skip(`${missing} is not installed`);
}

describe("Mach-O tables equal those of LLVM's tools", () => {
  for (const [specification, name] of machoCorpus) {
    test(`for ${path.basename(name)} in ${specification}`, async (context) => {
      needJudges(context);
      const file = await corpusFile(specification, name);
      if (file.state === "unavailable") return context.skip(file.reason);
      compareAll(file.path);
    });
  }

  for (const name of builtMachO) {
    test(`for the built ${name}`, (context) => {
      needJudges(context);
      if (built === undefined) return context.skip("clang-19 or ld64.lld-19 is not installed");
      compareAll(path.join(built.directory, name));
    });
  }
});

describe("__eh_frame", () => {
  test("holds as many frames as llvm-dwarfdump counts", async (context) => {
    if (!hasProgram("llvm-dwarfdump-19")) return context.skip("llvm-dwarfdump-19 is not installed");
    for (const architecture of ["arm64", "x64"] as const) {
      const file = await corpusFile(`@rollup/rollup-darwin-${architecture}@4.68.8`, `rollup.darwin-${architecture}.node`);
      if (file.state === "unavailable") return context.skip(file.reason);
      const theirs = output("llvm-dwarfdump-19", ["--eh-frame", file.path]).match(/ FDE cie=/g)?.length;
      const ours = readMachO(memorySource(readFileSync(file.path))).unwindRanges().items.filter(({ source }) => source === "eh_frame");
      expect(ours.length).toBe(theirs);
    }
  });
});

describe("inspectMacho", () => {
  const schema = operations.inspect_macho.result;

  test("describes every sample within the result schema", async (context) => {
    if (built === undefined) return context.skip("clang-19 or ld64.lld-19 is not installed");
    for (const name of builtMachO) {
      const result = inspectMacho(memorySource(readFileSync(path.join(built.directory, name))));
      expect(schema.parse(result)).toEqual(result);
      expect(result.coverage).toEqual({ state: "complete", omissions: [] });
    }
  });

  test("shows versions, run paths, entry and fix-ups of a linked program", (context) => {
    if (built === undefined) return context.skip("clang-19 or ld64.lld-19 is not installed");
    const result = inspectMacho(memorySource(readFileSync(path.join(built.directory, "arm64-chained"))));
    expect(result.dylibs.map(({ name, current_version, compatibility_version }) => [name, current_version, compatibility_version])).toEqual([
      ["/usr/lib/libSystem.B.dylib", "1311.0.0", "1.0.0"],
      ["@rpath/libext.1.dylib", "2.3.4", "1.2.0"],
    ]);
    expect(result.rpaths).toEqual(["@loader_path/lib"]);
    expect(result.build_version).toEqual({ platform: "PLATFORM_MACOS", minimum_os: "13.0.0", sdk: "13.0.0", tools: [{ tool: "TOOL_LLD", version: "19.1.7" }] });
    expect(result.fixups?.kind).toBe("chained");
    expect(result.function_starts_count).toBeGreaterThan(3);
    expect(result.code_signature).not.toBeNull();
  });

  test("chooses the slice of a universal file, by default arm64, and refuses one that is not there", async (context) => {
    const file = await corpusFile("fsevents@2.3.3", "fsevents.node");
    if (file.state === "unavailable") return context.skip(file.reason);
    const source = memorySource(readFileSync(file.path));
    expect(inspectMacho(source)).toMatchObject({ architecture: "arm64", available_architectures: ["x86_64", "arm64"], slice: { offset: 98_304 } });
    expect(inspectMacho(source, { architecture: "x86_64" })).toMatchObject({ architecture: "x86_64", slice: { offset: 16_384 } });
    expect(() => inspectMacho(source, { architecture: "riscv64" })).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});
