import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { squashfsFormat } from "../../src/formats/squashfs/squashfs-format.js";
import { artifactOfBytes, inventory } from "../../src/index.js";
import { kindsOf, readContainer, type ReadContainer } from "../read-container.js";
import { buildSquashfs, type SquashNode } from "./build-squashfs.js";

const noise = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * index * 31 + index) & 0xff));
const tree: readonly SquashNode[] = [
  { name: "a", data: "alpha", mode: 0o755 },
  { name: "dir", children: [{ name: "large", data: Buffer.concat([noise, Buffer.alloc(9000), noise]) }, { name: "pipe", pipe: true }] },
  { name: "empty", data: "" },
  { name: "link", link: "dir/large" },
];

const lines = ({ members }: ReadContainer): readonly string[] =>
  members.map(({ name, entry, state, bytes }) => `${entry.kind} ${name} ${entry.linkTarget === null ? (bytes === undefined ? state : `${state} ${String(bytes.byteLength)}`) : Buffer.from(entry.linkTarget).toString()}`);
const reasons = ({ omissions }: ReadContainer): readonly string[] => omissions.map(({ reason }) => reason);
const read = (image: Uint8Array): Promise<ReadContainer> => readContainer(squashfsFormat, image);

test.each([
  ["stored", undefined],
  ["compressed", (plain: Buffer) => deflateSync(plain)],
])("a tree with %s metadata is listed, directories before what is in them", async (_, metadata) => {
  const found = await read(buildSquashfs(tree, metadata === undefined ? {} : { metadata }));
  expect(lines(found)).toEqual(["file a ok 5", "directory dir none", "file dir/large ok 19000", "special dir/pipe none", "file empty ok 0", "symlink link dir/large"]);
  expect(found.members[0]?.entry).toMatchObject({ executable: true, declaredBytes: 5, location: { offset: 96, length: 5 } });
  expect([found.anomalies, found.omissions]).toEqual([[], []]);
});

test("the second name of an inode with several links is a hard link", async () => {
  const found = await read(buildSquashfs([{ name: "a", data: "data", label: "a", links: 2 }, { name: "b", sameAs: "a" }]));
  expect(lines(found)).toEqual(["file a ok 4", "hardlink b a"]);
  expect(found.anomalies).toEqual([]);
});

test("a directory that holds itself is listed once and told", async () => {
  const found = await read(buildSquashfs([{ name: "d", children: [], label: "d" }, { name: "z", data: "z" }], { loop: "d", inodeCount: 3 }));
  expect(lines(found)).toEqual(["directory d none", "file z ok 1"]);
  expect(kindsOf(found)).toEqual(["ambiguous_header", "link_cycle"]);
  expect(reasons(found)).toEqual(["malformed"]);
});

test("a directory at two places is listed at the first", async () => {
  const found = await read(buildSquashfs([{ name: "d", children: [{ name: "x", data: "x" }], label: "d" }, { name: "e", sameAs: "d" }]));
  expect(lines(found)).toEqual(["directory d none", "file d/x ok 1", "directory e none"]);
  expect([kindsOf(found), reasons(found)]).toEqual([["overlap"], ["malformed"]]);
});

