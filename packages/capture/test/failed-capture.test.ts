import { readdirSync, readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { canonicalJson, isReaError, z, type ProgressReporter } from "@rea/core";
import { createLauncher } from "@rea/lineage";
import { captureProcess, parseScenario } from "../src/index.js";

const partial = z.looseObject({
  frames: z.array(z.looseObject({ data_base64: z.string() })),
  process_samples: z.array(z.unknown()).min(1),
  cleanup: z.looseObject({ state: z.string() }),
  left_out: z.record(z.string(), z.number()),
});

/** Fails some reports after the program has come up. */
function failing(after: () => boolean): ProgressReporter {
  return {
    report: ({ phase }) => {
      if (phase === "running" && after()) throw new Error("a fault that was put here");
    },
  };
}

async function failureOf(script: string, more: object, after: () => boolean): Promise<{ readonly code: string; readonly details: unknown }> {
  const launcher = createLauncher({ cgroups: false });
  const scenario = parseScenario({ executable: "/bin/sh", arguments: ["-c", script], ...more });
  const host = { launcher, environment: { PATH: "/usr/bin:/bin" }, version: "test" };
  try {
    await captureProcess({ scenario, host, signal: new AbortController().signal, progress: failing(after) });
  } catch (error) {
    if (isReaError(error)) return { code: error.code, details: error.details };
    throw error;
  } finally {
    await launcher.close();
  }
  throw new Error("the capture did not fail");
}

function living(mark: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && Number(name) !== process.pid && readFileSync(`/proc/${name}/cmdline`, "latin1").includes(mark);
    } catch {
      return false;
    }
  });
}

describe.skipIf(process.platform !== "linux")("a capture that fails while its program runs", () => {
  it("tells what it had seen, ends the program and keeps hidden values hidden", async () => {
    const mark = `rea-test-${randomUUID()}`;
    let looks = 0;
    const event = { kind: "input", at_ms: 0, data: "s3cret-value\n", sensitive: true };
    const { code, details } = await failureOf(`: ${mark}; echo begun; read line; echo "got $line"; sleep 60`, { events: [event] }, () => (looks += 1) > 12);
    expect(code).toBe("process_capture_failed");
    const { reason, partial_observation } = z.looseObject({ reason: z.string(), partial_observation: partial }).parse(details);
    const written = partial_observation.frames.map(({ data_base64 }) => Buffer.from(data_base64, "base64").toString()).join("");
    expect([reason, partial_observation.cleanup.state, partial_observation.left_out]).toEqual(["internal", "proven", {}]);
    expect(written).toContain("begun");
    expect(canonicalJson(details) + written).not.toContain("s3cret-value");
    expect(living(mark)).toEqual([]);
  });

  it("keeps the beginning of what is too much, and counts the rest", async () => {
    let looks = 0;
    const { details } = await failureOf("seq 1 400000; sleep 60", { limits: { output_bytes: 50_000_000, frames: 100_000 } }, () => (looks += 1) > 60);
    const { partial_observation } = z.looseObject({ partial_observation: partial }).parse(details);
    expect(Buffer.byteLength(canonicalJson(details))).toBeLessThanOrEqual(1024 * 1024 + 64);
    expect(partial_observation.frames.length).toBeGreaterThan(0);
    expect(partial_observation.left_out["frames"]).toBeGreaterThan(0);
  });
});
