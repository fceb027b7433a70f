import { existsSync, readFileSync } from "node:fs";
import { memorySource } from "@rea/core";
import { expect, test } from "vitest";
import { openImage } from "../src/open-image.js";

test("a program cut behind its program headers is not said to have empty tables, nor protections that nothing shows", (context) => {
  const program = ["/bin/ls", "/usr/bin/env"].find((path) => existsSync(path) && readFileSync(path).subarray(1, 4).toString("latin1") === "ELF");
  if (program === undefined) return context.skip("no ELF program of the host was found");
  const image = openImage(memorySource(readFileSync(program).subarray(0, 3000)));
  for (const table of [image.symbols(), image.imports(), image.exports(), image.relocations(), image.sections(), image.segments()]) {
    expect(table.omissions.length).toBeGreaterThan(0);
  }
  const state = (name: string) => image.mitigations().items.find((item) => item.name === name)?.state;
  expect([state("relro"), state("stripped")]).toEqual(["unknown", "unknown"]);
});
