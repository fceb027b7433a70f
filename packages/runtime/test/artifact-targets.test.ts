import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operations } from "@rea/core";
import type { ToolService } from "@rea/tool";
import { expect, test } from "vitest";
import { call, directory, runtimeWith } from "./support.js";

const realRuntime = () => runtimeWith({ providers: undefined, auxiliary: undefined, detect: undefined });

/** A bundle whose executable is the Node that runs this. */
function bundle(): { readonly root: string; readonly executable: string } {
  const root = join(directory(), "Thing.app");
  const executable = join(root, "Contents", "MacOS", "Thing");
  mkdirSync(join(root, "Contents", "MacOS"), { recursive: true });
  copyFileSync("/bin/sh", executable);
  writeFileSync(
    join(root, "Contents", "Info.plist"),
    `<?xml version="1.0"?><plist version="1.0"><dict><key>CFBundleExecutable</key><string>Thing</string></dict></plist>`,
  );
  return { root, executable };
}

async function evidence(service: ToolService, name: string, input: object) {
  const reply = await call(service, name, input);
  if (!reply.ok || !("evidence" in reply.value)) throw new Error(JSON.stringify(reply));
  return reply.value.evidence;
}

test("the artifact tools look at an application bundle as a directory, opened or given by path", async () => {
  const { root, executable } = bundle();
  const service = realRuntime();
  const byPath = await evidence(service, "inspect_artifact", { path: root });
  const rootDigest = operations.inspect_artifact.result.parse(byPath.normalized_result).manifest.root_sha256;
  expect(byPath.subject).toEqual({
    name: "Thing.app",
    digest: { sha256: rootDigest },
    format: "directory",
    architecture: null,
    local_path: root,
  });
  await call(service, "open_binary", { path: root });
  const opened = await evidence(service, "inspect_artifact", {});
  expect(opened.evidence_id).toBe(byPath.evidence_id);
  const ofExecutable = await evidence(service, "inspect_artifact", { path: executable });
  expect(ofExecutable.subject).toMatchObject({ name: "Thing", format: "elf" });
  await service.close();
});

test("a file that changes after it was opened is not inspected under its old digest", async () => {
  const path = join(directory(), "grows.txt");
  writeFileSync(path, "first");
  const service = realRuntime();
  await call(service, "open_binary", { path });
  writeFileSync(path, "second");
  const reply = await call(service, "inspect_artifact", {});
  expect(reply).toMatchObject({ ok: false, error: { code: "target_unavailable", details: { reason: "target_changed" } } });
  await service.close();
});

const extractions = () => readdirSync(tmpdir()).filter((name) => name.startsWith("rea-extract-"));

test("an extraction whose record cannot be written leaves no directory", async () => {
  const root = directory();
  writeFileSync(join(root, "a.txt"), "a");
  const service = realRuntime();
  const written: string[] = [];
  const refusing: ToolService = {
    ...service,
    host: {
      ...service.host,
      record: ({ normalized_result }) => {
        const { output_root } = operations.extract_artifact.result.parse(normalized_result);
        written.push(output_root);
        expect(existsSync(join(output_root, "a.txt"))).toBe(true);
        throw new Error("full");
      },
    },
  };
  const reply = await call(refusing, "extract_artifact", { path: root });
  expect(reply.ok).toBe(false);
  expect(written).toHaveLength(1);
  expect(extractions()).not.toContain(written[0]?.split("/").at(-1));
  await service.close();
});
