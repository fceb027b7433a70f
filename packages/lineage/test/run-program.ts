import { randomUUID } from "node:crypto";
import { afterEach } from "vitest";
import { createLauncher, type LauncherOptions, type ProcessLauncher, type StartRequest } from "../src/index.js";

const launchers: ProcessLauncher[] = [];
afterEach(async () => {
  await Promise.all(launchers.splice(0).map((launcher) => launcher.close()));
});

/** A launcher that is closed after the test. Without cgroups, so that hosts with and without them test the same. */
export function launcher(options: LauncherOptions = {}): ProcessLauncher {
  const made = createLauncher({ cgroups: false, ...options });
  launchers.push(made);
  return made;
}

/** A text that only the processes of one test carry. */
export function mark(): string {
  return `rea-test-${randomUUID()}`;
}

/** A request to run a text with `sh`, whose processes carry the mark in their environment. */
export function shell(script: string, marked: string, more: Partial<StartRequest> = {}): StartRequest {
  return program("/bin/sh", ["-c", script], { environment: { PATH: "/usr/bin:/bin", MARK: marked }, ...more });
}

export function program(executable: string, args: readonly string[], more: Partial<StartRequest> = {}): StartRequest {
  return {
    executable,
    arguments: args,
    environment: { PATH: "/usr/bin:/bin" },
    workingDirectory: "/",
    signal: new AbortController().signal,
    deadlineMs: 60_000,
    ...more,
  };
}
