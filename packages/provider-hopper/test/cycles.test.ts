import { readdirSync } from "node:fs";
import { EngineRoom } from "@rea/testkit";
import { expect, test } from "vitest";
import { createHopperProvider } from "../src/index.js";
import { ask, clientOf, newLauncher, sampleProgram, standInAbsent, targetOf, writeStandIn } from "./stand-in.js";

const cycles = Number(process.env["REA_HOPPER_CYCLES"] ?? "6");

/** A sequence that is the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

test.skipIf(standInAbsent !== undefined)("opened, asked, given up at any moment and closed again and again, nothing is left and nothing grows", { timeout: 60_000 + cycles * 20_000 }, async () => {
  const room = new EngineRoom();
  const next = numbers(1);
  try {
    const path = writeStandIn(room.makePlace("hopper"), { analysis_ms: 200 });
    const provider = createHopperProvider({ env: { HOPPER_LAUNCHER_PATH: path, PATH: "/usr/bin:/bin" }, launcher: newLauncher(), parents: [room.parent] });
    const target = targetOf(sampleProgram());
    const handles: number[] = [];
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const client = await clientOf(provider, target);
      const controller = new AbortController();
      const asked = [ask(client, "list_procedures", {}, { signal: controller.signal }), ask(client, "list_strings")];
      const settled = Promise.allSettled(asked);
      // Before, during and after the start.
      await new Promise((resolve) => setTimeout(resolve, next() * 1_500));
      controller.abort();
      if (next() < 0.5) await asked[1];
      expect(await client.close()).toEqual({ remaining: [] });
      for (const { status, ...more } of await settled) if (status === "rejected") expect(more).toMatchObject({ reason: { code: expect.stringMatching(/^(?:cancelled|provider_unavailable)$/) } });
      await room.expectNothingLeft();
      handles.push(readdirSync("/proc/self/fd").length);
    }
    expect(Math.max(...handles.slice(1))).toBeLessThanOrEqual((handles[0] ?? 0) + 8);
  } finally {
    room.remove();
  }
});
