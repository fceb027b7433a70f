import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { classCounts, reachableFrom, readKeyedArchive, type KeyedArchive } from "@rea/artifact";

function read(bytes: Uint8Array | string): KeyedArchive {
  const archive = readKeyedArchive(Buffer.from(bytes));
  if (archive === undefined) throw new Error("no keyed archive");
  return archive;
}

const uid = (index: number) => `<dict><key>CF$UID</key><integer>${String(index)}</integer></dict>`;
const described = (name: string) => `<dict><key>$classname</key><string>${name}</string><key>$classes</key><array><string>${name}</string><string>NSObject</string></array></dict>`;
const xml = (objects: string) =>
  `<plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer><key>$top</key><dict><key>root</key>${uid(1)}</dict><key>$objects</key><array>${objects}</array></dict></plist>`;

const pair = xml(
  `<string>$null</string><dict><key>$class</key>${uid(3)}<key>name</key>${uid(2)}<key>next</key>${uid(4)}</dict><string>first</string>${described("Node")}<dict><key>$class</key>${uid(3)}<key>next</key>${uid(1)}<key>list</key><array>${uid(2)}${uid(99)}</array></dict>`,
);

test("objects show their class and hierarchy, fields stay references", () => {
  const archive = read(pair);
  expect(archive).toMatchObject({ archiver: "NSKeyedArchiver", version: "100000", count: 5 });
  expect(archive.top.map(({ name, reference }) => [name, reference])).toEqual([["root", 1]]);
  expect([0, 1, 2, 3].map((index) => archive.object(index).kind)).toEqual(["null", "object", "string", "class"]);
  const { className, hierarchy, fields } = archive.object(1);
  expect([className, hierarchy, fields.map(({ key }) => key)]).toEqual(["Node", ["Node", "NSObject"], ["name", "next"]]);
  expect(classCounts(archive)).toEqual([{ name: "Node", count: 2 }]);
});

test("what an object leads to ends at a loop and counts what leads nowhere", () => {
  expect(reachableFrom(read(pair), 1)).toEqual({ indices: [1, 2, 4], complete: true, dangling: 1 });
});

test("a class that leads nowhere, to itself or to another thing is no class", () => {
  const archive = read(xml(`<string>$null</string><dict><key>$class</key>${uid(77)}</dict><dict><key>$class</key>${uid(2)}</dict><dict><key>$class</key><string>NSObject</string></dict>`));
  expect([1, 2, 3].map((index) => archive.object(index).className)).toEqual([null, null, null]);
});

test("a list without objects is no archive", () => {
  expect(readKeyedArchive(Buffer.from("<plist><dict><key>$objects</key><string>no</string></dict></plist>"))).toBeUndefined();
  expect(readKeyedArchive(Buffer.from("hello"))).toBeUndefined();
});

const python = spawnSync("python3", ["-c", "import plistlib"]).status === 0;
const script = `
import plistlib, base64
from plistlib import UID
count = 3000
objects = ["$null"]
for i in range(count):
  objects.append({"$class": UID(count + 1), "value": i, "text": "t%d" % i, "next": UID(i + 2 if i + 1 < count else 1)})
objects.append({"$classname": "Ring", "$classes": ["Ring", "NSObject"]})
print(base64.b64encode(plistlib.dumps({"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": UID(1)}, "$objects": objects}, fmt=plistlib.FMT_BINARY)).decode())
`;

test.skipIf(!python)("a ring of 3,000 objects written by Python is walked once around (skipped without python3)", () => {
  const archive = read(Buffer.from(spawnSync("python3", ["-c", script], { encoding: "utf8" }).stdout, "base64"));
  expect(archive.list.findings).toEqual([]);
  const { indices, complete, dangling } = reachableFrom(archive, 1);
  expect([indices.length, complete, dangling]).toEqual([3000, true, 0]);
  expect(classCounts(archive)).toEqual([{ name: "Ring", count: 3000 }]);
});

test("flipped bytes never throw", () => {
  const sample = Buffer.from(pair);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(sample.byteLength - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }), (flips) => {
      const bytes = Buffer.from(sample);
      for (const [at, byte] of flips) bytes[at] = byte;
      const archive = readKeyedArchive(bytes);
      if (archive === undefined) return;
      classCounts(archive);
      for (let index = 0; index < archive.count; index += 1) reachableFrom(archive, index);
    }),
    { numRuns: 300 },
  );
});
