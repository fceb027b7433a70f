import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { deepOperations, memorySource } from "@rea/core";
import { corpusFile } from "@rea/testkit";
import { openImage, type BinaryImage } from "@rea/binary";
import { afterAll, beforeAll, describe, expect, test, vi, type TestContext } from "vitest";
import type { NativeOperationName } from "../src/native-operations.js";
import { analyzeProgram } from "../src/analysis/analyze-program.js";
import { handlerOf } from "../src/operations/handlers.js";
import { fakeQuery } from "./fake-program.js";

vi.setConfig({ testTimeout: 120_000 });

const program = `
__attribute__((objc_root_class)) @interface Root { id isa; } + (id)make; @end
@protocol Loud - (void)shout; @optional - (void)whisper; @end
@interface Dog : Root <Loud> { int legs; } - (int)bark; @end
@implementation Root + (id)make { return 0; } @end
@implementation Dog - (int)bark { return legs; } - (void)shout { [Dog make]; } @end
@interface Dog (Tricks) - (int)roll; @end
@implementation Dog (Tricks) - (int)roll { return [self bark]; } @end
`;
const programs = ["clang-19", "ld64.lld-19", "llvm-strip-19"];

let directory: string | undefined;
let missing: string | undefined;

function run(name: string, ...args: readonly string[]): void {
  execFileSync(name, [...args], { cwd: directory, stdio: "ignore" });
}

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), "objc-"));
  missing = programs.find((name) => {
    try {
      run(name, "--version");
      return false;
    } catch {
      return true;
    }
  });
  if (missing !== undefined) return;
  writeFileSync(path.join(directory, "dog.m"), program);
  run("clang-19", "--target=arm64-apple-macos11", "-fobjc-runtime=macosx-11", "-O1", "-c", "dog.m", "-o", "dog.o");
  run("ld64.lld-19", "-arch", "arm64", "-platform_version", "macos", "11", "11", "-undefined", "dynamic_lookup", "-dylib", "dog.o", "-o", "dog.dylib");
  run("llvm-strip-19", "-x", "-o", "stripped.dylib", "dog.dylib");
});

afterAll(() => {
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
});

function built(context: TestContext, name: string): BinaryImage {
  if (directory === undefined || missing !== undefined) return context.skip(`${String(missing)} is not installed`);
  return openImage(memorySource(readFileSync(path.join(directory, name))));
}

/** An answer over an image, checked against the operation's contract. */
function ask<N extends NativeOperationName>(image: BinaryImage, operation: N, params: object = {}) {
  const found = handlerOf(operation).run({ ...fakeQuery(), image }, params);
  return { ...found, result: deepOperations[operation].result.parse(found.result) };
}

const methods = ["+[Root make]", "-[Dog bark]", "-[Dog shout]", "-[Dog(Tricks) roll]"];

describe("a stripped Mach-O file", () => {
  test("has its methods named, and each starts a function", async (context) => {
    const analysed = await analyzeProgram(built(context, "stripped.dylib"));
    const named = analysed.functions.filter(({ name }) => /^[-+]\[/.test(name));
    expect(named.map(({ name }) => name).sort()).toEqual(methods);
    expect(named.every(({ sources }) => sources.includes("pointer"))).toBe(true);
    expect(analysed.names.filter(({ source }) => source === "objc-metadata").map(({ name }) => name).sort()).toEqual(methods);
  });

  test("that kept its symbols lists no method twice", async (context) => {
    const analysed = await analyzeProgram(built(context, "dog.dylib"));
    const listed = analysed.names.filter(({ name }) => /^[-+]\[/.test(name)).map(({ name }) => name);
    expect(listed.sort()).toEqual(methods);
  });
});

describe("the metadata operations", () => {
  test("answer from metadata with place, members and counts", (context) => {
    const image = built(context, "stripped.dylib");
    expect(ask(image, "get_objc_classes", { pattern: "Dog" })).toMatchObject({
      confidence: "observed",
      result: {
        total: 1,
        items: [{ name: "Dog", basis: "metadata", superclass: "Root", protocols: ["Loud"], instance_methods: 2, class_methods: 0, ivars: 1 }],
        coverage: { state: "complete", omissions: [] },
      },
    });
    expect(ask(image, "get_objc_protocols").result).toMatchObject({
      items: [{ name: "Loud", basis: "metadata", required_methods: 1, optional_methods: 1 }],
    });
    expect(ask(image, "inspect_native_dispatch_metadata", { pattern: "roll" }).result).toMatchObject({
      items: [{ kind: "objc_method", name: "-[Dog(Tricks) roll]", owner: "Dog(Tricks)", basis: "metadata", detail: "i16@0:8" }],
    });
  });

  test("pages of one add up to the whole list", (context) => {
    const image = built(context, "stripped.dylib");
    const page = (params: object) => deepOperations.inspect_native_dispatch_metadata.result.parse(ask(image, "inspect_native_dispatch_metadata", params).result);
    const whole = page({});
    const items = whole.items.flatMap((_item, offset) => page({ offset, limit: 1 }).items);
    expect(whole.total).toBe(whole.items.length);
    expect(items).toEqual(whole.items);
  });

  test("say of other formats that only names of symbols were read", () => {
    const image = openImage(memorySource(readFileSync(process.execPath)));
    if (image.format === "mach-o") return;
    expect(ask(image, "get_objc_classes").result).toMatchObject({
      items: [],
      coverage: { state: "partial", omissions: [{ scope: "runtime metadata", reason: "unsupported_format" }] },
    });
  });

  test("read the Swift types of a real program, with file offsets counted in the universal file", async (context) => {
    const found = await corpusFile("wallpaper@7.3.1", "source/macos-wallpaper");
    if (found.state === "unavailable") return context.skip(found.reason);
    const image = openImage(memorySource(readFileSync(found.path)), { architecture: "arm64" });
    const { result } = ask(image, "analyze_swift_types", { pattern: "SQLite.Connection" });
    expect(result).toMatchObject({ categories: expect.arrayContaining([expect.objectContaining({ kind: "class" })]) });
    const item = deepOperations.analyze_swift_types.result.parse(result).categories[0]?.items[0];
    expect(item).toMatchObject({ name: "Connection", module: "SQLite", basis: "metadata" });
    expect(item?.file_offset).toBeGreaterThan(image.sourceOffset);
  });
});
