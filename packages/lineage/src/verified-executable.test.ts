import { chmodSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { openExecutable } from "./verified-executable.js";

const directory = mkdtempSync(join(tmpdir(), "rea-executable-"));
const path = join(directory, "program");
afterAll(() => rmSync(directory, { recursive: true, force: true }));

beforeEach(() => {
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, 0o755);
});

it("links are resolved, the digest is of the bytes and the interpreter is named", async () => {
  const link = join(directory, "link");
  symlinkSync(path, link);
  const opened = await openExecutable(link);
  expect(opened.path).toBe(path);
  expect(opened.sha256).toBe(createHash("sha256").update("#!/bin/sh\n").digest("hex"));
  expect(opened.interpreter).toMatch(/sh$/);
  await opened.revalidate();
  await opened.close();
  await opened.close();
});

it.each([
  ["rewritten in place", () => writeFileSync(path, "#!/bin/sh\necho other\n")],
  ["rewritten with as many bytes", () => writeFileSync(path, "#!/bin/sh \n".slice(0, 10))],
  ["replaced by another file", () => {
    writeFileSync(`${path}.new`, "#!/bin/sh\n");
    renameSync(`${path}.new`, path);
  }],
  ["removed", () => rmSync(path)],
  ["given other permissions", () => chmodSync(path, 0o700)],
])("a program that was %s after its digest was taken is not started", async (_how, change) => {
  const opened = await openExecutable(path);
  change();
  await expect(opened.revalidate()).rejects.toMatchObject({ code: "target_unavailable", details: { reason: "target_changed" } });
  await opened.close();
});
