import fc from "fast-check";
import { build, buildBinary } from "plist";
import { expect, test } from "vitest";
import { propertyListString } from "./plist.js";

const value = {
  CFBundleName: "Other",
  Nested: { CFBundleExecutable: "wrong", list: ["a", { CFBundleExecutable: "wrong too" }] },
  CFBundleExecutable: "Größe & <Ziel>",
  Count: 3,
  Flag: true,
};
const binary = buildBinary(value);
const xml = Buffer.from(build(value));
const key = "CFBundleExecutable";

test.each([
  ["binary", binary],
  ["XML", xml],
])("the %s form gives the string of the top dictionary, not one of a nested dictionary", (_form, bytes) => {
  expect(propertyListString(bytes, key)).toBe("Größe & <Ziel>");
  expect(propertyListString(bytes, "Absent")).toBeUndefined();
  expect(propertyListString(bytes, "Count")).toBeUndefined();
  expect(propertyListString(bytes, "Flag")).toBeUndefined();
  expect(propertyListString(bytes, "Nested")).toBeUndefined();
});

test("comments and byte order marks do not hide a key", () => {
  const text = `\uFEFF<?xml version="1.0"?><!-- <key>${key}</key><string>no</string> --><plist><dict><key>${key}</key>
    <string>yes&#x21;</string></dict></plist>`;
  expect(propertyListString(Buffer.from(text), key)).toBe("yes!");
  expect(propertyListString(Buffer.from(text, "utf16le"), key)).toBe("yes!");
});

test.each(["<!--x>", "<?", "<a", "<key", "<![", "<a b", "a".repeat(3) + "<"])("a megabyte of %j is read in one pass", (unit) => {
  const bytes = Buffer.from(`<${unit.repeat(1_000_000 / unit.length)}`);
  expect(propertyListString(bytes, key)).toBeUndefined();
});

test("truncated and flipped lists give a string or nothing, never an exception", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(binary, new Uint8Array(xml)),
      fc.nat(2000),
      fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { maxLength: 8 }),
      (whole, length, flips) => {
        const bytes = Uint8Array.from(whole.subarray(0, Math.max(1, whole.length - (length % whole.length))));
        for (const [at, mask] of flips) bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ mask;
        expect(["string", "undefined"]).toContain(typeof propertyListString(bytes, key));
      },
    ),
    { numRuns: 2000 },
  );
});

test("random bytes after the magic give nothing", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (tail) => {
      const bytes = Buffer.concat([Buffer.from("bplist00"), tail]);
      expect(["string", "undefined"]).toContain(typeof propertyListString(bytes, key));
    }),
  );
});
