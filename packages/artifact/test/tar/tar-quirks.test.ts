import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { tarFormat } from "../../src/formats/tar/tar-format.js";
import { defaultLimits } from "../../src/limits.js";
import { SequentialReader } from "../../src/reading/sequential-reader.js";
import { collect, cut, sha256 } from "../sequential/collect-entries.js";
import { archive, member, pax } from "./build-tar.js";
import { tarQuirks, type Judge, type TarQuirk } from "./tar-quirks.js";

const titled = tarQuirks.map((quirk) => [quirk.title, quirk] as const);

test.each(titled)("%s", async (_, quirk) => {
  for (const pieceBytes of [100, 4096]) {
    const seen = await collect(tarFormat, quirk.bytes, { pieceBytes });
    const shown = seen.entries.map(({ name, kind, link, problem, sha256: digest }) => ({ name, kind, link, problem, digest }));
    expect(shown).toEqual(
      quirk.members.map((expected) => ({
        name: expected.name,
        kind: expected.kind ?? "file",
        link: expected.link,
        problem: expected.problem,
        digest: expected.content === undefined ? undefined : sha256(expected.content),
      })),
    );
    expect(seen.anomalies.map(({ anomaly }) => anomaly)).toEqual(quirk.anomalies ?? []);
    expect(seen.omissions.length).toBe(quirk.omissions ?? 0);
  }
});

test.each(titled)("%s: the same when contents are left unread", async (_, quirk) => {
  const read = await collect(tarFormat, quirk.bytes);
  const unread = await collect(tarFormat, quirk.bytes, { read: false });
  expect(unread.entries.map(({ name, entry }) => [name, entry.location])).toEqual(read.entries.map(({ name, entry }) => [name, entry.location]));
});

const python = `
import sys,tarfile,io
t=tarfile.open(fileobj=io.BytesIO(sys.stdin.buffer.read()),mode="r:")
for m in t.getmembers():
    sys.stdout.buffer.write(m.name.rstrip("/").encode("utf-8","surrogateescape")+b"\\0")
    if m.isreg() or m.type not in tarfile.SUPPORTED_TYPES: sys.stdout.buffer.write(t.extractfile(m).read() if m.size else b"")
    sys.stdout.buffer.write(b"\\0\\n\\0")
`;

/** Names and all contents joined, as a program sees them. */
function judged(judge: Judge, { bytes, members }: TarQuirk): { readonly names: readonly string[]; readonly contents: string } {
  if (judge === "python") {
    const rows = run("python3", ["-c", python], bytes).toString("latin1").split("\0\n\0").slice(0, -1);
    const cut = rows.map((row) => row.indexOf("\0"));
    const names = rows.map((row, at) => Buffer.from(row.slice(0, cut[at]), "latin1").toString("utf8"));
    return { names, contents: sha256(Buffer.from(rows.map((row, at) => row.slice((cut[at] ?? 0) + 1)).join(""), "latin1")) };
  }
  const quoting = judge === "tar" ? ["--quoting-style=literal"] : [];
  const names = run(judge, [...quoting, "-tf", "-"], bytes).toString("utf8").split("\n").filter((line) => line !== "");
  const files = members.flatMap(({ name, content }) => (content === undefined ? [] : [name]));
  const contents = judge === "tar" ? extracted(files, bytes) : run(judge, ["-xOf", "-"], bytes);
  return { names: names.map((name) => name.replace(/\/+$/, "")), contents: sha256(contents) };
}

/** Output whatever the exit status: damage makes them complain after reading. */
function run(command: string, args: readonly string[], input: Buffer): Buffer {
  return spawnSync(command, [...args], { input, maxBuffer: 1 << 26, env: { ...process.env, LC_ALL: "C.UTF-8" } }).stdout;
}

/** GNU tar writes sparse members by seeking, so they have to be files: the contents of those named, joined. */
function extracted(names: readonly string[], input: Buffer): Buffer {
  const directory = mkdtempSync(join(tmpdir(), "rea-tar-"));
  try {
    run("tar", ["-xf", "-", "-C", directory, "--no-same-owner"], input);
    return Buffer.concat(names.map((name) => (existsSync(join(directory, name)) ? readFileSync(join(directory, name)) : Buffer.alloc(0))));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function isInstalled(judge: Judge): boolean {
  return spawnSync(judge === "python" ? "python3" : judge, ["--version"]).error === undefined;
}

function expectedOf(quirk: TarQuirk): { readonly names: readonly string[]; readonly contents: string } {
  return { names: quirk.members.map(({ name }) => name.replace(/\/+$/, "")), contents: sha256(quirk.members.map(({ content }) => content ?? "").join("")) };
}

const judgements = tarQuirks.flatMap((quirk) => quirk.judges.map((judge) => [judge, quirk.title, quirk] as const));

test.for(judgements)("%s agrees on %s", ([judge, , quirk], context) => {
  if (!isInstalled(judge)) context.skip(`${judge} is not installed`);
  expect(judged(judge, quirk)).toEqual(expectedOf(quirk));
});

test("every quirk that a program reads in another way says why", () => {
  for (const { title, judges, differs } of tarQuirks) expect(judges.length === 3 || differs !== undefined, title).toBe(true);
});

const small = archive(pax([["path", "a long name"]]), member({ data: "hello" }), member({ name: "dir/", typeflag: "5" }), member({ name: "last", data: "x".repeat(600) }));

test("a small archive cut at any byte is never complete and never a crash", async () => {
  for (let length = 0; length < small.byteLength - 1024; length += 1) {
    const seen = await collect(tarFormat, small.subarray(0, length));
    const flagged = seen.omissions.length + seen.anomalies.filter(({ anomaly }) => anomaly === "missing_end_marker").length;
    expect(flagged).toBeGreaterThan(0);
  }
});

test("flipped bits never crash the reader", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...tarQuirks), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 }), async ({ bytes }, changes) => {
      const damaged = Buffer.from(bytes);
      for (const [at, value] of changes) damaged[at % damaged.byteLength] = value;
      await collect(tarFormat, damaged);
    }),
    { numRuns: 400 },
  );
});

test("a sparse file of 10 GB comes out of a few bytes in shared pieces", async () => {
  const real = 10_000_000_000;
  const bytes = archive(pax([["GNU.sparse.size", String(real)], ["GNU.sparse.map", "9999999999,1"]]), member({ data: "!" }));
  const { entries } = await collect(tarFormat, bytes, { read: false });
  expect(entries[0]?.entry.declaredBytes).toBe(real);
  const buffers = new Set<ArrayBufferLike>();
  let total = 0;
  for await (const piece of contentPieces(bytes)) {
    buffers.add(piece.buffer);
    total += piece.byteLength;
  }
  expect(total).toBe(real);
  expect(buffers.size).toBeLessThan(4);
});

async function* contentPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  const report = { part: () => undefined, anomaly: () => undefined, omission: () => undefined };
  const input = { report, signal: new AbortController().signal, limits: defaultLimits, containerName: "", openBeside: () => undefined };
  for await (const { content } of tarFormat.entries(new SequentialReader(cut(bytes, 4096)), input)) {
    if (content !== null && "stream" in content) yield* content.stream();
  }
}
