import { readFileSync } from "node:fs";
import path from "node:path";

import { memorySource, sourceSlice } from "@rea/core";
import { corpusFile } from "@rea/testkit";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { readMachO, readUniversal, type MachOImage } from "../src/macho/index.js";
import { readSwiftMetadata } from "../src/swift/read-swift.js";
import { buildMetadataSamples, missing, type MetadataSamples } from "./metadata-samples.js";

vi.setConfig({ testTimeout: 300_000 });

let samples: MetadataSamples | undefined;

beforeAll(() => {
  samples = buildMetadataSamples();
});

afterAll(() => {
  samples?.remove();
});

describe("Swift metadata", () => {
  test("gives types with module, enclosing type, fields, superclass and virtual table", (context) => {
    if (samples === undefined) return context.skip(`${String(missing)} is not installed`);
    const image = readMachO(memorySource(readFileSync(path.join(samples.directory, "swift.dylib"))));
    const { types, protocols, conformances, omissions } = readSwiftMetadata(image);
    const [dog, collar] = types;
    expect(dog).toMatchObject({ kind: "class", module: "Main", name: "Dog", superclass: "NSObject", generic: false });
    expect(dog?.fields.map(({ name, type, variable }) => [name, type, variable])).toEqual([
      ["names", "[String?]", true],
      ["collar", "Main.Dog.Collar?", false],
    ]);
    const bark = image.symbols().items.find(({ name }) => name === "_bark")?.va;
    expect(dog?.virtualMethods).toMatchObject([
      { slot: 8, kind: "method", instance: true, implementation: bark },
      { slot: 9, kind: "init", instance: false },
    ]);
    expect(collar).toMatchObject({ kind: "struct", module: "Main", name: "Dog.Collar", fields: [] });
    expect(protocols).toMatchObject([{ module: "Main", name: "Speak", requirements: 3 }]);
    expect(conformances.map(({ type, protocol }) => [type, protocol])).toEqual([
      ["Main.Dog", "Main.Speak"],
      ["Main.Dog.Collar", "Swift.Hashable"],
    ]);
    // The third type lies in a context that is its own parent.
    expect(types[2]).toMatchObject({ kind: "enum", module: undefined, name: "Collar" });
    expect(omissions).toMatchObject([{ scope: "swift contexts", reason: "malformed" }]);
  });

  test("of a real program is one type for each record, in both architectures alike", async (context) => {
    const found = await corpusFile("wallpaper@7.3.1", "source/macos-wallpaper");
    if (found.state === "unavailable") return context.skip(found.reason);
    const source = memorySource(readFileSync(found.path));
    const slices = readUniversal(source).items.map(({ offset, size }) => readMachO(sourceSlice(source, offset, size), { sourceOffset: offset }));
    expect(slices).toHaveLength(2);
    const read = slices.map((image) => [image, readSwiftMetadata(image)] as const);
    for (const [image, metadata] of read) {
      expect(metadata.types).toHaveLength(records(image, "__swift5_types"));
      expect(metadata.protocols).toHaveLength(records(image, "__swift5_protos"));
      expect(metadata.conformances).toHaveLength(records(image, "__swift5_proto"));
      expect(metadata.omissions.map(({ reason }) => reason)).toEqual(["not_examined"]);
      const screen = metadata.types.find(({ name }) => name === "Main.Set");
      expect(screen?.fields.map(({ name, type }) => `${String(name)}: ${String(type)}`)).toEqual([
        "_path: ArgumentParser.Argument<Foundation.URL>",
        "_screen: ArgumentParser.Option<Wallpaper.Wallpaper.Screen>",
        "_scale: ArgumentParser.Option<Wallpaper.Wallpaper.Scale>",
        "_fillColor: ArgumentParser.Option<NSColor?>",
      ]);
    }
    const names = read.map(([, { types }]) => types.map(({ module, name, kind }) => `${kind} ${String(module)}.${name}`).sort());
    expect(names[0]).toEqual(names[1]);
  });
});

function records(image: MachOImage, section: string): number {
  return Number(image.sections().items.find(({ name }) => name === section)?.virtualSize ?? 0n) / 4;
}
