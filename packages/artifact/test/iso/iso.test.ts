import fc from "fast-check";
import { expect, test } from "vitest";
import { isoFormat } from "../../src/formats/iso/iso-format.js";
import { artifactOfBytes, inventory } from "../../src/index.js";
import { kindsOf, readContainer, type ReadContainer } from "../read-container.js";
import { both32, buildIso, continuation, field, rockMode, rockName, rockRidgeMark, type IsoSpec } from "./build-iso.js";

const read = (image: Uint8Array): Promise<ReadContainer> => readContainer(isoFormat, image);
const reasons = ({ omissions }: ReadContainer): readonly string[] => omissions.map(({ reason }) => reason);
const lines = ({ members }: ReadContainer): readonly string[] =>
  members.map(({ name, entry, state, bytes }) => `${entry.kind} ${name} ${entry.linkTarget === null ? (bytes === undefined ? state : `${state} ${bytes.toString()}`) : Buffer.from(entry.linkTarget).toString()}`);
const spotless = (found: ReadContainer): void => expect([found.anomalies, found.omissions]).toEqual([[], []]);

const plain: readonly IsoSpec[] = [
  { name: "A.TXT;1", data: "alpha" },
  { name: "DIR", children: [{ name: "B.;1", data: "beta" }, { name: "EMPTY;1", data: "" }] },
];

test("plain names lose their version and an empty suffix", async () => {
  const found = await read(buildIso(plain));
  expect(lines(found)).toEqual(["file A.TXT ok alpha", "directory DIR none", "file DIR/B ok beta", "file DIR/EMPTY ok "]);
  spotless(found);
});

test("Joliet names come before plain ones, and both lead to the same files", async () => {
  const found = await read(buildIso(plain, { joliet: [{ name: "größe.text", data: "alpha" }, { name: "Dir", children: [{ name: "b", data: "beta" }] }] }));
  expect(lines(found)).toEqual(["file größe.text ok alpha", "directory Dir none", "file Dir/b ok beta"]);
  spotless(found);
});

const rocky = (use: Buffer, more: Partial<IsoSpec> = {}): IsoSpec => ({ name: "X.;1", data: "x", use, ...more });
const rocks = (children: readonly IsoSpec[]): Buffer => buildIso(children, { rootUse: rockRidgeMark });

test("Rock Ridge gives names, modes, links and devices", async () => {
  const link = field("SL", Buffer.concat([Buffer.of(0), Buffer.of(8, 0), Buffer.of(0, 3), Buffer.from("usr"), Buffer.of(4, 0), Buffer.of(1, 2), Buffer.from("li"), Buffer.of(0, 1), Buffer.from("b")]));
  const found = await read(
    rocks([
      rocky(Buffer.concat([rockName("a long ", 1), rockName("name"), rockMode(0o100755)])),
      rocky(Buffer.concat([rockName("link"), link]), { data: "" }),
      rocky(Buffer.concat([rockName("tty"), rockMode(0o020600)]), { data: "" }),
    ]),
  );
  expect(lines(found)).toEqual(["file a long name ok x", "symlink link /usr/../lib", "special tty none"]);
  expect(found.members[0]?.entry.executable).toBe(true);
  spotless(found);
});

test("a continuation area that leads back to itself ends with an omission", async () => {
  const image = rocks([rocky(Buffer.concat([rockName("a"), continuation(0, 0, 28)]))]);
  continuation(0, 0, 28).copy(image, 0);
  const found = await read(image);
  expect(lines(found)).toEqual(["file a ok x"]);
  expect([kindsOf(found), reasons(found)]).toEqual([["link_cycle"], ["malformed"]]);
});

test("a relocated directory stands where its record is, and not where it was moved to", async () => {
  let moved = 0;
  const children = (block: number): readonly IsoSpec[] => [
    { name: "DEEP", data: "", use: Buffer.concat([rockName("deep"), field("CL", both32(block))]) },
    { name: "MOVED", use: rockName("moved"), children: [{ name: "M", use: Buffer.concat([rockName("m"), field("RE", "")]), children: [{ name: "F", data: "inside", use: rockName("f") }], placed: (at) => (moved = at) }] },
  ];
  rocks(children(0));
  const found = await read(rocks(children(moved)));
  expect(lines(found)).toEqual(["directory deep none", "file deep/f ok inside", "directory moved none"]);
  spotless(found);
});

