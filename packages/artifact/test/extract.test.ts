import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "@rea/core";
import fc from "fast-check";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { artifactOfBytes, extract, openArtifact } from "../src/index.js";
import { diskPath } from "../src/extract/disk-path.js";
import { InFlight } from "../src/extract/in-flight.js";
import { archive, member } from "./tar/build-tar.js";

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

describe("members that want the same place", () => {
  const conflicting = archive(
    ...["a", "a/b", "c/d", "c/d/e", "last"].map((name) => member({ name, data: Buffer.from(name) })),
  );

  test("leave it to the first in the archive, however many files are on their way", async () => {
    const found = await extract(artifactOfBytes(conflicting));
    expect(found.artifacts.map(({ relative_path }) => relative_path)).toEqual(["a", "c/d", "last"]);
    expect(found.skipped).toEqual([
      { logical_path: "a/b", reason: "path_conflict" },
      { logical_path: "c/d/e", reason: "path_conflict" },
    ]);
  });
});

describe("an extraction whose directory is exchanged meanwhile", () => {
  // The first is small and written behind the walk, the second while it is read.
  const names = Array.from({ length: 200 }, (_, index) => `sub/${String(index)}`);
  test.each([10, 100_000])("fails, and is not taken for a damaged archive (members of %i bytes)", async (size) => {
    const bytes = archive(...names.map((name) => member({ name, data: Buffer.alloc(size, name) })));
    const progress = {
      report: () => {
        const sub = join(place, readdirSync(place)[0] ?? "", "sub");
        if (!existsSync(sub) || existsSync(`${sub}-before`)) return;
        renameSync(sub, `${sub}-before`);
        mkdirSync(sub);
      },
    };
    await expect(extract(artifactOfBytes(bytes), { progress })).rejects.toMatchObject({ code: "artifact_operation_failed", details: { reason: "path" } });
    expect(readdirSync(place)).toEqual([]);
  });
});

describe("work in flight", () => {
  test("is never more than was allowed, and its first failure is told", async () => {
    const flight = new InFlight(3);
    let running = 0;
    let most = 0;
    for (let index = 0; index < 20; index += 1) {
      await flight.start(async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resume) => setImmediate(resume));
        running -= 1;
      });
    }
    await flight.settled();
    expect({ running, most }).toEqual({ running: 0, most: 3 });
    await flight.start(() => Promise.reject(new Error("first")));
    await expect(flight.settled()).rejects.toThrow("first");
    await expect(flight.start(() => Promise.resolve())).rejects.toThrow("first");
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
