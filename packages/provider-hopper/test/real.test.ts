import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deepOperationNames } from "@rea/core";
import { createLauncher } from "@rea/lineage";
import { parseOperationResult, type Target } from "@rea/provider";
import { testProvider } from "@rea/testkit";
import { afterAll, describe, expect, test, vi } from "vitest";
import { createHopperProvider } from "../src/index.js";
import { ask, clientOf, targetOf, temporaryDirectory } from "./stand-in.js";

const compiler = ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang"].find((path) => existsSync(path));
const launcher = createLauncher();
afterAll(() => launcher.close());
const provider = createHopperProvider({ env: process.env, launcher });
const declared: readonly string[] = provider.capabilities().map(({ operation }) => operation);

/** Why a real Hopper is not asked; undefined when it is. */
function absence(): string | undefined {
  if (process.env["REA_HOPPER_REAL"] !== "1") return "a real Hopper is asked with REA_HOPPER_REAL=1 only";
  const found = provider.inspectAvailability();
  if (found.status === "unavailable") throw new Error(`REA_HOPPER_REAL is set, but: ${found.reason}`);
  return compiler === undefined ? "no C compiler" : undefined;
}
const absent = absence();
if (absent === undefined) vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

const onMac = process.platform === "darwin";

function built(): Target {
  const program = join(temporaryDirectory("program"), "sample");
  execFileSync(compiler ?? "cc", ["-O1", "-o", program, fileURLToPath(new URL("./programs/sample.c", import.meta.url))]);
  const architecture = process.arch === "arm64" ? "arm64" : "x86_64";
  return targetOf(program, { format: onMac ? "mach-o" : "elf", architecture, available_architectures: [architecture] });
}

describe("a real Hopper", () => {
  testProvider({
    provider,
    fixtures: [{ name: "a program of a C compiler", target: built, absent }],
    without: deepOperationNames.filter((name) => !declared.includes(name)),
  });

  test.skipIf(absent !== undefined)(`finds what the source says${absent === undefined ? "" : ` (skipped: ${absent})`}`, async () => {
    const client = await clientOf(provider, built());
    const name = (plain: string): string => (onMac ? `_${plain}` : plain);
    const told = async (operation: "procedure_callers" | "procedure_callees", procedure: string): Promise<readonly string[]> =>
      parseOperationResult(operation, (await ask(client, operation, { procedure })).result, "hopper").items;
    const place = async (procedure: string): Promise<unknown> => (await ask(client, "procedure_address", { procedure })).result;
    expect(await told("procedure_callees", name("main"))).toEqual(expect.arrayContaining([await place(name("tell")), await place(name("choose"))]));
    expect(await told("procedure_callers", name("choose"))).toEqual(expect.arrayContaining([await place(name("tell"))]));
    const found = await ask(client, "search_strings", { pattern: "HELLO from" });
    expect(found.result).toMatchObject({ items: [{ value: "hello from the sample" }] });
    expect((await ask(client, "procedure_pseudo_code", { procedure: name("choose") })).result).toMatch(/return/);
    expect(await client.close()).toEqual({ remaining: [] });
  });
});
