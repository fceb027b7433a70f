import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { keepFilesApart } from "./written-files.js";

const place = mkdtempSync(join(tmpdir(), "rea-written-"));
afterAll(() => {
  rmSync(place, { recursive: true, force: true });
});
const target = join(place, "target");
writeFileSync(target, "x");
symlinkSync(target, join(place, "alias"));
linkSync(target, join(place, "twin"));

test("no option that writes may name what is read, also through a link or as another input", () => {
  for (const option of ["output", "save-evidence", "snapshot"] as const) {
    for (const name of ["target", "alias", "twin"]) {
      const given = { [option]: join(place, name) };
      expect(() => { keepFilesApart({ ...given, path: target }, []); }).toThrow(`--${option} names the file that this command reads`);
      expect(() => { keepFilesApart(given, [target]); }).toThrow(`--${option} names the file that this command reads`);
    }
  }
});

test("two options do not name one file, whether it exists or not", () => {
  const fresh = join(place, "fresh");
  expect(() => { keepFilesApart({ output: fresh, "save-evidence": fresh }, []); }).toThrow("--output and --save-evidence name one file");
  expect(() => { keepFilesApart({ output: join(place, "alias"), snapshot: target }, []); }).toThrow("name one file");
  expect(() => { keepFilesApart({ output: fresh, "save-evidence": `${fresh}2`, path: target }, []); }).not.toThrow();
});
