import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonicalJson, deepOperations, silentProgress, type DeepOperationName } from "@rea/core";
import type { AnalysisClient } from "@rea/provider";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EnginePool } from "../src/engine-pool.js";
import { createNativeProvider } from "../src/native-provider.js";
import { fileTarget } from "./file-target.js";

const list = "/bin/ls";
const absent = process.platform === "linux" && existsSync(list) ? undefined : `${list} is not here`;

describe.skipIf(absent !== undefined)("answers from a kept analysis", () => {
  let root = "";
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "rea-cached-"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const cacheDirectory = () => join(root, "cache", "analysis");

  async function start(cached: boolean, pool = new EnginePool()): Promise<AnalysisClient> {
    const cache = { directory: cacheDirectory(), version: "test" };
    const provider = createNativeProvider({
      stateDirectory: join(root, "state"),
      clientName: "test",
      clientVersion: "1",
      pool,
      ...(cached ? { cache } : {}),
    });
    const target = fileTarget(list);
    const profile = await provider.resolveAnalysisProfile(target, { signal: new AbortController().signal });
    return await provider.createClient(target, profile, { runId: "run" });
  }

  async function ask(client: AnalysisClient, operation: DeepOperationName, question: object): Promise<string> {
    const context = { signal: new AbortController().signal, progress: silentProgress };
    return canonicalJson(await client.execute(operation, deepOperations[operation].params.parse(question), context));
  }

  /** Whole answers, provenance included, to a question of each kind. */
  async function answers(client: AnalysisClient): Promise<readonly string[]> {
    const procedures = await ask(client, "list_procedures", { limit: 20 });
    const procedure = /0x[0-9a-f]+/.exec(procedures.slice(procedures.length / 2))?.[0] ?? "0x0";
    const rest = await Promise.all([
      ask(client, "analyze_function", { procedure, include_assembly: true, max_instructions: 40 }),
      ask(client, "list_strings", { limit: 50 }),
      ask(client, "search_strings", { pattern: "usage" }),
    ]);
    return [procedures, ...rest];
  }

  async function answersOf(cached: boolean): Promise<readonly string[]> {
    const client = await start(cached);
    try {
      return await answers(client);
    } finally {
      await client.close();
    }
  }

  let known: Promise<readonly string[]> | undefined;
  const fresh = () => (known ??= answersOf(false));

  test("are byte-equal to fresh ones where the analysis is made and kept, which closing waits for", async () => {
    await fresh();
    expect(existsSync(cacheDirectory())).toBe(false);
    expect(await answersOf(true)).toEqual(await fresh());
    expect(readdirSync(cacheDirectory())).toHaveLength(1);
  });

  test("are byte-equal with two workers at once, which write and then read", async () => {
    const wanted = await fresh();
    expect(await Promise.all([answersOf(true), answersOf(true)])).toEqual([wanted, wanted]);
    expect(readdirSync(cacheDirectory())).toHaveLength(1);
    expect(await Promise.all([answersOf(true), answersOf(true)])).toEqual([wanted, wanted]);
    expect(readdirSync(cacheDirectory())).toHaveLength(1);
  });

  test("need no analysis: none of its progress is reported", async () => {
    const phases = async () => {
      const client = await start(true);
      const seen = new Set<string>();
      const context = { signal: new AbortController().signal, progress: { report: ({ phase }: { phase: string }) => seen.add(phase) } };
      await client.execute("list_procedures", deepOperations.list_procedures.params.parse({}), context);
      await client.close();
      return seen.size;
    };
    expect(await phases()).toBeGreaterThan(0);
    expect(await phases()).toBe(0);
  });

  test("a call that is cancelled keeps nothing, and the next one is answered", async () => {
    const client = await start(true);
    const controller = new AbortController();
    const call = client.execute("list_procedures", deepOperations.list_procedures.params.parse({}), {
      signal: controller.signal,
      progress: { report: () => controller.abort() },
    });
    await expect(call).rejects.toMatchObject({ code: "cancelled" });
    expect(existsSync(cacheDirectory())).toBe(false);
    expect(await ask(client, "list_procedures", { limit: 1 })).toContain("0x");
    await client.close();
    expect(readdirSync(cacheDirectory())).toHaveLength(1);
  });
});