const quirks: readonly (readonly [string, Buffer, readonly string[], readonly string[]])[] = [
  ["another count of inodes", buildSquashfs([{ name: "a", data: "a" }], { inodeCount: 9 }), ["entry_count_mismatch"], []],
  ["bytes of no file", buildSquashfs([{ name: "a", data: "a" }], { gap: Buffer.from("hidden") }), ["gap"], []],
  ["data behind the image", buildSquashfs([{ name: "a", data: "a" }], { trailing: Buffer.from("more") }), ["trailing_data"], []],
  ["many zeros behind the image", buildSquashfs([{ name: "a", data: "a" }], { trailing: Buffer.alloc(5000) }), ["trailing_data"], []],
  ["a type that is not the inode's", buildSquashfs([{ name: "a", data: "a", listedType: 3 }]), ["ambiguous_header"], []],
  ["an owner out of the table", buildSquashfs([{ name: "a", data: "a", owner: 7 }]), ["ambiguous_header"], []],
  ["a name with a slash", buildSquashfs([{ name: "a/../b", data: "a" }]), ["unsafe_name"], []],
  ["block size fields that differ", buildSquashfs([{ name: "a", data: "a" }], { blockLog: 13 }), ["ambiguous_header"], []],
  ["a fragment table outside", buildSquashfs([{ name: "a", data: "a" }], { fragmentTable: 1n << 40n }), [], ["malformed"]],
  ["an export table at 2^63", buildSquashfs([{ name: "a", data: "a" }], { exportTable: 1n << 63n }), [], ["malformed"]],
  ["a declared size beyond the file", buildSquashfs([{ name: "a", data: "a" }], { bytesUsed: 1_000_000 }), [], ["malformed"]],
  ["LZO", buildSquashfs([{ name: "a", data: "a" }], { compression: 3 }), [], ["unsupported_method"]],
  ["version 3", buildSquashfs([{ name: "a", data: "a" }], { version: 3 }), [], ["unsupported_format"]],
];

test.each(quirks)("%s is told", async (_, image, anomalies, omissions) => {
  const found = await read(image);
  expect([kindsOf(found), reasons(found)]).toEqual([anomalies, omissions]);
});

test("padding of the writer is a part, not an anomaly", async () => {
  const found = await read(buildSquashfs([{ name: "a", data: "a" }], { trailing: Buffer.alloc(100) }));
  expect([kindsOf(found), found.parts.map(({ length }) => length)]).toEqual([[], [100]]);
});

test("a file that declares other sizes than its blocks have breaks off, and its neighbours do not", async () => {
  const found = await read(buildSquashfs([{ name: "a", data: "a", declared: 90 }, { name: "b", data: "b", declared: 2 ** 50 }, { name: "c", data: "c" }]));
  expect(found.members.map(({ name, state }) => `${name} ${state}`)).toEqual(["a broken", "b broken", "c ok"]);
});

test("holes of a petabyte stay inside the bounds of the walk", async () => {
  const image = buildSquashfs([{ name: "holes", data: Buffer.alloc(8192), declared: 8192 }, { name: "next", data: "n" }]);
  // The list of sizes of a forged file goes on over whatever stands behind it.
  const forged = buildSquashfs([{ name: "holes", data: Buffer.alloc(8192), declared: 2 ** 49 }, { name: "next", data: "n" }]);
  expect((await inventory(artifactOfBytes(image))).omissions).toEqual([]);
  const found = await inventory(artifactOfBytes(forged));
  const states = found.graph.occurrences.map(({ logical_path, hash_status }) => `${logical_path} ${hash_status}`).sort();
  expect(states).toEqual([". verified", "holes not-hashed-limit", "next verified"]);
});

test("an image cut at any byte is never complete", async () => {
  const image = buildSquashfs(tree);
  for (let length = 4; length < image.byteLength; length += 7) {
    const found = await read(image.subarray(0, length));
    expect(found.omissions.length, `cut at ${String(length)}`).toBeGreaterThan(0);
  }
});

test("changed bytes of the metadata never crash or hang the reader", async () => {
  const images = [buildSquashfs(tree), buildSquashfs(tree, { metadata: (plain) => deflateSync(plain) })];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...images), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 }), async (image, changes) => {
      const damaged = Buffer.from(image);
      for (const [at, value] of changes) damaged[at % damaged.byteLength] = value;
      await readContainer(squashfsFormat, damaged, { maximum: 1 << 20 });
    }),
    { numRuns: 300 },
  );
});

test("a walk that is cancelled ends with that", async () => {
  const controller = new AbortController();
  controller.abort();
  await expect(readContainer(squashfsFormat, buildSquashfs(tree), { signal: controller.signal })).rejects.toMatchObject({ code: "cancelled" });
});
