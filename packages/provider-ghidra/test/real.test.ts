import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deepOperationNames, deepOperations } from "@rea/core";
import { createLauncher } from "@rea/lineage";
import type { AnalysisClient, Target } from "@rea/provider";
import { testProvider } from "@rea/testkit";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isGhidraOperation } from "../src/ghidra-capabilities.js";
import { createGhidraProvider } from "../src/index.js";
import { ask, result, targetOf } from "./ghidra-bench.js";

const compiler = ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang"].find((path) => existsSync(path));
const launcher = createLauncher();
const provider = createGhidraProvider({ env: process.env, launcher });

/** Why a real Ghidra is not asked; undefined when it is. */
function absence(): string | undefined {
  if (process.env["REA_GHIDRA_REAL"] !== "1") return "a real Ghidra is asked with REA_GHIDRA_REAL=1 only";
  const found = provider.inspectAvailability();
  if (found.status === "unavailable") throw new Error(`REA_GHIDRA_REAL is set, but: ${found.reason}`);
  return compiler === undefined ? "no C compiler" : undefined;
}
const absent = absence();

const source = `
#include <stdio.h>
__attribute__((noinline)) int helper(int n) { return n * 3 + 1; }
__attribute__((noinline)) int choose(int n) {
  switch (n) { case 0: return helper(1); case 1: return 7; case 2: return helper(n + 9); case 3: return 11; case 4: return -4; default: return 0; }
}
int main(int argc, char **argv) { (void)argv; printf("a greeting of the test\\n"); return choose(argc); }
`;

if (absent === undefined) vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

describe("a real Ghidra", () => {
  const root = mkdtempSync(join(tmpdir(), "rea-ghidra-real-"));
  afterAll(async () => {
    await launcher.close();
    rmSync(root, { recursive: true, force: true });
  });

  function built(): Target {
    const program = join(root, "program");
    writeFileSync(join(root, "program.c"), source);
    execFileSync(compiler ?? "cc", ["-g", "-O1", "-o", program, join(root, "program.c")]);
    return targetOf(program, { format: process.platform === "darwin" ? "mach-o" : "elf", architecture: process.arch === "arm64" ? "arm64" : "x86_64" });
  }

  testProvider({
    provider,
    fixtures: [{ name: "a program of a C compiler", target: built, absent }],
    without: deepOperationNames.filter((name) => !isGhidraOperation(name)),
  });

  describe.skipIf(absent !== undefined)(`finds what the source says${absent === undefined ? "" : ` (skipped: ${absent})`}`, () => {
    let client: AnalysisClient;
    beforeAll(async () => {
      const target = built();
      const profile = await provider.resolveAnalysisProfile(target, { signal: new AbortController().signal });
      client = await provider.createClient(target, profile, { runId: "real" });
    });
    afterAll(() => client.close());
    const name = process.platform === "darwin" ? "_" : "";

    it("calls, strings, pseudocode and switches", async () => {
      const helper = await result(client, "procedure_address", { procedure: `${name}helper` });
      const choose = await result(client, "procedure_address", { procedure: `${name}choose` });
      expect(await result(client, "procedure_callees", { procedure: `${name}main` })).toMatchObject({ items: expect.arrayContaining([choose]) });
      expect(await result(client, "procedure_callers", { procedure: `${name}helper` })).toMatchObject({ items: expect.arrayContaining([choose]) });
      const strings = deepOperations.search_strings.result.parse(await result(client, "search_strings", { pattern: "^a greeting of the t.st", mode: "regex" }));
      expect(strings.total).toBe(1);
      expect(await result(client, "xrefs", { address: strings.items[0]?.address })).toMatchObject({ total: expect.any(Number) });
      expect(await result(client, "procedure_pseudo_code", { procedure: helper })).toContain("* 3");
      const { basic_blocks } = deepOperations.analyze_function.result.parse(await result(client, "analyze_function", { procedure: choose }));
      expect(basic_blocks).toMatchObject({ state: "available" });
    });

    it("has the bytes of the file: each instruction is where it says", async () => {
      const answer = await ask(client, "read_function_instructions", { procedure: `${name}main`, limit: 500 });
      const { instructions } = deepOperations.read_function_instructions.result.parse(answer.result);
      let next = BigInt(instructions.items[0]?.address ?? "0x0");
      for (const { address, length, bytes_hex: bytes } of instructions.items) {
        expect(BigInt(address)).toBeGreaterThanOrEqual(next);
        expect(bytes).toHaveLength(length * 2);
        next = BigInt(address) + BigInt(length);
      }
    });
  });
});
