import { readFileSync } from "node:fs";
import path from "node:path";

import { memorySource, sourceSlice } from "@rea/core";
import { corpusFile } from "@rea/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi, type TestContext } from "vitest";

import { isUniversal, readMachO, readUniversal, type MachOImage } from "../src/macho/index.js";
import { readObjcMetadata } from "../src/objc/read-objc.js";
import { readSwiftMetadata } from "../src/swift/read-swift.js";
import { output } from "./llvm-tools.js";
import { machoCorpus } from "./macho-samples.js";
import { buildMetadataSamples, missing, objcSamples, type MetadataSamples } from "./metadata-samples.js";
import { readOrRefuse } from "./read-everything.js";

// Thousands of damaged files, or programs started by the dozen: the bound is for hangs, not for speed.
vi.setConfig({ testTimeout: 300_000 });

let samples: MetadataSamples | undefined;

beforeAll(() => {
  samples = buildMetadataSamples();
});

afterAll(() => {
  samples?.remove();
});

function sample(context: TestContext, name: string): string {
  return samples === undefined ? context.skip(`${String(missing)} is not installed`) : path.join(samples.directory, name);
}

function open(file: string): MachOImage {
  return readMachO(memorySource(readFileSync(file)));
}

interface Judged {
  readonly name: string;
  readonly methods: readonly string[];
  readonly ivars: readonly string[];
  readonly properties: readonly string[];
  readonly protocols: readonly string[];
}

/** Classes as llvm-objdump prints them: the class, then its metaclass. */
function judgedClasses(file: string): readonly Judged[] {
  const text = output("llvm-objdump-19", ["--macho", "--objc-meta-data", file]);
  const list = /Contents of \(__DATA\w*,__objc_classlist\) section\n([^]*?)(?=Contents of |$)/.exec(text)?.[1] ?? "";
  return list.split(/^[0-9a-f]{8,16} 0x.*\n/m).slice(1).map(judgedClass);
}

function judgedClass(block: string): Judged {
  const [instance = "", meta = ""] = block.split("Meta Class");
  return {
    name: /^ *name 0x[0-9a-f]+ (.*)$/m.exec(instance)?.[1] ?? "",
    methods: [...judgedMethods(instance, "-"), ...judgedMethods(meta, "+")],
    ivars: names(between(instance, /^ *ivars/m, /^ *weakIvarLayout/m)),
    properties: names(instance.slice(instance.search(/^ *baseProperties/m))),
    protocols: [...between(instance, /^ *baseProtocols/m, /^ *ivars/m).matchAll(/list\[\d+\].*\n.*isa.*\n *\t*\s*name 0x[0-9a-f]+ (.*)/g)].map(([, name]) => name ?? ""),
  };
}

function judgedMethods(block: string, sign: string): string[] {
  const list = between(block, /^ *baseMethods/m, /^ *baseProtocols/m);
  const pattern = /name 0x[0-9a-f]+ (?:\(0x[0-9a-f]+\) )?(.*)\n\s*types 0x[0-9a-f]+ (?:\(0x[0-9a-f]+\) )?(.*)/g;
  return [...list.matchAll(pattern)].map(([, name, types]) => `${sign}${name ?? ""} ${types ?? ""}`);
}

function names(block: string): string[] {
  return [...block.matchAll(/^\s*name 0x[0-9a-f]+ (.*)$/gm)].map(([, name]) => name ?? "");
}

function between(text: string, from: RegExp, to: RegExp): string {
  const start = text.search(from);
  const rest = text.slice(Math.max(0, start));
  const end = rest.search(to);
  return start < 0 ? "" : rest.slice(0, end < 0 ? rest.length : end);
}

