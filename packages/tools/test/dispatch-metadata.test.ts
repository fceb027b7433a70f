import { operations, pageOf, type ObjcClassItem } from "@rea/core";
import { describe, expect, it } from "vitest";
import { analyzeSwiftTypes, getObjcClasses, getObjcProtocols, inspectNativeDispatchMetadata } from "../src/enhanced/dispatch-metadata.js";
import { executed, hostOf } from "./fake-ports.js";

const program = {
  names: [
    { address: "0x10", value: "-[Dog bark]" },
    { address: "0x14", value: "+[Dog(Tricks) roll]" },
    { address: "0x20", value: "_OBJC_CLASS_$_NSObject", source: "import-slot" },
    { address: "0x30", value: "_OBJC_CLASS_$_Dog" },
    { address: "0x38", value: "_OBJC_METACLASS_$_Dog" },
    { address: "0x40", value: "__OBJC_PROTOCOL_$_Loud" },
    { address: "0x48", value: "_OBJC_IVAR_$_Dog._age" },
    { address: "0x50", value: "_$s4Main3CatCMn" },
    { address: "0x58", value: "_$s4Main3CatCN" },
    { address: "0x60", value: "_$s4Main5SpeakMp" },
    { address: "0x70", value: "_OBJC_CLASS_$_Evil\\u{202e}" },
    { address: "0x80", value: "main" },
  ],
  pageSize: 5,
};
const notRead = { scope: "runtime metadata", reason: "not_examined" };

const classes = async (input: object, host = hostOf(program)) => operations.get_objc_classes.result.parse(await host.run(getObjcClasses, input));

describe("with a provider that only lists names", () => {
  it("classes rest on symbols, marked so, and the coverage says what was not read", async () => {
    const page = await classes({});
    expect(page.items.map(({ name, basis, address, imported, superclass }) => [name, basis, address, imported, superclass])).toEqual([
      ["NSObject", "symbols", "0x20", true, null],
      ["Dog", "symbols", "0x30", false, null],
      ["Evil\\u{202e}", "symbols", "0x70", false, null],
    ]);
    expect(page.coverage).toMatchObject({ state: "partial", omissions: [notRead] });
  });

  it("the pattern is literal text, in the target's form or as shown", async () => {
    expect((await classes({ pattern: "D.g" })).items).toEqual([]);
    expect((await classes({ pattern: "Evil\u202e" })).total).toBe(1);
    expect((await classes({ pattern: "\\u{202e}" })).total).toBe(1);
  });

  it("pages of one add up to the whole", async () => {
    const whole = await classes({});
    const pages = await Promise.all([0, 1, 2].map((offset) => classes({ offset, limit: 1 })));
    expect(pages.flatMap(({ items }) => items)).toEqual(whole.items);
    expect(pages.map((page) => page.next_offset)).toEqual([1, 2, null]);
  });

  it("protocols, Swift types and members come from symbols too", async () => {
    const host = hostOf(program);
    expect(await host.run(getObjcProtocols, {})).toMatchObject({ items: [{ name: "Loud", basis: "symbols" }] });
    const swift = operations.analyze_swift_types.result.parse(await host.run(analyzeSwiftTypes, {}));
    expect(swift.categories.map(({ kind, items }) => [kind, items.map(({ module, name }) => `${String(module)}.${name}`)])).toEqual([
      ["class", ["Main.Cat"]],
      ["protocol", ["Main.Speak"]],
    ]);
    expect(swift).toMatchObject({ total: 2, coverage: { state: "partial", omissions: [notRead] } });
    expect(await host.run(inspectNativeDispatchMetadata, { pattern: "Dog" })).toMatchObject({
      items: [
        { kind: "objc_method", name: "-[Dog bark]", owner: "Dog", implementation: "0x10" },
        { kind: "objc_method", name: "+[Dog(Tricks) roll]", owner: "Dog", implementation: "0x14" },
        { kind: "objc_class", name: "Dog" },
        { kind: "objc_ivar", name: "_age", owner: "Dog" },
      ],
    });
    expect(host.records.map(({ confidence }) => confidence)).toEqual(["inferred", "inferred", "inferred"]);
  });
});

it("a provider that reads the metadata is asked, and no names are", async () => {
  const item: ObjcClassItem = {
    name: "Dog",
    basis: "metadata",
    address: "0x30",
    file_offset: 48,
    superclass: "NSObject",
    swift: false,
    imported: false,
    instance_size: 8,
    instance_methods: 1,
    class_methods: 0,
    ivars: 0,
    properties: 0,
    protocols: [],
  };
  const host = hostOf(program, {
    get_objc_classes: (params) => Promise.resolve(executed(pageOf([item], params, (found) => found))),
  });
  expect((await classes({}, host)).items).toEqual([item]);
  expect(host.asked).toEqual(["get_objc_classes"]);
});
