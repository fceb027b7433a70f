import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const cliMain = fileURLToPath(new URL("../dist/main.js", import.meta.url));

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Sent as soon as the child says anything on standard error. */
  readonly signalWhenHeard?: NodeJS.Signals;
}

/** Runs the built CLI to its end. */
export function runCli(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cliMain, ...args], {
      cwd: options.cwd,
      // What a test expects is what the embedded engine says, also where the user has another.
      env: options.env ?? { ...process.env, REA_ANALYSIS_PROVIDER: "rea-native" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.once("error", reject);
    child.once("close", (status) => {
      resolve({ status, stdout, stderr });
    });
    const signal = options.signalWhenHeard;
    if (signal !== undefined) child.stderr.once("data", () => child.kill(signal));
  });
}
