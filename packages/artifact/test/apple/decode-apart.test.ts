import { car, nibArchive, rawd } from "@rea/testkit";
import { isReaError } from "@rea/core";
import { expect, test } from "vitest";
import { readAssetCatalog } from "../../src/apple/asset-catalog/asset-catalog.js";
import { readInterfaceDocument } from "../../src/apple/nib/interface-document.js";
import { decodeAssetCatalog, decodeInterfaceDocument } from "../../src/index.js";

const idle = { operation: "test", signal: new AbortController().signal };

/** Well beyond what is decoded by who asks. */
function largeNib(): Buffer {
  const views = Array.from({ length: 4000 }, (_, index) => ({
    class: `View${String(index % 40)}`,
    values: [["UITag", { int: index }] as const, ["UISuperview", { ref: (index * 7) % 4000 }] as const, ["UIText", { data: `text number ${String(index)}` }] as const],
  }));
  return nibArchive([{ class: "NSObject", values: [["UINibTopLevelObjectsKey", { ref: 1 }]] }, ...views]);
}

function largeCatalog(): Buffer {
  const renditions = Array.from({ length: 300 }, (_, index) => ({ key: [1, 0, index], name: `image-${String(index)}.png`, payload: rawd(Buffer.alloc(500, index)) }));
  return car({ keyFormat: [12, 15, 17], facets: renditions.map(({ name }, index) => [name, index] as const), renditions });
}

test("a large nib is decoded apart to what it is decoded to here", async () => {
  const bytes = largeNib();
  expect(bytes.byteLength).toBeGreaterThan(100_000);
  const here = readInterfaceDocument(bytes);
  expect(typeof here).toBe("object");
  // As a part of a larger buffer, which must not go along.
  expect(await decodeInterfaceDocument(Buffer.concat([Buffer.alloc(99), bytes]).subarray(99), idle)).toEqual(here);
});

test("a page of a large catalog is decoded apart, its data being those of the document", async () => {
  const bytes = largeCatalog();
  expect(bytes.byteLength).toBeGreaterThan(100_000);
  const here = readAssetCatalog(bytes);
  const apart = await decodeAssetCatalog(bytes, { offset: 40, limit: 30 }, idle);
  const page = Array.from({ length: 30 }, (_, index) => index + 40);
  const expected = page.map((index) => here?.rendition(index));
  expect(page.map((index) => apart?.rendition(index))).toEqual(expected);
  expect(expected[0]?.stored?.data.byteLength).toBeGreaterThan(0);
  expect({ ...apart, rendition: undefined }).toEqual({ ...here, rendition: undefined });
});

test("what is no catalog and no nib is told from apart as well", async () => {
  const zeros = new Uint8Array(200_000);
  expect(await decodeAssetCatalog(zeros, { offset: 0, limit: 1 }, idle)).toBeUndefined();
  expect(await decodeInterfaceDocument(zeros, idle)).toBe("not_an_archive");
});

test("a cancel ends the thread", async () => {
  const stop = new AbortController();
  const going = decodeInterfaceDocument(largeNib(), { ...idle, signal: stop.signal }).catch((error: unknown) => error);
  stop.abort();
  const error = await going;
  expect(isReaError(error) && error.code).toBe("cancelled");
});