test("a relocated directory that nothing leads to is listed and told", async () => {
  const found = await read(rocks([{ name: "M", use: Buffer.concat([rockName("m"), field("RE", "")]), children: [{ name: "F", data: "hidden", use: rockName("f") }] }]));
  expect(lines(found)).toEqual(["directory m none", "file m/f ok hidden"]);
  expect(kindsOf(found)).toEqual(["orphan_local_entry"]);
});

test("extents of one file are one content", async () => {
  const found = await read(buildIso([{ name: "BIG;1", data: "first ", flags: 0x80 }, { name: "BIG;1", data: "second" }]));
  expect(lines(found)).toEqual(["file BIG ok first second"]);
  spotless(found);
});

test("a file that only one tree shows is listed and told, whichever tree it is", async () => {
  const extra = { name: "secret", data: "only here" };
  const inJoliet = await read(buildIso(plain, { joliet: [{ name: "a", data: "alpha" }, { name: "b", data: "beta" }, extra], rootUse: rockRidgeMark }));
  expect(lines(inJoliet).at(-1)).toBe("file secret ok only here");
  const inPlain = await read(buildIso([...plain, extra], { joliet: [{ name: "a", data: "alpha" }, { name: "b", data: "beta" }] }));
  expect(lines(inPlain).at(-1)).toBe("file secret ok only here");
  const missing = await read(buildIso(plain, { joliet: [{ name: "a", data: "alpha" }], rootUse: rockRidgeMark }));
  for (const found of [inJoliet, inPlain, missing]) expect([kindsOf(found), reasons(found)]).toEqual([["tree_mismatch"], []]);
});

test("a directory that only the path table names is listed and told", async () => {
  const found = await read(buildIso([...plain, { name: "HIDDEN", unlisted: true, children: [{ name: "S;1", data: "secret" }] }]));
  expect(lines(found).slice(-2)).toEqual(["directory HIDDEN none", "file HIDDEN/S ok secret"]);
  expect(kindsOf(found)).toEqual(["orphan_local_entry"]);
});

test("a directory that holds itself is listed once", async () => {
  let block = 0;
  const children = (at: number): readonly IsoSpec[] => [{ name: "D", children: [{ name: "LOOP", flags: 2, block: at, bytes: 2048 }, { name: "F;1", data: "f" }], placed: (placed) => (block = placed) }];
  buildIso(children(0));
  const found = await read(buildIso(children(block)));
  expect(lines(found)).toEqual(["directory D none", "directory D/LOOP none", "file D/F ok f"]);
  expect([kindsOf(found), reasons(found)]).toEqual([["link_cycle"], ["malformed"]]);
});

const validation = Buffer.alloc(32);
validation.write("\u0001", 0, "latin1");
validation.writeUInt16LE(0xaa55, 30);
const initial = Buffer.alloc(32);
initial[0] = 0x88;
initial.writeUInt16LE(4, 6);
initial.writeUInt32LE(20, 8);
const catalog = (sum: number): Buffer => {
  const bytes = Buffer.concat([validation, initial]);
  bytes.writeUInt16LE(sum, 28);
  return bytes;
};

test("boot catalog and boot images are parts, and a wrong sum is told", async () => {
  const right = await read(buildIso(plain, { bootCatalog: catalog(0x10000 - 0xaa55 - 1) }));
  expect(right.parts.map(({ part, length }) => [part, length])).toEqual([
    ["El Torito boot catalog", 64],
    ["El Torito boot image for BIOS", 2048],
  ]);
  spotless(right);
  expect(kindsOf(await read(buildIso(plain, { bootCatalog: catalog(7) })))).toEqual(["bad_checksum_header"]);
});

test("partition maps in front of the volume are parts", async () => {
  const image = buildIso(plain);
  image.writeUInt16LE(0xaa55, 510);
  image.set([0x80, 0, 0, 0, 0x17, 0, 0, 0], 446);
  image.writeUInt32LE(0, 454);
  image.writeUInt32LE(image.byteLength / 512, 458);
  const found = await read(image);
  expect(found.parts.map(({ part }) => part)).toEqual(["master boot record", "partition of the master boot record"]);
  spotless(found);
});

