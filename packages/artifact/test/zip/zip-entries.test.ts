import { expect, test } from "vitest";
import { isUnavailable } from "../../src/format.js";
import { zipFormats } from "../../src/formats/zip/index.js";
import { kindsOf, readContainer } from "../read-container.js";
import { buildZip, type ZipMember } from "./build-zip.js";

const [zip] = zipFormats;

test("one reader serves every package that is a ZIP archive", () => {
  expect(zipFormats.map(({ id }) => id)).toEqual(["zip", "ipa", "apk", "msix", "appx"]);
});

test("a member says where it stands, how large it is and what proves it", async () => {
  const archive = buildZip([{ name: "run.sh", content: "#!/bin/sh\n", central: { mode: 0o100755 } }], { prefix: Buffer.from("stub") });
  const [member] = (await readContainer(zip, archive)).members;
  expect(member?.entry).toMatchObject({
    kind: "file",
    declaredBytes: 10,
    compressedBytes: 10,
    location: { offset: 4, length: 46 },
    encrypted: false,
    executable: true,
    checks: [{ kind: "size", bytes: 10 }, { kind: "crc32" }],
  });
});

test("stored members can be read anywhere, deflated ones from the front", async () => {
  const archive = buildZip([
    { name: "s", content: "0123456789" },
    { name: "d", content: "0123456789".repeat(9), method: 8 },
  ]);
  const [stored, deflated] = (await readContainer(zip, archive)).members.map(({ entry }) => entry.content);
  if (stored === undefined || stored === null || isUnavailable(stored)) throw new Error("no content");
  const source = stored.random?.();
  expect([source?.size, Buffer.from(source?.read(3, 4) ?? []).toString()]).toEqual([10, "3456"]);
  expect(() => source?.read(8, 4)).toThrow();
  expect(deflated).not.toHaveProperty("random");
});

test("symbolic links give their target, stored or deflated", async () => {
  const long = "../somewhere/".repeat(40);
  const archive = buildZip([
    { name: "a", content: "../target", central: { mode: 0o120777 } },
    { name: "b", content: long, method: 8, central: { mode: 0o120777 } },
  ]);
  const { members } = await readContainer(zip, archive);
  expect(members.map(({ entry }) => [entry.kind, Buffer.from(entry.linkTarget ?? "").toString()])).toEqual([
    ["symlink", "../target"],
    ["symlink", long],
  ]);
});

test("modes count only where the host has them", async () => {
  const archive = buildZip([{ name: "a", content: "x", central: { mode: 0o120777, host: 0 } }]);
  expect((await readContainer(zip, archive)).members[0]?.entry).toMatchObject({ kind: "file", executable: null });
});

test("a contradiction names its member and its place", async () => {
  const archive = buildZip([{ name: "a", content: "x" }, { name: "b", content: "y", local: { crc32: 1 } }]);
  const { anomalies } = await readContainer(zip, archive);
  expect(anomalies.map(({ anomaly, name, offset }) => [anomaly, name?.text, offset])).toEqual([["central_local_mismatch", "b", 32]]);
});

test("more than 65,535 members are listed although their counter ran over", async () => {
  const count = 65_540;
  const one = buildZip([{ name: "a" }], { noEnd: true });
  const start = one.indexOf(Buffer.from("PK\u0001\u0002"));
  const directory = Buffer.alloc(count * (one.byteLength - start), one.subarray(start));
  const place = { directoryOffset: start, directoryBytes: directory.byteLength };
  const beforeDirectory = Buffer.concat([one.subarray(0, start), directory]);
  const wrapped = await readContainer(zip, buildZip([], { beforeDirectory, end: { entries: count & 0xffff, ...place } }), { listOnly: true });
  expect([wrapped.members.length, kindsOf(wrapped)]).toEqual([count, ["entry_count_mismatch", "overlap"]]);
});

test("contradictions beyond a thousand of a kind are counted, not listed", async () => {
  const many: ZipMember[] = Array.from({ length: 1500 }, (_, index) => ({ name: String(index), hidden: true }));
  const { members, anomalies } = await readContainer(zip, buildZip(many));
  expect(members.length).toBe(1500);
  expect(anomalies.length).toBe(1001);
  expect(anomalies.at(-1)?.detail).toContain("500 more");
});

test("a cancelled walk ends with the next member", async () => {
  const controller = new AbortController();
  controller.abort();
  await expect(readContainer(zip, buildZip([{ name: "a" }, { name: "b" }]), { signal: controller.signal })).rejects.toMatchObject({ code: "cancelled" });
});
