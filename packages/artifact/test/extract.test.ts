import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "@rea/core";
import fc from "fast-check";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { artifactOfBytes, extract, openArtifact } from "../src/index.js";
import { diskPath } from "../src/extract/disk-path.js";

const root = mkdtempSync(join(tmpdir(), "rea-extract-test-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

// Everything these tests extract or spool goes to a place of their own, so that leftovers can be counted.
const place = join(root, "tmp");
beforeEach(() => {
  mkdirSync(place);
  vi.stubEnv("TMPDIR", place);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true, force: true });
});

const source = join(root, "source");
mkdirSync(join(source, "sub"), { recursive: true });
writeFileSync(join(source, "a.txt"), "one", { mode: 0o755 });
writeFileSync(join(source, "sub", "b.txt"), "two");
writeFileSync(join(source, "sub", "empty"), "");
symlinkSync("/etc/passwd", join(source, "link"));

describe("extraction", () => {
  test("writes every regular member privately, proves it, and follows no link", async () => {
    const found = await extract(openArtifact(source));
    expect(found.artifacts.map(({ relative_path }) => relative_path)).toEqual(["a.txt", "sub/b.txt", "sub/empty"]);
    expect(readFileSync(join(found.output_root, "a.txt"), "utf8")).toBe("one");
    expect(statSync(found.output_root).mode & 0o777).toBe(0o700);
    expect(statSync(join(found.output_root, "a.txt")).mode & 0o777).toBe(0o600);
    expect(existsSync(join(found.output_root, "link"))).toBe(false);
    expect(found.artifacts[0]).toMatchObject({ sha256: sha256Hex("one"), bytes_written: 3 });
    expect(found.extraction).toMatchObject({ file_count: 3, bytes: 6, source_manifest_id: found.manifest.manifest_id });
  });

  test("has an id that depends on content and paths, not on where it was written", async () => {
    const first = await extract(openArtifact(source));
    const second = await extract(openArtifact(source));
    expect(second.extraction).toEqual(first.extraction);
    expect(second.output_root).not.toBe(first.output_root);
  });

  test("writes what was selected and names what was not found", async () => {
    const found = await extract(openArtifact(source), { select: ["sub/", "nowhere", "none/"] });
    expect(found.artifacts.map(({ relative_path }) => relative_path)).toEqual(["sub/b.txt", "sub/empty"]);
    expect(found.skipped).toEqual([
      { logical_path: "nowhere", reason: "not_found" },
      { logical_path: "none/", reason: "not_found" },
    ]);
  });

  test("of content without a reader is refused before anything is written", async () => {
    await expect(extract(artifactOfBytes(Buffer.from("text")))).rejects.toMatchObject({ code: "capability_unavailable" });
    expect(readdirSync(place)).toEqual([]);
  });

  test("that is cancelled leaves no directory", async () => {
    const controller = new AbortController();
    const progress = { report: () => controller.abort() };
    await expect(extract(openArtifact(source), { signal: controller.signal, progress })).rejects.toMatchObject({ code: "cancelled" });
    expect(readdirSync(place)).toEqual([]);
  });
});

describe("paths on disk", () => {
  test("never hold what a file system reads differently, and are the same for equal paths only", () => {
    expect(diskPath("a/con.txt", 0)).toBe("a/%63on.txt");
    expect(diskPath("a:b/c. ", 0)).toBe("a%3Ab/c.%20");
    expect(diskPath("x", 2)).toBe("x.duplicate-2");
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (a, b) => {
        expect(/[<>:"|?*\\]/.test(diskPath(a, 0))).toBe(false);
        expect(diskPath(a, 0) === diskPath(b, 0)).toBe(a === b);
      }),
    );
  });
});
