import { afterEach } from "vitest";
import { canonicalJson, processCaptureSchema, silentProgress, type ProcessCapture } from "@rea/core";
import { createLauncher, type ProcessLauncher } from "@rea/lineage";
import { captureProcess, parseScenario } from "../src/index.js";

const launchers: ProcessLauncher[] = [];
afterEach(async () => {
  await Promise.all(launchers.splice(0).map((launcher) => launcher.close()));
});

export interface Capturing {
  readonly environment?: { readonly [name: string]: string };
  readonly signal?: AbortSignal;
}

/** Captures a scenario as callers give it, and checks that the capture is one. */
export async function capture(scenario: object, { environment, signal }: Capturing = {}): Promise<ProcessCapture> {
  const launcher = createLauncher({ cgroups: false });
  launchers.push(launcher);
  const finished = await captureProcess({
    scenario: parseScenario(scenario),
    host: { launcher, environment: environment ?? { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" }, version: "test" },
    signal: signal ?? new AbortController().signal,
    progress: silentProgress,
  });
  return processCaptureSchema.parse(finished.capture);
}

export function shell(script: string, more: object = {}): object {
  return { executable: "/bin/sh", arguments: ["-c", script], ...more };
}

/** Everything that was written, as bytes. */
export function output({ frames }: ProcessCapture): Buffer {
  return Buffer.concat(frames.map(({ data_base64 }) => Buffer.from(data_base64, "base64")));
}

export function lastScreen({ rendered_frames }: ProcessCapture): string[] {
  return (rendered_frames.at(-1)?.lines ?? []).filter((line) => line !== "");
}

/** A capture as one text in which everything that was said can be found, base64 included. */
export function everything(captured: ProcessCapture): string {
  const decoded = captured.interaction_events.map(({ data_base64 }) => Buffer.from(data_base64 ?? "", "base64").toString());
  return [canonicalJson(captured), output(captured).toString(), ...decoded].join("\n");
}
