import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { inspection, inventory, documentAt, findDocuments, openArtifact } from "@rea/artifact";
import { afterAll, expect, test } from "vitest";

const place = mkdtempSync(join(tmpdir(), "rea-documents-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const operation = "test";

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(join(place, path, ".."), { recursive: true });
  writeFileSync(join(place, path), content);
}
write("app/Info.plist", "<plist/>");
write("app/Main.nib", "NIBArchive");
write("app/Assets.car", "BOMStore");
write("app/wow!/note.txt", "inside");
write("app/packed.gz", gzipSync("NIBArchive and more"));
write("outside.txt", "secret");
symlinkSync("..", join(place, "app", "up"));
symlinkSync("wow!", join(place, "app", "link"));

const at = (path: string) => {
  const artifact = openArtifact(join(place, "app"));
  return documentAt(artifact, path, { operation });
};
const text = async (path: string) => Buffer.from((await at(path))?.bytes ?? "none").toString();

test("a document is read at its logical path, marks at the end of names doubled", async () => {
  expect(await text("Info.plist")).toBe("<plist/>");
  expect(await text("wow!!/note.txt")).toBe("inside");
  expect(await text("link/note.txt")).toBe("inside");
  expect(await text("packed.gz!/packed")).toBe("NIBArchive and more");
  expect(await text("nothing")).toBe("none");
});

test("paths that climb or are absolute, and links that leave, are refused", async () => {
  for (const path of ["../outside.txt", "wow!!/../Info.plist", "/etc/passwd", "a//b", ".", "a\\b", "C:/x"]) await expect(at(path)).rejects.toMatchObject({ code: "invalid_request" });
  await expect(at("up/outside.txt")).rejects.toMatchObject({ code: "target_unavailable", details: { reason: "target_not_allowed" } });
});

test("documents are found by content anywhere, inside compressed files too", async () => {
  const wants = (_path: string, head: Uint8Array) => Buffer.from(head).toString("latin1").startsWith("NIBArchive");
  const artifact = openArtifact(join(place, "app"));
  const found = await findDocuments(artifact, { operation, wants, maximum: 10 });
  expect(found.documents.map(({ logicalPath }) => logicalPath)).toEqual(["Main.nib", "packed.gz!/packed"]);
  const bounded = await findDocuments(artifact, { operation, wants, maximum: 1 });
  expect(bounded.documents).toHaveLength(1);
  expect(bounded.omissions).toMatchObject([{ reason: "limit_items", count: 1, limit: 1 }]);
});

test("a search that is cancelled leaves nothing behind", async () => {
  const stopped = AbortSignal.abort();
  await expect(findDocuments(openArtifact(join(place, "app")), { operation, wants: () => true, maximum: 1, signal: stopped })).rejects.toMatchObject({ code: "cancelled" });
});

test("an inventory names the tools that read such documents", async () => {
  const found = await inspection(await inventory(openArtifact(join(place, "app"))), { offset: 0, limit: 10, integrity_policy: "fail" });
  const probes = found.next_probes.map((probe) => [probe.operation, probe.input]);
  expect(probes).toContainEqual(["decode_interface_builder", {}]);
  expect(probes).toContainEqual(["inspect_asset_catalog", { relative_path: "Assets.car" }]);
  expect(probes).toContainEqual(["inspect_plist", { relative_path: "Info.plist" }]);
});
