import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readInterfaceDocument, type InterfaceDocument } from "../../src/apple/nib/interface-document.js";
import { readStoryboardInfo } from "../../src/index.js";
import { nibArchive, payScene, type NibObject } from "@rea/testkit";

function read(bytes: Uint8Array): InterfaceDocument {
  const document = readInterfaceDocument(bytes);
  if (typeof document === "string") throw new Error(document);
  return document;
}

test("a list that many objects hold is read a bounded number of times", () => {
  const holders = 3000;
  const objects: NibObject[] = [
    { class: "NSObject", values: [["UINibObjectsKey", { ref: 1 }]] },
    { class: "NSArray", values: Array.from({ length: holders }, (_, index) => ["UINibEncoderEmptyKey", { ref: 2 + index }] as const) },
    ...Array.from({ length: holders }, (): NibObject => ({ class: "UIView", values: [["UISubviews", { ref: 1 }], ["UIStoryboardSegueTemplates", { ref: 1 }]] })),
  ];
  const document = read(nibArchive(objects));
  expect(document.objects).toHaveLength(holders);
  expect(document.findings).toMatchObject([{ problem: "too_many" }]);
});

describe("a nib in the archive of UIKit", () => {
  const document = read(payScene());

  test("shows its objects with class, custom class, role and label", () => {
    expect(document).toMatchObject({ encoding: "nib-archive", version: "1.9", framework: "uikit", archivedObjects: 19, findings: [] });
    expect(document.objects.map(({ index, className, customClass, role, label, parent }) => [index, className, customClass, role, label, parent])).toEqual([
      [4, "UIProxyObject", null, "file_owner", "IBFilesOwner", null],
      [6, "UIView", "PayView", "object", null, null],
      [8, "UIButton", null, "object", "Pay now", 6],
      [15, "UIStoryboardShowSegueTemplate", null, "object", null, null],
    ]);
  });

  test("shows outlets, actions with their events, and segues", () => {
    expect(document.connections.map(({ kind, label, source, destination, events }) => [kind, label, source, destination, events])).toEqual([
      ["outlet", "payButton", 4, 8, null],
      ["action", "pay:", 8, 4, 64],
    ]);
    expect(document.segues).toMatchObject([{ index: 15, identifier: "toReceipt", destination: "Receipt" }]);
  });

  test("keeps the whole where a table is cut, and says so", () => {
    const bytes = payScene();
    for (const length of [50, 60, 120, bytes.byteLength - 1]) {
      expect(read(bytes.subarray(0, length)).findings[0]?.problem).toMatch(/truncated|bad_reference/);
    }
    bytes.writeUInt32LE(2 ** 31, 18);
    expect(read(bytes).findings).toMatchObject([{ problem: "truncated" }]);
    expect(read(bytes).connections).toHaveLength(2);
  });

  test("references in a circle and to nowhere end", () => {
    const circle: NibObject[] = [
      { class: "NSObject", values: [["UINibObjectsKey", { ref: 1 }], ["UINibConnectionsKey", { ref: 1 }]] },
      { class: "NSArray", values: [["UINibEncoderEmptyKey", { ref: 1 }], ["UINibEncoderEmptyKey", { ref: 0 }], ["UINibEncoderEmptyKey", { ref: 4_000_000_000 }]] },
    ];
    expect(read(nibArchive(circle)).objects.map(({ index }) => index)).toEqual([0, 1]);
  });

  test("lists that many connections share are bounded", () => {
    const shared = 600;
    const objects: NibObject[] = [
      { class: "NSObject", values: [["UINibConnectionsKey", { ref: 1 }]] },
      { class: "NSArray", values: Array.from({ length: shared }, (_, index) => ["UINibEncoderEmptyKey", { ref: 2 + index }] as const) },
      ...Array.from({ length: shared }, (): NibObject => ({ class: "UIRuntimeOutletCollectionConnection", values: [["UISource", { ref: 0 }], ["UIDestination", { ref: 1 }]] })),
    ];
    expect(read(nibArchive(objects)).connections).toHaveLength(50_000);
  });
});

test("what is no compiled nib is told by what it is", () => {
  expect(readInterfaceDocument(Buffer.from("\u0004\u000bstreamtyped"))).toBe("typed_stream");
  expect(readInterfaceDocument(Buffer.from('<?xml version="1.0"?><document type="com.apple.InterfaceBuilder3.Cocoa.XIB"/>'))).toBe("source_document");
  expect(readInterfaceDocument(Buffer.from("hello"))).toBe("not_an_archive");
  const other = "<plist><dict><key>$archiver</key><string>A</string><key>$objects</key><array/></dict></plist>";
  expect(readInterfaceDocument(Buffer.from(other))).toBe("no_object_data");
});

test("the list of a storyboard names its scenes", () => {
  const list = "<plist><dict><key>UIStoryboardDesignatedEntryPointIdentifier</key><string>Main</string><key>UIViewControllerIdentifiersToNibNames</key><dict><key>Main</key><string>M-1</string></dict></dict></plist>";
  expect(readStoryboardInfo(Buffer.from(list))).toEqual({ entryPoint: "Main", mainMenu: null, scenes: [{ identifier: "Main", nib: "M-1" }] });
  expect(readStoryboardInfo(Buffer.from("<plist><dict/></plist>"))).toBeUndefined();
});

test("flipped and cut bytes never throw", () => {
  const sample = payScene();
  const flips = fc.array(fc.tuple(fc.nat(sample.byteLength - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(flips, fc.nat(sample.byteLength), fc.boolean(), (changed, length, cut) => {
      const bytes = Buffer.from(cut ? sample.subarray(0, length) : sample);
      for (const [at, byte] of changed) if (at < bytes.byteLength) bytes[at] = byte;
      readInterfaceDocument(bytes);
    }),
    { numRuns: 500 },
  );
});