const quirks: readonly (readonly [string, Buffer, readonly string[], readonly string[]])[] = [
  ["an extent that differs by byte order", buildIso([{ name: "A;1", data: "a", bigBlock: 3 }]), ["ambiguous_header"], []],
  ["a volume size that differs by byte order", buildIso(plain, { bigSpaceBlocks: 4 }), ["ambiguous_header"], []],
  ["path tables that differ", buildIso(plain, { bigTable: (table) => table.fill(9, 12, 14) }), ["tree_mismatch"], []],
  ["a directory that the path table lacks", buildIso(plain, { withoutTableRow: "DIR" }), ["tree_mismatch"], []],
  ["data that belongs to no file", buildIso(plain, { unclaimed: Buffer.from("hidden") }), ["gap"], []],
  ["data behind a directory's records", withBytes(buildIso(plain), 18 * 2048 + 2000, "hid"), ["gap"], []],
  ["data behind the end of a file", withBytes(buildIso([{ name: "A;1", data: "aaa" }]), 19 * 2048 + 100, "slack"), ["gap"], []],
  ["data behind the volume", buildIso(plain, { trailing: Buffer.from("more") }), ["trailing_data"], []],
  ["a volume larger than the image", buildIso(plain, { spaceBlocks: 1000 }), ["size_mismatch"], []],
  ["no terminator", buildIso(plain, { terminator: false }), ["missing_end_marker"], []],
  ["files that share part of their data", buildIso([{ name: "A;1", data: "abcdef" }, { name: "B;1", data: "abcdef", bytes: 3 }]), ["overlap"], []],
  ["a last extent that is missing", buildIso([{ name: "A;1", data: "a", flags: 0x80 }]), ["size_mismatch"], []],
  ["a UDF volume in the same image", buildIso(plain, { behindTerminator: ["\u0000BEA01", "\u0000NSR02", "\u0000TEA01"].map((text) => Buffer.from(text)) }), [], ["unsupported_format"]],
];

function withBytes(image: Buffer, at: number, text: string): Buffer {
  image.write(text, at, "latin1");
  return image;
}

test.each(quirks)("%s is told", async (_, image, anomalies, omissions) => {
  const found = await read(image);
  expect([kindsOf(found), reasons(found)]).toEqual([anomalies, omissions]);
});

test("a file whose data lies outside or is interleaved is named as not to be had", async () => {
  const found = await read(buildIso([{ name: "A;1", data: "a", block: 90_000 }, { name: "B;1", data: "b", interleave: 2 }, { name: "C;1", data: "c" }]));
  expect(found.members.map(({ name, state }) => `${name} ${state}`)).toEqual(["A malformed", "B unsupported_method", "C ok"]);
});

test("names that would lead out are unsafe in the walk, and files inside are still read", async () => {
  const found = await inventory(artifactOfBytes(rocks([rocky(rockName("../../etc/passwd")), rocky(rockName("good"), { data: "g" })]), "x.iso"));
  expect(found.manifest.root_format).toBe("iso9660");
  expect(found.anomalies.map(({ anomaly }) => anomaly)).toEqual(["unsafe_name"]);
  expect(found.graph.occurrences.filter(({ hash_status }) => hash_status === "verified")).toHaveLength(3);
});

test("an image cut at any sector, or inside one, is never complete", async () => {
  const image = buildIso(plain, { joliet: [{ name: "a", data: "alpha" }, { name: "b", data: "beta" }] });
  for (let length = 16 * 2048 + 1; length < image.byteLength; length += 500) {
    const found = await read(image.subarray(0, length));
    expect(found.omissions.length + found.anomalies.length, `cut at ${String(length)}`).toBeGreaterThan(0);
  }
});

test("changed bytes of the structures never crash or hang the reader", async () => {
  const images = [buildIso(plain, { joliet: [{ name: "a", data: "alpha" }] }), rocks([rocky(Buffer.concat([rockName("a"), rockMode(0o100644), continuation(16, 0, 40)])), { name: "D", use: rockName("d"), children: [] }])];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...images), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }), async (image, changes) => {
      const damaged = Buffer.from(image);
      // Only the structures are worth changing; the system area is most of such a small image.
      const start = 16 * 2048;
      for (const [at, value] of changes) {
        const [sector, byte] = [at % ((image.byteLength - start) / 2048), Math.floor(at / 977) % 256];
        damaged[start + sector * 2048 + byte] = value;
      }
      await readContainer(isoFormat, damaged, { maximum: 1 << 20 });
    }),
    { numRuns: 300 },
  );
});

test("a walk that is cancelled ends with that", async () => {
  const controller = new AbortController();
  controller.abort();
  await expect(readContainer(isoFormat, buildIso(plain), { signal: controller.signal })).rejects.toMatchObject({ code: "cancelled" });
});
