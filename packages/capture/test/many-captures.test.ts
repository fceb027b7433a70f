import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { silentProgress } from "@rea/core";
import { createLauncher } from "@rea/lineage";
import { captureProcess, parseScenario } from "../src/index.js";
import { shell } from "./capture-support.js";

/** How many captures in a row; the soak run asks for more. */
const rounds = Number(process.env["REA_CAPTURE_ROUNDS"] ?? "6");

const descriptors = (): number => readdirSync("/proc/self/fd").length;
const resources = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout" || name.endsWith("Wrap")).length;

describe.skipIf(process.platform !== "linux")("captures in a row", () => {
  it("leave no descriptors, timers, processes or directories behind", async () => {
    const launcher = createLauncher({ cgroups: false });
    const made: string[] = [];
    const one = async (round: number): Promise<void> => {
      const scenario = parseScenario(
        shell("pwd; foo; echo a > f", {
          isolation: round % 3 === 2 ? "pid_namespace" : "none",
          command_shims: round % 2 === 0 ? [{ name: "foo" }] : [],
          ...(round % 5 === 4 ? { replay_http: { exchanges: [{ method: "GET", path: "/", response: { status: 200 } }] } } : {}),
        }),
      );
      const { capture } = await captureProcess({ scenario, host: { launcher, environment: process.env, version: "test" }, signal: new AbortController().signal, progress: silentProgress });
      expect(capture.cleanup).toMatchObject({ state: "proven", resources: [] });
      made.push(/rea-capture-\w+/.exec(Buffer.from(capture.frames[0]?.data_base64 ?? "", "base64").toString())?.[0] ?? "");
    };
    for (let round = 0; round < 3; round += 1) await one(round);
    await sleep(100);
    const before = [descriptors(), resources()];
    const rssBefore = process.memoryUsage().rss;
    for (let round = 0; round < rounds; round += 1) await one(round);
    await expect.poll(() => [descriptors(), resources()].map((now, index) => now <= (before[index] ?? 0))).toEqual([true, true]);
    if (rounds >= 200) expect((process.memoryUsage().rss - rssBefore) / 2 ** 20).toBeLessThan(50);
    const left = new Set(readdirSync(tmpdir()));
    expect(made.filter((name) => name === "" || left.has(name))).toEqual([]);
    expect(await launcher.close()).toEqual({ remaining: [] });
  }, 86_400_000);
});
