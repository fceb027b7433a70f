import { createHash } from "node:crypto";
import { isReaError } from "@rea/core";
import { expect, test } from "vitest";
import { artifactOfBytes, verify } from "../../src/index.js";
import { buildZip } from "../zip/build-zip.js";
import { flipped, verified } from "./judged.js";

const manifest = (content: string): string => `Manifest-Version: 1.0\n\nName: a.txt\nSHA-256-Digest: ${createHash("sha256").update(content).digest("base64")}\n`;
const archive = buildZip([{ name: "META-INF/MANIFEST.MF", content: manifest("hello") }, { name: "a.txt", content: "hello" }, { name: "b.txt", content: "world" }]);

test("what holds, what is only read, and what is declared of it are told for every member", async () => {
  const found = await verified(archive);
  expect([found.verdict, found.members.map(({ logical_path, verdict, declared_checks }) => [logical_path, verdict, declared_checks])]).toEqual([
    "holds",
    [[".", "read", 0], ["META-INF/MANIFEST.MF", "holds", 2], ["a.txt", "holds", 3], ["b.txt", "holds", 2]],
  ]);
});

test("a checksum that does not hold is broken without ending the call under the policy that fails", async () => {
  const changed = flipped(archive, archive.indexOf("world"));
  const found = await verified(changed, "fail");
  expect([found.verdict, found.members.find(({ logical_path }) => logical_path === "b.txt")]).toMatchObject(["broken", { verdict: "broken", broken_by: [] }]);
});

test("a digest that does not hold ends the call under the policy that fails, which is the default", async () => {
  const changed = flipped(archive, archive.lastIndexOf("hello"));
  await expect(verify(artifactOfBytes(changed))).rejects.toSatisfy((error) => isReaError(error) && error.code === "artifact_integrity_mismatch");
  const found = await verified(changed);
  expect(found.members.find(({ logical_path }) => logical_path === "a.txt")?.broken_by).toEqual(["the JAR manifest"]);
});

test("bounds make a verification incomplete, never wrong; a list that was not gone through misses nothing", async () => {
  const found = await verify(artifactOfBytes(archive), { limits: { maxEntries: 1 } });
  expect([found.verdict, found.inventory.anomalies]).toEqual(["incomplete", []]);
  const small = await verify(artifactOfBytes(archive), { limits: { maxEntryBytes: 5 } });
  expect([small.verdict, small.members.find(({ logical_path }) => logical_path === "META-INF/MANIFEST.MF")?.verdict]).toEqual(["incomplete", "not_verified"]);
});

test("a cancel is heard before and while an artifact is verified", async () => {
  const isCancel = (error: unknown) => isReaError(error) && error.code === "cancelled";
  await expect(verify(artifactOfBytes(archive), { signal: AbortSignal.abort() })).rejects.toSatisfy(isCancel);
  const controller = new AbortController();
  const progress = { report: () => controller.abort() };
  const many = buildZip(Array.from({ length: 300 }, (_, index) => ({ name: `f${String(index)}`, content: Buffer.alloc(100_000, index) })));
  await expect(verify(artifactOfBytes(many), { signal: controller.signal, progress })).rejects.toSatisfy(isCancel);
});

test("nothing declared is no proof of anything", async () => {
  expect((await verified(Buffer.from("plain text"))).verdict).toBe("nothing_declared");
});
