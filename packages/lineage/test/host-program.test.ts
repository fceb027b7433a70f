import { describe, expect, it } from "vitest";
import { runHostProgram, type HostProgramRequest } from "../src/index.js";
import { processesWith } from "./live-processes.js";
import { launcher, mark } from "./run-program.js";

function asking(script: string, more: Partial<HostProgramRequest> = {}): HostProgramRequest {
  return {
    tool: "sh",
    executable: "/bin/sh",
    arguments: ["-c", script],
    signal: new AbortController().signal,
    operation: "ask",
    ...more,
  };
}

describe.skipIf(process.platform !== "linux")("a program of the host", () => {
  it("answers with its output and where it comes from, whatever its exit status", async () => {
    const { stdout, stderr, provenance } = await runHostProgram(launcher(), asking("cat; echo no >&2; exit 3", { stdin: Buffer.from("yes") }));
    expect([stdout.toString(), stderr.toString()]).toEqual(["yes", "no\n"]);
    expect(provenance).toEqual({
      tool: "sh",
      tool_version: null,
      executable_sha256: provenance.executable_sha256,
      exit: { code: 3, signal: null },
      stdout_bytes: 3,
      stderr_bytes: 3,
      truncated: false,
    });
  });

  it("that writes more than is kept is ended, and the answer says so", async () => {
    const { stdout, provenance } = await runHostProgram(launcher(), asking("exec yes", { maximumOutputBytes: 1_000 }));
    expect([stdout.length, provenance.truncated, provenance.stdout_bytes > 1_000]).toEqual([1_000, true, true]);
  });

  it("that does not answer in time is a timeout, and cancelling it is a cancel; neither leaves a process", async () => {
    const marked = mark();
    const environment = { PATH: "/usr/bin:/bin", MARK: marked };
    const script = "trap '' TERM; sleep 81 & sleep 82";
    await expect(runHostProgram(launcher(), asking(script, { environment, timeoutMs: 300 }))).rejects.toMatchObject({
      code: "provider_timeout",
      details: { operation: "ask", timeout_ms: 300 },
    });
    const signal = AbortSignal.timeout(300);
    await expect(runHostProgram(launcher(), asking(script, { environment, signal }))).rejects.toMatchObject({ code: "cancelled" });
    expect(processesWith(marked)).toEqual([]);
  });
});
