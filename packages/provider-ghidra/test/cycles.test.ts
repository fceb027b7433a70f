import { readdirSync } from "node:fs";
import type { AnalysisClient } from "@rea/provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, GhidraBench } from "./ghidra-bench.js";
import { standInAbsent } from "./stub-installation.js";
import { smallProgram } from "./stub-program.js";

/** How many targets in a row; the soak run asks for more. */
const rounds = Number(process.env["REA_GHIDRA_ROUNDS"] ?? "8");

describe.skipIf(standInAbsent !== undefined)("many targets in a row", () => {
  let bench: GhidraBench;
  beforeAll(() => {
    bench = new GhidraBench();
  });
  afterAll(() => bench.close());

  it("opened, asked, cancelled at any moment and closed leave no process, handle or directory behind", async () => {
    const target = bench.target(smallProgram());
    // What is loaded and opened once is open by now.
    await round(await bench.client(target), 60_000);
    await bench.expectNothingLeft();
    const before = held();
    for (let each = 0; each < rounds; each += 1) await round(await bench.client(target), Math.random() * 1_500);
    await bench.expectNothingLeft();
    // The launcher's own guardian comes and goes; what a round left would be there once for each.
    await expect.poll(() => held().descriptors, { timeout: 20_000 }).toBeLessThanOrEqual(before.descriptors + 1);
    expect(held().kinds).toEqual(before.kinds);
  });
});

async function round(client: AnalysisClient, cancelAfterMs: number): Promise<void> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), cancelAfterMs);
  const asked = (["list_names", "analyze_function", "search_strings"] as const).map((operation) =>
    ask(client, operation, operation === "analyze_function" ? { procedure: "main" } : operation === "search_strings" ? { pattern: "e" } : {}, { signal: controller.signal }),
  );
  const ended = Math.random() < 0.3 ? await Promise.all([client.close(), Promise.allSettled(asked)]) : await Promise.allSettled(asked);
  for (const told of ended.flat()) {
    if ("status" in told && told.status === "rejected") expect(told.reason).toMatchObject({ code: expect.stringMatching(/^(?:cancelled|provider_unavailable)$/) });
  }
  clearTimeout(timer);
  expect(await client.close()).toEqual({ remaining: [] });
}

/** Open descriptors and what keeps this process going, by kind. */
function held(): { readonly descriptors: number; readonly kinds: readonly string[] } {
  const kinds = process.getActiveResourcesInfo().filter((kind) => /^(?:TCP|Pipe|Process|FSEvent)/.test(kind));
  return { descriptors: readdirSync("/proc/self/fd").length, kinds: kinds.sort() };
}