describe("Objective-C metadata", () => {
  test.for(["arm64.dylib", "x86_64.dylib", "relative.dylib"])("of %s is what llvm-objdump reads", (name, context) => {
    const file = sample(context, name);
    const judged = judgedClasses(file);
    const ours = readObjcMetadata(open(file)).classes.map((item): Judged => ({
      name: item.name,
      methods: item.methods.map(({ scope, selector, types }) => `${scope === "class" ? "+" : "-"}${selector} ${types ?? ""}`),
      ivars: item.ivars.map((ivar) => ivar.name ?? ""),
      properties: item.properties.map((property) => property.name ?? ""),
      protocols: item.protocols,
    }));
    expect(judged.map((item) => item.name)).toEqual(["Root", "Dog", "Cat"]);
    expect(ours).toEqual(judged);
  });

  test("says the same through chained fix-ups and relative lists, which llvm-objdump reads in part only", (context) => {
    const [plain, ...others] = ["arm64.dylib", "chained.dylib", "relative.dylib"].map((name) => readObjcMetadata(open(sample(context, name))));
    const told = (metadata: typeof plain) =>
      metadata?.classes.map(({ name, superclass, protocols, methods, properties }) => ({
        name,
        superclass,
        protocols,
        methods: methods.map(({ selector, types, scope }) => [selector, types, scope]),
        properties: properties.map((property) => [property.name, property.attributes]),
      }));
    for (const other of others) expect(told(other)).toEqual(told(plain));
  });

  test.for(objcSamples)("of %s leads to the code that the symbol table names alike", (name, context) => {
    const image = open(sample(context, name));
    const { classes, categories, omissions } = readObjcMetadata(image);
    const symbols = new Map(image.symbols().items.map((symbol) => [symbol.name, symbol.va]));
    const methods = [
      ...classes.flatMap((item) => item.methods.map((method) => ({ owner: item.name, method }))),
      ...categories.flatMap((item) => item.methods.map((method) => ({ owner: `${String(item.className)}(${item.name})`, method }))),
    ];
    const found = methods.map(({ owner, method }) => `${method.scope === "class" ? "+" : "-"}[${owner} ${method.selector}]`);
    expect(found).toHaveLength(11);
    expect(methods.map(({ method }) => method.implementation)).toEqual(found.map((text) => symbols.get(text)));
    expect(omissions).toEqual([]);
  });

  test.for(objcSamples)("of %s names superclasses of other images, ivars with their offsets, protocols with theirs", (name, context) => {
    const metadata = readObjcMetadata(open(sample(context, name)));
    expect(metadata.classes.map((item) => [item.name, item.superclass, item.root])).toEqual([
      ["Root", undefined, true],
      ["Dog", "Root", false],
      ["Cat", "Elsewhere", false],
    ]);
    const wide = name !== "armv7.o";
    expect(metadata.classes[1]?.ivars.map((ivar) => [ivar.name, ivar.type, ivar.offset, ivar.size])).toEqual([
      ["legs", "i", wide ? 8 : 4, 4],
      ["weight", "d", wide ? 16 : 8, 8],
      ["_age", "i", wide ? 24 : 16, 4],
    ]);
    const loud = metadata.protocols.find((item) => item.name === "Loud");
    const speak = metadata.protocols.find((item) => item.name === "Speak");
    expect(loud?.protocols).toEqual(["Speak"]);
    expect(speak?.methods.map(({ selector, scope, optional }) => [selector, scope, optional])).toEqual([
      ["say:", "instance", false],
      ["pitch", "instance", true],
      ["maybe", "class", true],
    ]);
    expect(metadata.selectorReferences.map((item) => item.name)).toEqual(expect.arrayContaining(["make", "bark:with:", "create"]));
    expect(metadata.classReferences.map((item) => item.name)).toEqual(["Dog"]);
  });

  test("that leads back to itself and claims more than the file holds ends with findings", (context) => {
    const metadata = readObjcMetadata(open(sample(context, "looped.dylib")));
    expect(metadata.classes).toHaveLength(1);
    expect(metadata.classes[0]).toMatchObject({ name: "Loop", superclass: "Loop", protocols: ["Own", "Own"] });
    expect(metadata.classes[0]?.methods[0]).toMatchObject({ selector: "first", types: "v16@0:8" });
    expect(metadata.protocols).toMatchObject([{ name: "Own", protocols: ["Own", "Own"] }]);
    const scopes = metadata.omissions.map((item) => `${item.scope} ${item.reason}`);
    expect(scopes).toEqual(expect.arrayContaining(["objc methods malformed", "objc instance variables malformed", "objc classes malformed"]));
  });

  test.for(machoCorpus)("of %s %s is absent, as there is none, or whole", async ([specification, file], context) => {
    const found = await corpusFile(specification, file);
    if (found.state === "unavailable") return context.skip(found.reason);
    const source = memorySource(readFileSync(found.path));
    const parts = isUniversal(source) ? readUniversal(source).items.map(({ offset, size }) => sourceSlice(source, offset, size)) : [source];
    for (const image of parts.map((part) => readMachO(part))) {
      expect(readObjcMetadata(image).omissions).toEqual([]);
      expect(readSwiftMetadata(image).omissions).toEqual([]);
    }
  });
});

describe("damage", () => {
  test.for(["chained.dylib", "relative.dylib", "looped.dylib", "swift.dylib", "armv7.o"])("of %s is never more than an omission", (name, context) => {
    const whole = readFileSync(sample(context, name));
    const read = (bytes: Uint8Array) => {
      let image: MachOImage | undefined;
      const opened = () => (image = readMachO(memorySource(bytes)));
      if (readOrRefuse(opened) === undefined || image === undefined) return;
      readObjcMetadata(image);
      readSwiftMetadata(image);
    };
    for (let length = 0; length < whole.length; length += 509) read(whole.subarray(0, length));
    const flips = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(flips, (places) => {
        const bytes = Buffer.from(whole);
        for (const [at, mask] of places) bytes.writeUInt8(bytes.readUInt8(at) ^ mask, at);
        read(bytes);
      }),
      { numRuns: 100 },
    );
  });
});
