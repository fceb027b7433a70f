import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { operations, z } from "@rea/core";
import { afterAll, describe, expect, test } from "vitest";
import { runCli } from "./run-cli.js";

const place = mkdtempSync(join(tmpdir(), "rea-artifact-commands-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const options = { env: { ...process.env, HOME: join(place, "home"), TMPDIR: place } };

const older = join(place, "older");
mkdirSync(join(older, "sub"), { recursive: true });
writeFileSync(join(older, "note.txt"), "hello\n");
writeFileSync(join(older, "sub", "packed.gz"), gzipSync("inside\n"));
const newer = join(place, "newer");
cpSync(older, newer, { recursive: true });
writeFileSync(join(newer, "note.txt"), "changed text\n");
writeFileSync(join(newer, "sub", "added.txt"), "new");

const envelope = z.looseObject({ evidence_id: z.string(), result: z.unknown() });

describe("rea inspect-artifact", () => {
  test("prints a tree that shows what is inside what", async () => {
    const { stdout, status } = await runCli(["inspect-artifact", older], options);
    expect(status).toBe(0);
    const names = stdout.split("\n").map((line) => /^ *(\S+)/.exec(line)?.[0] ?? "");
    expect(names.slice(0, 5)).toEqual([".", "  note.txt", "  sub/", "    packed.gz", "      packed"]);
  });

  test("has the same Evidence id for the same bytes at another path", async () => {
    const copy = join(place, "copy.gz");
    cpSync(join(older, "sub", "packed.gz"), copy);
    const ids = await Promise.all(
      [copy, join(older, "sub", "packed.gz")].map(async (path) => {
        const { stdout } = await runCli(["inspect-artifact", path, "--json"], options);
        return envelope.parse(JSON.parse(stdout)).result;
      }),
    );
    const [first, second] = ids.map((result) => operations.inspect_artifact.result.parse(result).manifest.root_sha256);
    expect(first).toBe(second);
  });
});

describe("rea inspect-artifact as documents of other tools", () => {
  const archive = join(place, "trailing.gz");
  writeFileSync(archive, Buffer.concat([gzipSync("x"), Buffer.from("after the end")]));
  const document = async (format: string) => (await runCli(["inspect-artifact", archive, "--format", format], options)).stdout;

  test.each([
    ["sarif", { version: "2.1.0", runs: [{ results: [{ ruleId: "trailing_data" }] }] }],
    ["cyclonedx", { bomFormat: "CycloneDX", components: [{ name: "trailing" }] }],
    ["in-toto", { _type: "https://in-toto.io/Statement/v1", subject: [{ name: "trailing.gz" }] }],
  ])("--format %s", async (format, expected) => {
    expect(JSON.parse(await document(format))).toMatchObject(expected);
  });

  test("--format sha256sum lists the members", async () => {
    expect(await document("sha256sum")).toBe("2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  trailing\n");
  });

  test("--format of another word names the valid ones", async () => {
    const { status, stderr } = await runCli(["inspect-artifact", archive, "--format", "xml"], options);
    expect(status).toBe(2);
    expect(stderr).toContain("sarif");
  });
});

test("rea extract-artifact writes what is inside and says where", async () => {
  const { stdout, status } = await runCli(["extract-artifact", older, "--select", "sub/", "--json"], options);
  expect(status).toBe(0);
  const found = operations.extract_artifact.result.parse(envelope.parse(JSON.parse(stdout)).result);
  expect(found.artifacts.map(({ relative_path }) => relative_path)).toEqual(["sub/packed.gz", "sub/packed.gz!/packed"]);
  expect(readFileSync(join(found.output_root, "sub/packed.gz!/packed"), "utf8")).toBe("inside\n");
});

describe("rea extract-artifact --output", () => {
  const many = join(place, "many");
  mkdirSync(many);
  for (let file = 0; file < 1200; file += 1) writeFileSync(join(many, `file-${String(file)}`), String(file));
  symlinkSync("file-0", join(many, "link"));
  const file = join(place, "extraction.json");
  const read = () => operations.extract_artifact.result.parse(envelope.parse(JSON.parse(readFileSync(file, "utf8"))).result);

  test("writes all that was extracted and skipped, not a page of it", async () => {
    const { status, stdout } = await runCli(["extract-artifact", many, "--output", file], options);
    expect([status, stdout]).toEqual([0, ""]);
    const found = read();
    expect(new Set(found.artifacts.map(({ relative_path }) => relative_path)).size).toBe(1200);
    expect([found.artifacts_total, found.next_offset, found.skipped_total]).toEqual([1200, null, found.skipped.length]);
    expect(found.skipped.map(({ logical_path }) => logical_path)).toContain("link");
    expect(readdirSync(found.output_root)).toHaveLength(1200);
  });

  test("writes the page that is asked for", async () => {
    await runCli(["extract-artifact", many, "--limit", "7", "--output", file], options);
    const found = read();
    expect([found.artifacts.length, found.next_offset]).toEqual([7, 7]);
  });
});

describe("rea pack-artifact", () => {
  const target = join(place, "packed.tar");

  test("writes what is inside, to any depth, as a tar that the reader opens again", async () => {
    const { stdout, status } = await runCli(["pack-artifact", older, "--output", target], options);
    expect([status, stdout.split("\n")[0]]).toEqual([0, `3 files, 4.0 KiB (4,096 bytes) in ${target}`]);
    const listed = await runCli(["inspect-artifact", target, "--json"], options);
    const found = operations.inspect_artifact.result.parse(envelope.parse(JSON.parse(listed.stdout)).result);
    expect(found.occurrences.items.map(({ logical_path }) => logical_path)).toEqual(expect.arrayContaining(["note.txt", "sub/packed.gz", "sub/packed.gz!/packed"]));
  });

  test("replaces no file unless told to, and never what it reads", async () => {
    const before = readFileSync(target);
    const refused = await runCli(["pack-artifact", older, "--select", "note.txt", "--output", target], options);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("exists")]);
    expect(readFileSync(target).equals(before)).toBe(true);
    expect((await runCli(["pack-artifact", older, "--select", "note.txt", "--output", target, "--overwrite"], options)).status).toBe(0);
    expect(statSync(target).size).toBeLessThan(before.byteLength);
    expect((await runCli(["pack-artifact", target, "--output", target, "--overwrite"], options)).status).toBe(2);
  });
});

