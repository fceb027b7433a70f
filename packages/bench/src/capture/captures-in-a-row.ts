import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { createLauncher } from "@rea/lineage";
import { captureOnce } from "./capture-once.js";

export interface Growth {
  readonly captures: number;
  readonly descriptors: number;
  readonly timersAndHandles: number;
  readonly temporaryDirectories: number;
  readonly residentMiB: number;
}

/** What so many captures in a row leave behind in this process and on the disk, after a few that are not counted. */
export async function growthOf(captures: number): Promise<Growth> {
  const launcher = createLauncher();
  const scenario = { executable: "/bin/sh", arguments: ["-c", "for i in 1 2 3; do echo line $i; done; echo a > f; ls"], settle_ms: 0, command_shims: [{ name: "foo" }] };
  try {
    for (let round = 0; round < 10; round += 1) await captureOnce(launcher, scenario);
    const before = await held();
    for (let round = 0; round < captures; round += 1) await captureOnce(launcher, scenario);
    const after = await held();
    return {
      captures,
      descriptors: after.descriptors - before.descriptors,
      timersAndHandles: after.resources - before.resources,
      temporaryDirectories: after.directories - before.directories,
      residentMiB: Math.round((after.resident - before.resident) / 2 ** 20),
    };
  } finally {
    await launcher.close();
  }
}

async function held(): Promise<{ readonly descriptors: number; readonly resources: number; readonly directories: number; readonly resident: number }> {
  // What is being closed is closed.
  await sleep(300);
  return {
    descriptors: process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0,
    resources: process.getActiveResourcesInfo().length,
    directories: readdirSync(tmpdir()).filter((name) => name.startsWith("rea-capture-")).length,
    resident: process.memoryUsage().rss,
  };
}
