import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { openOutput } from "./output.js";

const place = mkdtempSync(join(tmpdir(), "rea-output-"));
afterAll(() => {
  rmSync(place, { recursive: true, force: true });
});

test("a file is replaced only at the end, whole, readable by its owner alone, through links, without leftovers", () => {
  const file = join(place, "result");
  const alias = join(place, "alias");
  writeFileSync(file, "before", { mode: 0o644 });
  symlinkSync(file, alias);
  const output = openOutput(alias);
  output.write("af");
  output.write("ter");
  expect(readFileSync(file, "utf8")).toBe("before");
  expect(output.finish()).toBe(true);
  expect(readFileSync(file, "utf8")).toBe("after");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(place).sort()).toEqual(["alias", "result"]);
});

test("a directory stays a directory and a device a device", (context) => {
  const directory = join(place, "directory");
  mkdirSync(directory);
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  expect(openOutput(directory).finish()).toBe(false);
  expect(said).toHaveBeenCalledWith(expect.stringContaining("could not be written"));
  expect(said).toHaveBeenCalledWith(expect.stringContaining("a directory has this name"));
  expect(openOutput(join(place, "missing", "file")).finish()).toBe(false);
  expect(said).toHaveBeenCalledWith(expect.stringContaining("its directory does not exist"));
  if (existsSync("/dev/full")) {
    const full = openOutput("/dev/full");
    full.write("text");
    expect(full.finish()).toBe(false);
    expect(said).toHaveBeenCalledWith(expect.stringContaining("there is no room left"));
  }
  said.mockRestore();
  if (!existsSync("/dev/null")) return context.skip("this system has no /dev/null");
  expect(openOutput("/dev/null").finish()).toBe(true);
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
});
