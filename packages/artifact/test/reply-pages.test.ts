import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { artifactOfBytes, extract, extractionPage, inspection, inventory, type Extraction } from "../src/index.js";
import { archive, member } from "./tar/build-tar.js";
import { buildZip } from "./zip/build-zip.js";

/** A reply holds a result twice. */
const pageOfReply = 32 * 1024;
const mostOfReply = 512 * 1024;
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe("pages about artifacts with names that are long and full of hidden characters", () => {
  const names = Array.from({ length: 600 }, (_, index) => `${String(index).padStart(4, "0")}${"\u202e".repeat(20_000)}`);

  test("fit a reply at any limit, say what had no room, and come to the end", async () => {
    const found = await inventory(artifactOfBytes(buildZip(names.map((name) => ({ name, content: name.slice(0, 4) }))), "long.zip"));
    for (const limit of [25, 500]) {
      const page = await inspection(found, { offset: 0, limit, integrity_policy: "fail" });
      expect(sizeOf(page)).toBeLessThan(mostOfReply);
      expect(page.occurrences.items.length).toBeGreaterThan(0);
      expect(page.occurrences.coverage.omissions).toContainEqual(expect.objectContaining({ scope: "occurrences of this page", reason: "limit_total_bytes" }));
      expect([page.occurrences.limit, page.occurrences.next_offset]).toEqual([limit, page.occurrences.items.length]);
    }
    const seen: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const { occurrences } = await inspection(found, { offset, limit: 500, integrity_policy: "fail" });
      seen.push(...occurrences.items.map(({ occurrence_id }) => occurrence_id));
      offset = occurrences.next_offset;
    }
    expect(new Set(seen).size).toBe(found.graph.occurrences.length);
    expect(seen.length).toBe(found.graph.occurrences.length);
  }, 120_000);

  test("show the beginning of a name and say so", async () => {
    const { graph } = await inventory(artifactOfBytes(buildZip([{ name: names[0] ?? "", content: "x" }]), "long.zip"));
    const one = graph.occurrences.find(({ raw_name }) => raw_name !== null);
    expect(one?.raw_name?.length).toBe(4 + 4_092 * "\\u{202e}".length);
    expect(one?.limitations.join(" ")).toContain("The first 4096 characters");
  });
});

test("the page about many members of equal size and content names the first by path, and hears a cancel", async () => {
  const files = Array.from({ length: 9_000 }, (_, index) => member({ name: `${String(index * 7919 % 9_000).padStart(4, "0")}`, data: "same" }));
  const found = await inventory(artifactOfBytes(archive(...files), "many.tar"));
  const { observations } = await inspection(found, { offset: 0, limit: 1, integrity_policy: "fail" });
  const pathsOf = (name: string) => observations.items.find(({ observation }) => observation === name)?.paths;
  expect(pathsOf("largest")).toEqual(["0000", "0001", "0002", "0003", "0004"]);
  expect(pathsOf("equal_contents")).toEqual(["0000", "0001"]);
  await expect(inspection(found, { offset: 0, limit: 1, integrity_policy: "fail" }, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "cancelled" });
});

describe("pages of an extraction", () => {
  const files = Array.from({ length: 1_200 }, (_, index) => member({ name: `directory/file-${String(index)}`, data: String(index) }));

  test("fit a reply, by default a small one, and together are the whole", async () => {
    const found: Extraction = await extract(artifactOfBytes(archive(...files), "many.tar"), { select: ["directory/", "missing"] });
    rmSync(found.output_root, { recursive: true });
    const first = extractionPage(found, { offset: 0, limit: 40 });
    expect(sizeOf(first)).toBeLessThan(pageOfReply);
    expect(first).toMatchObject({ artifacts_total: 1_200, skipped_total: 1, offset: 0, next_offset: 40, extraction: found.extraction });
    const written: unknown[] = [];
    const skipped: unknown[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page = extractionPage(found, { offset, limit: 500 });
      expect(sizeOf(page)).toBeLessThan(mostOfReply);
      written.push(...page.artifacts);
      skipped.push(...page.skipped);
      offset = page.next_offset;
    }
    expect([written, skipped]).toEqual([found.artifacts, found.skipped]);
    expect(extractionPage(found, { offset: 5_000, limit: 10 })).toMatchObject({ artifacts: [], skipped: [], next_offset: null });
  });

  test("name links among what was not written", async () => {
    const link = member({ name: "link", typeflag: "1", link: "directory/file-0" });
    const found = await extract(artifactOfBytes(archive(...files.slice(0, 1), link), "linked.tar"));
    rmSync(found.output_root, { recursive: true });
    expect(found.skipped).toEqual([{ logical_path: "link", reason: "not_restored" }]);
  });
});
