import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openFileSource, openImage } from "../src/index.js";

const directory = mkdtempSync(join(tmpdir(), "rea-signal-frames-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("the range of a signal frame starts where its code does, not at the byte before", (ctx) => {
  const input = join(directory, "a.c");
  const output = join(directory, "a");
  writeFileSync(input, "int main(void) { return 0; }\n");
  if (spawnSync("gcc", ["-static", "-o", output, input]).status !== 0) return ctx.skip("gcc or a static C library is not installed");
  const symbols = execFileSync("nm", [output], { encoding: "utf8" });
  const place = /^([0-9a-f]+) . __restore_rt$/m.exec(symbols)?.[1];
  if (place === undefined) return ctx.skip("this C library has no __restore_rt");
  const source = openFileSource(output);
  const starts = openImage(source).unwindRanges().items.map(({ start }) => Number(start));
  source.close();
  const expected = Number.parseInt(place, 16);
  expect(starts).toContain(expected);
  expect(starts).not.toContain(expected - 1);
});
