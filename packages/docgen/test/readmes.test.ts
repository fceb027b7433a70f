// The example a reader tries first must work: the first code block of every library's README runs against the built
// package, from a place where only the package's own dependencies resolve.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "@rea/core";
import { transform } from "esbuild";
import { expect, test } from "vitest";

const run = promisify(execFile);
const packages = join(import.meta.dirname, "..", "..");
const manifestSchema = z.object({ private: z.boolean().optional() });

test.each(publishedLibraries())("the example in the README of %s runs", async (name) => {
  await runExample(join(packages, name, "README.md"), name);
});

test("the library example in the README of the whole runs in the runtime's directory, as it says", async () => {
  await runExample(join(packages, "..", "README.md"), "runtime");
});

async function runExample(readme: string, name: string): Promise<void> {
  expect(existsSync(readme), "there is a README").toBe(true);
  const example = firstExample(readFileSync(readme, "utf8"));
  expect(example, "the README has a js or ts code block").not.toBeNull();
  if (example === null) return;
  const { code } = await transform(example, { loader: "ts", format: "esm" });
  // Beside the compiled files: there the package's own name resolves to its dist.
  const file = join(packages, name, "dist", `.readme-${process.pid}.mjs`);
  writeFileSync(file, code);
  try {
    await run(process.execPath, [file], { cwd: join(packages, name), timeout: 50_000 });
  } finally {
    rmSync(file, { force: true });
  }
}

function publishedLibraries(): string[] {
  return readdirSync(packages)
    .filter((name) => existsSync(join(packages, name, "package.json")))
    .filter((name) => {
      const manifest: unknown = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
      return manifestSchema.parse(manifest).private !== true;
    });
}

function firstExample(markdown: string): string | null {
  return /^```(?:js|ts|javascript|typescript)\n([\s\S]*?)^```/m.exec(markdown)?.[1] ?? null;
}
