import { createHash } from "node:crypto";
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test, vi } from "vitest";
import { members, openArtifact } from "../src/index.js";
import { member } from "./tar/build-tar.js";

const place = mkdtempSync(join(tmpdir(), "rea-changing-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

test.each([0, 60])("a file that was written %i seconds before and is changed while its members are read is refused with both digests and what to do", async (age) => {
  const path = join(place, `${age}.gz`);
  const before = gzipSync("before");
  const after = Buffer.from(before);
  after[4] = 1;
  writeFileSync(path, before);
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + age * 1000);
  const artifact = openArtifact(path);
  clock.mockRestore();
  const walk = async () => {
    for await (const member of members(artifact)) if (member.logicalPath !== ".") writeFileSync(path, after);
  };
  await expect(walk()).rejects.toMatchObject({
    code: "artifact_integrity_mismatch",
    action: "Call again when nothing writes to the file.",
    details: { logical_path: ".", declared_sha256: sha256(before), calculated_sha256: sha256(after), unpacked: false },
  });
  artifact.close();
});

test("a large one whose digest is made beside the walk is refused too, wherever it is changed", async () => {
  const path = join(place, "large.tar");
  const bytes = Buffer.concat([member({ name: "first", data: "x" }), member({ name: "large", size: 64 * 1024 * 1024 })]);
  for (const at of [600, 64 * 1024 * 1024]) {
    writeFileSync(path, bytes);
    truncateSync(path, bytes.byteLength + 64 * 1024 * 1024 + 1024);
    const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000);
    const artifact = openArtifact(path);
    clock.mockRestore();
    const walk = async () => {
      for await (const { logicalPath } of members(artifact)) if (logicalPath === "first") change(path, at);
    };
    await expect(walk()).rejects.toMatchObject({ code: "artifact_integrity_mismatch", details: { logical_path: "." } });
    artifact.close();
  }
});

function change(path: string, at: number): void {
  const handle = openSync(path, "r+");
  writeSync(handle, "!", at);
  closeSync(handle);
}
