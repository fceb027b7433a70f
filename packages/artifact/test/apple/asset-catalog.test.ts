import fc from "fast-check";
import { expect, test } from "vitest";
import { readAssetCatalog, type AssetCatalog } from "../../src/apple/asset-catalog/asset-catalog.js";
import { car, celm, color, linkRecord, rawd, utiRecord, type CarParts } from "@rea/testkit";

function read(bytes: Uint8Array): AssetCatalog {
  const catalog = readAssetCatalog(bytes);
  if (catalog === undefined) throw new Error("no catalog");
  return catalog;
}

const all = (catalog: AssetCatalog) => Array.from({ length: catalog.count }, (_, index) => catalog.rendition(index)).filter((found) => found !== undefined);

/** Key: appearance, scale, idiom, subtype, identifier. */
const keyFormat = [7, 12, 15, 16, 17];
const jpeg = Buffer.from("ffd8ffe000104a46494600", "hex");
const parts: CarParts = {
  keyFormat,
  facets: [["Icon", 5], ["Photo", 6], ["Accent", 7]],
  appearances: [["UIAppearanceDark", 1]],
  renditions: [
    { key: [0, 2, 1, 0, 5], name: "icon@2x.png", width: 120, height: 120, scale: 200, pixelFormat: "ARGB", flags: 8, payload: celm(4, Buffer.from("pixels")), list: utiRecord("public.png") },
    { key: [1, 2, 1, 0, 5], name: "dark@2x.png", width: 120, height: 120, scale: 200, pixelFormat: "GA8", payload: celm(11, Buffer.from("dark")) },
    { key: [0, 1, 2, 1136, 6], name: "photo.jpg", width: 3, height: 4, scale: 100, pixelFormat: "JPEG", layout: 1000, payload: rawd(jpeg) },
    { key: [0, 0, 0, 0, 7], name: "Accent", layout: 1009, payload: color([0.5, 1, 0, 1]) },
    { key: [0, 1, 0, 0, 99], name: "part.png", width: 9, height: 9, scale: 100, layout: 1003, payload: Buffer.alloc(0), list: linkRecord([1, 2, 9, 9]) },
  ],
};

test("header, platform, key format, names and variables", () => {
  const catalog = read(car(parts));
  expect(catalog.header).toMatchObject({ coreUiVersion: 498, storageVersion: 17, renditionCount: 5, mainVersion: "@(#)PROGRAM:CoreUI", version: "Xcode 15", uuid: "00112233-4455-6677-8899-AABBCCDDEEFF" });
  expect(catalog.metadata).toMatchObject({ platform: "ios", platformVersion: "17.0", authoringTool: "actool 15" });
  expect(catalog.keyFormat).toEqual(["appearance", "scale", "idiom", "subtype", "identifier"]);
  expect(catalog.names).toEqual(["Accent", "Icon", "Photo"]);
  expect(catalog.variables.filter(({ examined }) => !examined).map(({ name }) => name)).toEqual(["BITMAPKEYS"]);
  expect(catalog.findings).toEqual([]);
});

test("renditions with what their key and header say", () => {
  const found = all(read(car(parts)));
  expect(found.map(({ name, idiom, appearance }) => [name, idiom, appearance])).toEqual([
    ["Icon", "phone", "any"],
    ["Icon", "phone", "UIAppearanceDark"],
    ["Photo", "pad", "any"],
    ["Accent", "universal", "any"],
    [null, "universal", "any"],
  ]);
  expect(found.map(({ stored }) => [stored?.fileName, stored?.layout, stored?.pixelFormat, stored?.encoding])).toEqual([
    ["icon@2x.png", "image_scale", "ARGB", "lzfse"],
    ["dark@2x.png", "image_scale", "GA8", "deepmap2"],
    ["photo.jpg", "data", "JPEG", "raw"],
    ["Accent", "color", null, "color"],
    ["part.png", "internal_link", null, "none"],
  ]);
  expect(found[0]?.stored).toMatchObject({ width: 120, height: 120, scalePercent: 200, opaque: true, vector: false, uti: "public.png", problem: null });
  expect(Buffer.from(found[2]?.stored?.data ?? [])).toEqual(jpeg);
  expect(found[2]?.attributes).toEqual([["subtype", 1136]]);
  expect(found[3]?.stored?.color).toEqual({ colorSpaceId: 1, components: [0.5, 1, 0, 1] });
  expect(found[4]?.stored?.packed).toEqual({ x: 1, y: 2, width: 9, height: 9 });
});

test("a tree of several pages is read in order", () => {
  const renditions = Array.from({ length: 250 }, (_, index) => ({ key: [0, 1, 0, 0, index], name: `n${String(index)}`, payload: rawd(Buffer.from([index])) }));
  const catalog = read(car({ ...parts, renditions, pageEntries: 7 }));
  expect(all(catalog).map(({ stored }) => stored?.fileName)).toEqual(renditions.map(({ name }) => name));
  expect(catalog.findings).toEqual([]);
});

test("a count that differs, a block that leaves the file and data that leave their block are told", () => {
  expect(read(car({ ...parts, declaredRenditions: 9 })).findings).toMatchObject([{ problem: "count_mismatch" }]);
  const long = { ...parts.renditions[0], key: [0, 2, 1, 0, 5], name: "x", payload: celm(0, Buffer.from("abc")) };
  long.payload.writeUInt32LE(2 ** 31, 12);
  expect(all(read(car({ ...parts, renditions: [long] })))[0]?.stored?.problem).toContain("lead out");
  const whole = car(parts);
  for (const length of [40, 600, whole.byteLength - 400, whole.byteLength - 1]) {
    const catalog = readAssetCatalog(whole.subarray(0, length));
    if (catalog !== undefined) expect(catalog.findings.length).toBeGreaterThan(0);
  }
});

test("pages in a circle end", () => {
  const bytes = car({ ...parts, pageEntries: 2 });
  // Every page leads to the one before it as well: the last one back to the first.
  const links = [];
  for (let at = 0; at + 12 < bytes.byteLength; at += 1) {
    if (bytes.readUInt16BE(at) === 1 && bytes.readUInt16BE(at + 2) === 2 && bytes.readUInt32BE(at + 8) === 0) links.push(at);
  }
  for (const at of links) bytes.writeUInt32BE(1, at + 4);
  const catalog = read(bytes);
  expect(catalog.findings.length).toBeGreaterThan(0);
});

test("a store of something else is no catalog", () => {
  expect(readAssetCatalog(Buffer.concat([Buffer.from("BOMStore"), Buffer.alloc(600)]))).toBeUndefined();
  expect(readAssetCatalog(Buffer.from("hello"))).toBeUndefined();
});

test("flipped bytes never throw", () => {
  const sample = car({ ...parts, pageEntries: 2 });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(sample.byteLength - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }), fc.nat(sample.byteLength), fc.boolean(), (flips, length, cut) => {
      const bytes = Buffer.from(cut ? sample.subarray(0, length) : sample);
      for (const [at, byte] of flips) if (at < bytes.byteLength) bytes[at] = byte;
      const catalog = readAssetCatalog(bytes);
      if (catalog !== undefined) all(catalog);
    }),
    { numRuns: 500 },
  );
});
