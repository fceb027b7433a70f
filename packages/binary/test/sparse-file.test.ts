import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { detectFormat } from "../src/detect.js";
import { openFileSource } from "../src/file-source.js";
import { openImage } from "../src/open-image.js";
import { readEverything } from "./read-everything.js";

const place = mkdtempSync(join(tmpdir(), "rea-sparse-"));
afterAll(() => {
  rmSync(place, { recursive: true, force: true });
});

const fourGiB = 4 * 1024 ** 3;

test("a program stretched to 4 GiB reads as before, the rest is overlay, and it is not loaded into memory", (context) => {
  const program = "/bin/ls";
  if (!existsSync(program) || readFileSync(program).subarray(0, 4).toString("latin1") !== "\u007fELF") return context.skip("/bin/ls is no ELF file here");
  const path = join(place, "stretched");
  copyFileSync(program, path);
  truncateSync(path, fourGiB);
  const before = process.memoryUsage().arrayBuffers;
  const stretched = openFileSource(path);
  const original = openFileSource(program);
  try {
    const image = openImage(stretched);
    expect(image.sections().items).toEqual(openImage(original).sections().items);
    expect(readEverything(image)).toEqual([]);
    expect((image.overlay()?.offset ?? 0) + (image.overlay()?.size ?? 0)).toBe(fourGiB);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(512 * 1024 * 1024);
  } finally {
    stretched.close();
    original.close();
  }
});

test("4 GiB of nothing are a file of no known format", () => {
  const path = join(place, "nothing");
  copyFileSync(join(import.meta.dirname, "sparse-file.test.ts"), path);
  truncateSync(path, 0);
  truncateSync(path, fourGiB);
  const source = openFileSource(path);
  try {
    expect(detectFormat(source)).toMatchObject({ format: "file", kind: "artifact" });
    expect(() => openImage(source)).toThrow("not an executable of a known format");
  } finally {
    source.close();
  }
});
