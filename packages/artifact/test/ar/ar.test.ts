import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { arFormat, debFormat } from "../../src/formats/ar/ar-format.js";
import { collect, sha256, type Seen } from "../sequential/collect-entries.js";

interface ArFields {
  readonly field: string;
  readonly data: string | Buffer;
  readonly size?: number;
  readonly mark?: string;
}

function arMember({ field, data, size, mark = "`\n" }: ArFields): Buffer {
  const bytes = Buffer.from(data);
  const header = field.padEnd(16) + "0".padEnd(12) + "0".padEnd(6) + "0".padEnd(6) + "100644".padEnd(8) + String(size ?? bytes.byteLength).padEnd(10) + mark;
  return Buffer.concat([Buffer.from(header, "latin1"), bytes, Buffer.from(bytes.byteLength % 2 === 1 ? "\n" : "")]);
}

function ar(...members: readonly ArFields[]): Buffer {
  return Buffer.concat([Buffer.from("!<arch>\n"), ...members.map(arMember)]);
}

const shown = ({ entries }: Seen): unknown => entries.map(({ name, problem, sha256: digest }) => [name, problem ?? digest]);

test("System V and GNU names: short with a slash, long through the table; symbol tables are no members", async () => {
  const bytes = ar(
    { field: "/", data: "\0\0\0\0" },
    { field: "/SYM64/", data: "\0\0\0\0" },
    { field: "//", data: "a_rather_long_member_name.o/\nother long name.o/\n" },
    { field: "short.o/", data: "one" },
    { field: "/0", data: "two" },
    { field: "/29", data: "three" },
  );
  const seen = await collect(arFormat, bytes);
  expect(shown(seen)).toEqual([
    ["short.o", sha256("one")],
    ["a_rather_long_member_name.o", sha256("two")],
    ["other long name.o", sha256("three")],
  ]);
  expect([seen.anomalies, seen.omissions]).toEqual([[], []]);
});

test("BSD names stand before the data and count to the size", async () => {
  const seen = await collect(arFormat, ar({ field: "__.SYMDEF SORTED", data: "\0\0" }, { field: "#1/20", data: "__.SYMDEF SORTED\0\0\0\0index" }, { field: "#1/12", data: "a name.o\0\0\0\0data" }, { field: "plain.o", data: "x" }));
  expect(shown(seen)).toEqual([
    ["a name.o", sha256("data")],
    ["plain.o", sha256("x")],
  ]);
});

test("members of a thin archive are named and their content is elsewhere", async () => {
  const bytes = Buffer.concat([Buffer.from("!<thin>\n"), arMember({ field: "//", data: "dir/a.o/\nb.o/\n\n" }), arMember({ field: "/0", data: "", size: 1000 }), arMember({ field: "/9", data: "", size: 5 })]);
  const seen = await collect(arFormat, bytes);
  expect(shown(seen)).toEqual([
    ["dir/a.o", "missing_companion"],
    ["b.o", "missing_companion"],
  ]);
  expect(seen.entries[0]?.entry.declaredBytes).toBe(1000);
});

test("a long name that is not in the table keeps its reference and is told", async () => {
  const seen = await collect(arFormat, ar({ field: "/99", data: "x" }, { field: "next/", data: "y" }));
  expect(shown(seen)).toEqual([
    ["/99", sha256("x")],
    ["next", sha256("y")],
  ]);
  expect(seen.omissions).toHaveLength(1);
});

test("what follows a malformed header is told and not read", async () => {
  const seen = await collect(arFormat, ar({ field: "a/", data: "x" }, { field: "b/", data: "y", mark: "??" }, { field: "c/", data: "z" }));
  expect(shown(seen)).toEqual([["a", sha256("x")]]);
  expect(seen.omissions).toHaveLength(1);
  expect(seen.anomalies.map(({ anomaly }) => anomaly)).toEqual(["trailing_data"]);
});

test("an archive cut inside a member is never complete, and damage never crashes", async () => {
  const whole = ar({ field: "//", data: "a_rather_long_member_name.o/\n\n" }, { field: "/0", data: "two" }, { field: "#1/8", data: "name\0\0\0\0data" });
  const boundaries = new Set([8, 8 + 60 + 30, 8 + 60 + 30 + 60 + 3, 8 + 60 + 30 + 60 + 4]);
  for (let length = 9; length < whole.byteLength; length += 1) {
    if (boundaries.has(length)) continue;
    const seen = await collect(arFormat, whole.subarray(0, length));
    expect(seen.omissions.length, String(length)).toBeGreaterThan(0);
  }
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(whole.byteLength - 1), fc.nat(255)), { minLength: 1, maxLength: 5 }), async (changes) => {
      const damaged = Buffer.from(whole);
      for (const [at, value] of changes) damaged[at] = value;
      await collect(arFormat, damaged);
    }),
    { numRuns: 200 },
  );
});

test("reads what ar writes", async (context) => {
  if (spawnSync("ar", ["--version"]).error !== undefined) context.skip("ar is not installed");
  const root = mkdtempSync(join(tmpdir(), "rea-ar-"));
  try {
    const names = ["a.o", "exactly15chars.", "sixteen_chars_.o", "a_much_longer_member_name_than_fits.o"];
    for (const name of names) writeFileSync(join(root, name), `content of ${name}`);
    execFileSync("ar", ["rc", "x.a", ...names], { cwd: root });
    const seen = await collect(arFormat, readFileSync(join(root, "x.a")));
    expect(shown(seen)).toEqual(names.map((name) => [name, sha256(`content of ${name}`)]));
    execFileSync("ar", ["rcT", "thin.a", ...names], { cwd: root });
    expect((await collect(arFormat, readFileSync(join(root, "thin.a")))).entries.map(({ name }) => name)).toEqual(names);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("reads the members of a package that dpkg-deb builds", async (context) => {
  if (spawnSync("dpkg-deb", ["--version"]).error !== undefined) context.skip("dpkg-deb is not installed");
  const root = mkdtempSync(join(tmpdir(), "rea-deb-"));
  try {
    mkdirSync(join(root, "p/DEBIAN"), { recursive: true });
    writeFileSync(join(root, "p/DEBIAN/control"), "Package: p\nVersion: 1\nArchitecture: all\nMaintainer: M <m@example.org>\nDescription: d\n");
    writeFileSync(join(root, "p/file"), "payload");
    execFileSync("dpkg-deb", ["--root-owner-group", "-Zxz", "--build", "p", "p.deb"], { cwd: root, stdio: "ignore" });
    const bytes = readFileSync(join(root, "p.deb"));
    const seen = await collect(debFormat, bytes);
    expect(seen.entries.map(({ name, problem }) => [name, problem])).toEqual([
      ["debian-binary", undefined],
      ["control.tar.xz", undefined],
      ["data.tar.xz", undefined],
    ]);
    const data = seen.entries[2]?.sha256;
    expect(data).toBe(sha256(execFileSync("ar", ["p", "p.deb", "data.tar.xz"], { cwd: root })));
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("a package that was cut between its members is told by what it lacks", async () => {
  const seen = await collect(debFormat, ar({ field: "debian-binary", data: "2.0\n" }, { field: "control.tar.gz", data: "control" }));
  expect(seen.omissions).toHaveLength(1);
  expect(JSON.stringify(seen.omissions)).toContain("The package has no data.tar.");
});
