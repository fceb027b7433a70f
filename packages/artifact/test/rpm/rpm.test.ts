import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rpmFormat } from "../../src/formats/rpm/rpm-format.js";
import { collect, sha256 } from "../sequential/collect-entries.js";
import { rpmHeader, rpmPackage } from "./build-rpm.js";

const payload = Buffer.from("not really a compressed cpio archive");
const hash = (algorithm: string, ...parts: readonly Buffer[]): Buffer => createHash(algorithm).update(Buffer.concat(parts)).digest();

const main = rpmHeader([
  [1000, "name"],
  [1124, "cpio"],
  [1125, "zstd"],
  [5092, [sha256(payload)]],
  [5093, 8],
]);

interface Lies {
  readonly sha1?: string;
  readonly size?: number;
  readonly md5?: Buffer;
}

function sample({ sha1, size, md5 }: Lies = {}): Buffer {
  const signature = rpmHeader([
    [269, sha1 ?? hash("sha1", main).toString("hex")],
    [273, sha256(main)],
    [1000, size ?? main.byteLength + payload.byteLength],
    [1004, md5 ?? hash("md5", main, payload)],
  ]);
  return rpmPackage(signature, main, payload);
}

test("a package is its header and its payload, with the digests it declares", async () => {
  const seen = await collect(rpmFormat, sample());
  expect(seen.entries.map(({ name, sha256: digest, failedChecks }) => [name, digest, failedChecks])).toEqual([
    ["header", sha256(main), []],
    ["payload.cpio.zst", sha256(payload), []],
  ]);
  const algorithms = seen.entries.flatMap(({ entry }) => entry.checks.flatMap((check) => (check.kind === "digest" ? [check.algorithm] : [])));
  expect(algorithms).toEqual(["sha1", "sha256", "sha256"]);
  expect([seen.anomalies, seen.omissions]).toEqual([[], []]);
});

test("a header changed after signing fails its digest, a payload fails its own and the joint one", async () => {
  expect((await collect(rpmFormat, sample({ sha1: "00".repeat(20) }))).entries[0]?.failedChecks).toEqual(["digest"]);
  const changed = sample();
  changed[changed.byteLength - 1] = 0;
  const seen = await collect(rpmFormat, changed);
  expect(seen.entries[1]?.failedChecks).toEqual(["digest"]);
  expect(seen.anomalies.map(({ anomaly }) => anomaly)).toEqual(["digest_mismatch"]);
});

test("bytes behind the declared payload are trailing data", async () => {
  const seen = await collect(rpmFormat, Buffer.concat([sample(), Buffer.from("hidden")]));
  expect(seen.anomalies.map(({ anomaly }) => anomaly)).toEqual(["trailing_data"]);
});

test("a declared size that cannot be leaves the end of the file as the payload's end", async () => {
  const seen = await collect(rpmFormat, sample({ size: 1 }));
  expect(seen.entries[1]?.bytes).toBe(payload.byteLength);
});

test("header counts beyond all bounds are refused before anything is allocated", async () => {
  const bytes = sample();
  bytes.writeUInt32BE(0xffffffff, 96 + 8);
  const seen = await collect(rpmFormat, bytes);
  expect(seen.entries).toEqual([]);
  expect(seen.omissions).toHaveLength(1);
});

test("a package cut at any byte is never complete, and damage never crashes", async () => {
  const whole = sample();
  for (let length = 1; length < whole.byteLength; length += 1) {
    const seen = await collect(rpmFormat, whole.subarray(0, length));
    const flagged = seen.omissions.length + seen.entries.filter(({ problem }) => problem !== undefined).length;
    expect(flagged, String(length)).toBeGreaterThan(0);
  }
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(whole.byteLength - 1), fc.nat(255)), { minLength: 1, maxLength: 5 }), async (changes) => {
      const damaged = Buffer.from(whole);
      for (const [at, value] of changes) damaged[at] = value;
      await collect(rpmFormat, damaged);
    }),
    { numRuns: 200 },
  );
});

const spec = `Name: sample
Version: 1
Release: 1
Summary: s
License: MIT
BuildArch: noarch
%description
d
%install
mkdir -p %{buildroot}/opt
echo content > %{buildroot}/opt/file
%files
/opt/file
`;

test.for(["w9.gzdio", "w6.xzdio", "w3.zstdio"])("reads a package that rpmbuild makes with %s", { timeout: 120_000 }, async (compression, context) => {
  if (spawnSync("rpmbuild", ["--version"]).error !== undefined) context.skip("rpmbuild is not installed");
  const root = mkdtempSync(join(tmpdir(), "rea-rpm-"));
  try {
    writeFileSync(join(root, "sample.spec"), spec);
    execFileSync("rpmbuild", ["-bb", "--define", `_topdir ${root}`, "--define", `_binary_payload ${compression}`, join(root, "sample.spec")], { stdio: "ignore" });
    const path = join(root, "RPMS/noarch/sample-1-1.noarch.rpm");
    const seen = await collect(rpmFormat, readFileSync(path));
    expect(seen.entries.map(({ name, failedChecks, problem }) => [name.replace(/\.[^.]+$/, ""), failedChecks, problem])).toEqual([
      ["header", [], undefined],
      ["payload.cpio", [], undefined],
    ]);
    expect(seen.entries.flatMap(({ entry }) => entry.checks).filter(({ kind }) => kind === "digest").length).toBeGreaterThanOrEqual(2);
    expect([seen.anomalies, seen.omissions]).toEqual([[], []]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
