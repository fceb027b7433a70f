import { execFileSync, spawnSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cpioFormat } from "../../src/formats/cpio/cpio-format.js";
import { collect, sha256, type Seen } from "../sequential/collect-entries.js";
import { cpioArchive, cpioMember } from "./build-cpio.js";

const kinds = ["newc", "crc", "odc", "binary-little", "binary-big"] as const;
const shown = ({ entries }: Seen): unknown => entries.map(({ name, kind, link, problem, sha256: digest }) => [name, kind, link ?? problem ?? digest]);
const anomalies = ({ anomalies: found }: Seen): readonly string[] => found.map(({ anomaly }) => anomaly);

const tree = [
  { name: "dir", mode: 0o040755 },
  { name: "dir/a", data: "odd", mode: 0o100755 },
  { name: "dir/b", data: "x".repeat(70_000) },
  { name: "link", data: "dir/a", mode: 0o120777 },
  { name: "pipe", mode: 0o010644 },
];

test.each(kinds)("the %s layout gives files, directories, links and devices", async (kind) => {
  const seen = await collect(cpioFormat, cpioArchive(kind, ...tree));
  expect(shown(seen)).toEqual([
    ["dir", "directory", undefined],
    ["dir/a", "file", sha256("odd")],
    ["dir/b", "file", sha256("x".repeat(70_000))],
    ["link", "symlink", "dir/a"],
    ["pipe", "special", undefined],
  ]);
  expect(seen.entries[1]?.entry.executable).toBe(true);
  expect([seen.anomalies, seen.omissions]).toEqual([[], []]);
});

test("names of one file whose data stands with the last become hard links to it", async () => {
  const linked = { inode: 7, links: 3 };
  const seen = await collect(cpioFormat, cpioArchive("newc", { name: "a", ...linked }, { name: "b", ...linked }, { name: "other", data: "o", inode: 9 }, { name: "c", data: "data", ...linked }));
  expect(shown(seen)).toEqual([
    ["other", "file", sha256("o")],
    ["a", "hardlink", "c"],
    ["b", "hardlink", "c"],
    ["c", "file", sha256("data")],
  ]);
});

test("names of one empty file are one file and links to it", async () => {
  const seen = await collect(cpioFormat, cpioArchive("newc", { name: "a", inode: 7, links: 2 }, { name: "b", inode: 7, links: 2 }));
  expect(shown(seen)).toEqual([
    ["a", "file", sha256("")],
    ["b", "hardlink", "a"],
  ]);
});

test("a wrong sum in the crc layout is told and the content is not valid", async () => {
  const seen = await collect(cpioFormat, cpioArchive("crc", { name: "a", data: "data", sum: 1 }, { name: "b", data: "fine" }));
  expect(shown(seen)).toEqual([
    ["a", "file", "The checksum of the member does not hold."],
    ["b", "file", sha256("fine")],
  ]);
  expect(anomalies(seen)).toEqual(["crc_mismatch"]);
});

test("another archive behind the trailer is read on, as in boot images", async () => {
  const first = cpioArchive("newc", { name: "a", data: "1" });
  const seen = await collect(cpioFormat, Buffer.concat([first, Buffer.alloc(512), cpioArchive("newc", { name: "b", data: "2" })]));
  expect(seen.entries.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(anomalies(seen)).toEqual(["concatenated_archive"]);
});

test("other data behind the trailer is trailing data", async () => {
  const seen = await collect(cpioFormat, Buffer.concat([cpioArchive("odc", { name: "a", data: "1" }), Buffer.alloc(100), Buffer.from("hidden")]));
  expect(anomalies(seen)).toEqual(["trailing_data"]);
});

test("bytes between members are passed over and told", async () => {
  const bytes = Buffer.concat([cpioMember("newc", { name: "a", data: "1" }), Buffer.from("junk07070"), cpioArchive("newc", { name: "b", data: "2" })]);
  const seen = await collect(cpioFormat, bytes);
  expect(seen.entries.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(seen.omissions).toHaveLength(1);
});

test("an archive cut at any byte is never complete", async () => {
  for (const kind of kinds) {
    const whole = cpioArchive(kind, { name: "a", data: "data" }, { name: "l", data: "a", mode: 0o120777 });
    const trailerBytes = cpioMember(kind, { name: "TRAILER!!!", mode: 0 }).byteLength;
    for (let length = 1; length < whole.byteLength - trailerBytes + 26; length += 1) {
      const seen = await collect(cpioFormat, whole.subarray(0, length));
      expect(seen.omissions.length + seen.anomalies.length, `${kind} ${String(length)}`).toBeGreaterThan(0);
    }
  }
});

test("damaged bytes never crash the reader", async () => {
  const samples = kinds.map((kind) => cpioArchive(kind, ...tree.filter(({ name }) => name !== "dir/b")));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...samples), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 }), async (bytes, changes) => {
      const damaged = Buffer.from(bytes);
      for (const [at, value] of changes) damaged[at % damaged.byteLength] = value;
      await collect(cpioFormat, damaged);
    }),
    { numRuns: 300 },
  );
});

test.for(["newc", "crc", "odc", "bin"])("reads what GNU cpio writes as %s", async (layout, context) => {
  if (spawnSync("cpio", ["--version"]).error !== undefined) context.skip("cpio is not installed");
  const root = mkdtempSync(join(tmpdir(), "rea-cpio-"));
  try {
    mkdirSync(join(root, "d"));
    writeFileSync(join(root, "d", "file"), "content");
    writeFileSync(join(root, "big"), "y".repeat(100_001));
    linkSync(join(root, "big"), join(root, "same"));
    symlinkSync("d/file", join(root, "sym"));
    const bytes = execFileSync("cpio", ["-o", "--quiet", "-H", layout], { cwd: root, input: "d\nd/file\nbig\nsame\nsym\n", stdio: ["pipe", "pipe", "ignore"] });
    const seen = await collect(cpioFormat, bytes);
    const files = new Map(seen.entries.map(({ name, kind, link, sha256: digest }) => [name, kind === "hardlink" ? `-> ${link ?? ""}` : (link ?? digest)]));
    expect([files.get("d/file"), files.get("sym"), files.get("same")]).toEqual([sha256("content"), "d/file", sha256("y".repeat(100_001))]);
    expect(files.get("big")).toBe(layout === "newc" || layout === "crc" ? "-> same" : sha256("y".repeat(100_001)));
    expect([seen.anomalies, seen.omissions]).toEqual([[], []]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