describe("rea compare-artifacts", () => {

  test("prints what was added, removed and changed, and tells it by its exit status when asked", async () => {
    const { stdout, status } = await runCli(["compare-artifacts", older, newer, "--exit-code"], options);
    expect(status).toBe(1);
    expect(stdout).toContain("~ note.txt  content, bytes; 6 → 13 bytes (+7)");
    expect(stdout).toContain("+ sub/added.txt  3 bytes");
    expect((await runCli(["compare-artifacts", older, older, "--exit-code"], options)).status).toBe(0);
  });

  test("shows changed lines and changed bytes when asked", async () => {
    const [left, right] = [join(place, "left.d"), join(place, "right.d")];
    for (const [top, byte] of [[left, 1], [right, 2]] as const) {
      mkdirSync(top);
      writeFileSync(join(top, "a.txt"), `one\nsame\n${byte === 1 ? "old\u001b[31m" : "new"}\n`);
      const bytes = Buffer.alloc(100);
      bytes[50] = byte;
      writeFileSync(join(top, "b.bin"), bytes);
      writeFileSync(join(top, "c.gz"), gzipSync(`inner ${String(byte)}\n`));
    }
    const existing = new Set(readdirSync(place));
    const { stdout, status } = await runCli(["compare-artifacts", left, right, "--diff"], options);
    expect(status).toBe(0);
    expect(stdout).toContain("@@ -1,3 +1,3 @@\n one\n same\n-old\\u{1b}[31m\n+new\n");
    expect(stdout).toContain("b.bin\n  0x32 1 bytes\n");
    expect(stdout).toContain("-inner 1\n+inner 2\n");
    expect(readdirSync(place).filter((name) => name.startsWith("rea-extract-") && !existing.has(name))).toEqual([]);
    const refused = await runCli(["compare-artifacts", left, right, "--diff", "--json"], options);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("--diff prints text")]);
  });

  test("takes records that were saved before", async () => {
    const paths = await Promise.all(
      [older, newer].map(async (artifact, index) => {
        const path = join(place, `record-${String(index)}.json`);
        await runCli(["inspect-artifact", artifact, "--json", "--output", path], options);
        return path;
      }),
    );
    const { stdout, status } = await runCli(["compare-artifacts", ...paths, "--json"], options);
    expect(status).toBe(0);
    const found = envelope.extend({ evidence: z.looseObject({ evidence_links: z.array(z.string()) }) }).parse(JSON.parse(stdout));
    const ids = paths.map((path) => envelope.parse(JSON.parse(readFileSync(path, "utf8"))).evidence_id);
    expect(found.evidence.evidence_links).toEqual([...ids].sort());
  });

  test("refuses a record of another tool by name", async () => {
    const path = join(place, "other.json");
    await runCli(["inspect-binary", process.execPath, "--facets", "header", "--json", "--output", path], options);
    const { stderr, status } = await runCli(["compare-artifacts", path, newer], options);
    expect(status).toBe(1);
    expect(stderr).toContain("another operation");
  });
});
